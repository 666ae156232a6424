use super::{assert_defined, assert_enclosing, assert_outline, assert_regions};

#[test]
fn classes_and_their_members() {
    let text = "
export default class Store extends Base {
  #items = new Map();
  static count = 0;
  handler = (event) => { let local = event; };
  'quoted-name' = 1; [kState] = 2;
  constructor(a) { super(a); this.a = a; }
  static of(...items) { return new Store(items); }
  get size() { return this.#items.size; }
  set size(value) {}
  async *#walk() { yield 1; }
  [Symbol.iterator]() { function nested() {} }
  static { const hidden = 1; }
}
const Mixed = class Inner extends Store { run() {} };
";
    let expected = "
        Class Store 2
        Field Store.#items 3
        Field Store.count 4
        Method Store.handler 5
        Field Store.quoted-name 6
        Field Store.[kState] 6
        Method Store.constructor 7
        Method Store.of 8
        Method Store.size 9
        Method Store.size 10
        Method Store.#walk 11
        Method Store.[Symbol.iterator] 12
        Function Store.[Symbol.iterator].nested 12
        Class Mixed 15
        Method Mixed.run 15";
    assert_outline("JavaScript", text, expected);
    let around = "
        = event -> method Store.handler
        yield 1 -> method Store.#walk
        Symbol -> method Store.[Symbol.iterator]
        hidden = 1 -> class Store";
    assert_enclosing("JavaScript", text, around);
}

#[test]
fn functions_and_variables_of_modules() {
    let text = "
'use strict';
const fs = require('fs'), limit = 10;
let state = { open: false, close() { const local = 1; }, run: async () => {}, inner: class {} };
var legacy;
export const [first, second] = pair, { third, four: fourth = 4, fifth = 5 } = all;
export const load = async (path) => { const text = await read(path); };
export function* ids() { for (let i = 0; ; i++) yield i; }
const fact = function factorial(n) { return n ? n * factorial(n - 1) : 1; };
for (let i = 0; i < 3; i++) { const skipped = i; }
const [sixth] = all;
";
    let expected = "
        Constant fs 3
        Constant limit 3
        Variable state 4
        Method state.close 4
        Method state.run 4
        Class state.inner 4
        Variable legacy 5
        Constant first 6
        Constant second 6
        Constant third 6
        Constant fourth 6
        Constant fifth 6
        Function load 7
        Function ids 8
        Function fact 9
        Constant sixth 11";
    assert_outline("JavaScript", text, expected);
    let around = "
        await read -> function load
        local = 1 -> method state.close
        factorial(n - 1) -> function fact";
    assert_enclosing("JavaScript", text, around);
}

#[test]
fn assigned_and_passed_functions() {
    let text = "
Store.prototype.flush = function () {};
Store.prototype.VERSION = 3;
Store.create = function create() {};
module.exports = function main() {};
module.exports.helper = () => {};
exports.other = function () {};
exports.TABLE = [1, 2];
exports.again = fact;
app.router.get = function () {};
(function () {
  var hidden = 1;
  function inside() { var local = 1; }
  this.reset = function () {};
}());
!function (root, factory) { root.lib = factory(); }(this, function named(root) { return class Exported { go() {} }; });
exports.Fault = make((parent) => function FaultOf() { parent(this); });
";
    let expected = "
        Method Store.flush 2
        Field Store.VERSION 3
        Method Store.create 4
        Function main 5
        Function helper 6
        Function other 7
        Constant TABLE 8
        Function get 10
        Function inside 13
        Function reset 14
        Function named 16
        Class named.Exported 16
        Method named.Exported.go 16
        Function FaultOf 17";
    assert_outline("JavaScript", text, expected);
}

#[test]
fn components_of_jsx() {
    let text = r#"
import React, { useState as use } from 'react';
const Context = React.createContext(null);
function App({ title }) {
  const [count, setCount] = useState(0);
  const onClick = () => setCount(count + 1);
  return <div className="a" onClick={() => onClick()}>{/* c */}<Item render={function draw() {}} /></div>;
}
const Item = React.memo(({ a }) => <li>{a}</li>);
export { App as default };
"#;
    let expected = "
        Constant Context 3
        Function App 4
        Function App.onClick 6
        Constant Item 9";
    assert_outline("JavaScript", text, expected);
}

#[test]
fn a_syntax_error_in_the_middle_hides_no_more_than_itself() {
    let text = "const before = 1;
class Store {
  open() {}
  close( { if }
}
function after() {}
export const last = () => {};
";
    assert_defined(
        "JavaScript",
        text,
        &["Constant before 1", "Method Store.open 3", "Function after 6", "Function last 7"],
    );
}

#[test]
fn comments_and_literals() {
    assert_regions(
        "JavaScript",
        r#"#!/usr/bin/env com
// com "com" `com`
/* com 'com' */ kod = "str // str"; kod = 'str /* str \' str'; /** com */
kod(`str ${kod(`str ${kod} str`, "str", /* com */ kod)} str // str
str \` \${str} str`);
kod = /kod"kod\/*kod/g; kod = kod / 2 / "str";
kod = { "str": kod, kod: 'str' };
import kod from "str";
tag`str ${ { kod: "str" } } str`;
kod = <Kod kod="str" kod={"str"}>kod "kod" // kod {/* com */ kod} {`str`}</Kod>;
"#,
    );
}
