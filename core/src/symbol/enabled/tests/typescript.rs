use super::{assert_defined, assert_enclosing, assert_outline, assert_regions};

#[test]
fn types_and_classes() {
    let text = "
import { type Other, thing } from './other';
export interface Shape<T = unknown> extends Base {
  readonly kind: 'circle' | 'square';
  area(scale: number): { width: number };
  'quoted'?: (local: T) => void;
  new (arg: T): Shape<T>;
  [key: string]: unknown;
}
type Options = { deep: boolean; each(item: { inner: string }): void } ;
export type Mapped<K extends string> = { [P in K]?: number };
export const enum Level { Low, High = 2, 'very-high' = 3 }
export abstract class Repo<T extends Shape> implements Store {
  private static cache?: Map<string, unknown>;
  readonly handler = (event: Event): void => { const local = 1; };
  declare token: string;
  constructor(private readonly db: Db, public name = 'x', plain: number) { super(); }
  abstract load(id: string): Promise<T>;
  find(id: string): T;
  find(id: number): T;
  @log() find(id: unknown): T { return this.db.get(id) as T; }
  protected get size(): number { return 0; }
  static #secret<U>(value: U): asserts value is NonNullable<U> {}
}
";
    let expected = "
        Interface Shape 3
        Field Shape.kind 4
        Method Shape.area 5
        Field Shape.quoted 6
        Type Options 10
        Field Options.deep 10
        Method Options.each 10
        Type Mapped 11
        Enum Level 12
        EnumMember Level.Low 12
        EnumMember Level.High 12
        EnumMember Level.very-high 12
        Class Repo 13
        Field Repo.cache 14
        Method Repo.handler 15
        Field Repo.token 16
        Method Repo.constructor 17
        Field Repo.db 17
        Field Repo.name 17
        Method Repo.load 18
        Method Repo.find 19
        Method Repo.find 20
        Method Repo.find 21
        Method Repo.size 22
        Method Repo.#secret 23";
    assert_outline("TypeScript", text, expected);
    let around = "
        inner: string -> method Options.each
        as T -> method Repo.find
        local = 1 -> method Repo.handler";
    assert_enclosing("TypeScript", text, around);
}

#[test]
fn functions_namespaces_and_declarations() {
    let text = "
export function parse(text: string): number;
export function parse(text: Buffer): number;
export function parse(text: any) { let local = text; return +text; }
@Component({ selector: 'app' })
export class AppComponent { @Input() title: string; @Output() changed = new EventEmitter<string>(); }
export namespace Util.Text {
  export const WIDTH = 80;
  const hidden: number = 1;
  export let current = 0;
  export function wrap() {}
}
declare module 'express' { interface Request { user?: User } const version: string; }
declare global { var injected: number; interface Window { app: App } }
declare const VERSION: string;
declare let mutable: number, another: string;
declare function external(a: string): void;
declare class Ambient { method(): void; field: number }
export const identity = <T,>(value: T): T => value;
const assertion = <Foo>value;
export default interface Last { done: boolean }
";
    let expected = "
        Function parse 2
        Function parse 3
        Function parse 4
        Class AppComponent 6
        Field AppComponent.title 6
        Field AppComponent.changed 6
        Module Util.Text 7
        Constant Util.Text.WIDTH 8
        Constant Util.Text.hidden 9
        Variable Util.Text.current 10
        Function Util.Text.wrap 11
        Module express 13
        Interface express.Request 13
        Field express.Request.user 13
        Constant express.version 13
        Variable injected 14
        Interface Window 14
        Field Window.app 14
        Constant VERSION 15
        Variable mutable 16
        Variable another 16
        Function external 17
        Class Ambient 18
        Method Ambient.method 18
        Field Ambient.field 18
        Function identity 19
        Constant assertion 20
        Interface Last 21
        Field Last.done 21";
    assert_outline("TypeScript", text, expected);
    let around = "
        WIDTH = 80 -> const Util.Text.WIDTH
        local = text -> function parse
        title: string -> field AppComponent.title";
    assert_enclosing("TypeScript", text, around);
}

#[test]
fn components_of_tsx() {
    let text = r#"
type Props<T> = { items: T[]; onPick?: (item: T) => void };
export const List = <T extends object>({ items }: Props<T>) => {
  const shown = items.filter(Boolean);
  const renderItem = (item: T): JSX.Element => <li key="k">{String(item)}</li>;
  return <ul title='all'>{shown.map(renderItem)}</ul>;
};
export default function Page(): JSX.Element { return <List<Item> items={[]} />; }
class Boundary extends React.Component<Props<Item>, State> {
  state: State = { failed: false };
  static getDerivedStateFromError = (): State => ({ failed: true });
  render() { return <>{this.props.children}</>; }
}
"#;
    let expected = "
        Type Props 2
        Field Props.items 2
        Field Props.onPick 2
        Function List 3
        Function List.renderItem 5
        Function Page 8
        Class Boundary 9
        Field Boundary.state 10
        Method Boundary.getDerivedStateFromError 11
        Method Boundary.render 12";
    assert_outline("TSX", text, expected);
    let around = r#"
        filter( -> function List
        key="k" -> function List.renderItem
        this.props -> method Boundary.render"#;
    assert_enclosing("TSX", text, around);
}

#[test]
fn a_syntax_error_in_the_middle_hides_no_more_than_itself() {
    let text = "interface Before { a: string }
class Store {
  open(): void {}
  close(: { if }
}
export enum After { One }
const last: number = 1;
";
    assert_defined(
        "TypeScript",
        text,
        &[
            "Interface Before 1",
            "Field Before.a 1",
            "Method Store.open 3",
            "Enum After 6",
            "EnumMember After.One 6",
            "Constant last 7",
        ],
    );
}

#[test]
fn comments_and_literals() {
    assert_regions(
        "TypeScript",
        r#"// com
type Kod<kod> = "str" | 'str' | `str${kod}str`; /* com */
declare module "str" { const kod: number; }
enum Kod { "str" = 'str // str' }
const kod = <Kod>`str ${kod<Kod>("str" as any, kod!)} str`; // com "com"
const kod = /kod'kod/; let kod: /* com */ any = "str";
"#,
    );
}

#[test]
fn comments_and_literals_of_tsx() {
    assert_regions(
        "TSX",
        r#"
const kod = <Kod<number> kod='str' kod={`str ${kod} str`}>kod's {/* com */ "str"}</Kod>; // com
"#,
    );
}
