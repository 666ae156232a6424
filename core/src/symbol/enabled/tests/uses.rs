//! The uses of names, language by language.
//!
//! Each name in a text says its expected use: `call1`, `Typ2`, `inh3` and so on.

use super::read;
use crate::budget::Budget;
use crate::call::Call;
use crate::symbol::parsers::language;
use crate::symbol::parsers::parse::Parsers;
use crate::syntax::UseKind;

/// The first letters of a name, and its use.
const CODES: [(&str, UseKind); 9] = [
    ("call", UseKind::Call),
    ("imp", UseKind::Import),
    ("typ", UseKind::Type),
    ("inh", UseKind::Inheritance),
    ("set", UseKind::Assignment),
    ("def", UseKind::Definition),
    ("com", UseKind::Comment),
    ("str", UseKind::String),
    ("oth", UseKind::Other),
];

/// Returns the names of a text with a code and a number, and their expected uses.
fn coded(text: &str) -> Vec<(usize, &str, UseKind)> {
    let mut found = Vec::new();
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut at = 0;
    for word in text.split(|c: char| !is_part(c)) {
        let lower = word.to_ascii_lowercase();
        let code = CODES.iter().find(|(code, _)| {
            let rest = lower.strip_prefix(code);
            rest.is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))
        });
        if let Some((_, kind)) = code {
            found.push((at, word, *kind));
        }
        at += word.len() + 1;
    }
    found
}

/// Compares the uses in a text with those that its names say. Each of `kinds` must be among them.
pub(super) fn assert_uses(language: &str, kinds: &[UseKind], text: &str) {
    let uses = read(language, text).uses.expect("requested");
    let names = coded(text);
    let wrong: Vec<String> = names
        .iter()
        .filter_map(|&(at, name, expected)| {
            let found = uses.at(text.as_bytes(), at, at + name.len()).kind;
            (found != expected).then(|| format!("{name}: {found:?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{language}: {wrong:?}");
    for kind in kinds {
        assert!(names.iter().any(|(.., one)| one == kind), "{language} has no {kind:?}");
    }
}

#[test]
fn rules_name_kinds_and_fields_of_their_grammars() {
    for grammar in language::all() {
        assert_eq!(grammar.unknown_in_rules(), Vec::<String>::new(), "{}", grammar.name);
    }
}

#[test]
fn uses_of_rust() {
    let text = r#"
//! com1
use a::imp1::{Imp2, imp3 as imp4};
use imp5::*;
extern crate imp6;
#[derive(Inh1, oth1::Inh2)]
struct Def1<Def2: Typ1> { def3: Typ2<Typ3>, def4: oth2::Typ4 }
trait Def5: Inh3 + oth3::Inh4<Typ5> { fn def6(&self) -> Typ6; }
impl<T> Inh5<Typ7> for Typ8<T> where T: Typ9 { type Def7 = Typ10; }
impl Typ11 { const Def8: Typ12 = Typ13::oth4; }
fn def9(def10: &Typ14, mut def11: u8) -> Typ15 {
    call1(oth5); oth6::call2::<Typ16>(oth7); oth8.call3(); oth9.oth10.call4::<Typ17>(oth11);
    Typ18::call5(); (oth12.call6)(1); <Typ19 as Typ20>::call7(); Typ21::Call8(1);
    call9!(call10(oth13), oth14.call11(1), Typ22 { a: 1 }, Typ23::call12::<u8>(2), call13![1], oth15);
    set1 = oth16; oth17.set2 = 1; set3 += 1; (set4, oth18.set5) = oth19; oth20[oth21] = 1; *set6 = 2;
    let def12: Typ24 = Typ25 { set7: oth22, set8 }; let (def13, Typ26(def14)) = oth23;
    for def15 in oth24 { |def16: Typ27| oth30; }
    match oth25 { Typ28(1) => oth26.map(oth27), oth28::Typ29 { .. } => "str1 str2", _ => 'c' }
    /* com2 */ x as Typ30
}
mod def17 { pub fn def18() { r"str3"; } }
macro_rules! def19 { ($a:expr) => { call14($a) } }
"#;
    use UseKind as K;
    let all = [K::Call, K::Import, K::Type, K::Inheritance, K::Assignment];
    assert_uses("Rust", &all, text);
}

#[test]
fn uses_of_go() {
    let text = r#"
package oth1
import ("imp1"; imp2 "a/imp3")
type Def1 struct { Inh1; *oth2.Inh2; def2 Typ1; Inh3[Typ2]; def3, def4 oth3.Typ3 }
type Def5 interface { Inh4; oth4.Inh5; Def6(Typ4) Typ5; ~int | Typ6 }
// com1
func (def7 *Typ7) Def8(def9 Typ8, def10 ...oth5.Typ9) (Typ10, error) {
	call1(oth6); oth7.call2(1); oth8.Call3[Typ11](1); (oth9.call4)(); go call5(1); defer oth10.oth11.call6()
	set1 = 1; oth12.set2 = 1; set3++; set4, oth13.set5 = 1, 2; oth14[oth15] = 1; *set6 = 1; set7 += 1
	def11, def12 := oth16, Typ12{set8: oth17}
	var def13 Typ13 = oth18.(Typ14); call7("str1", &Typ15{oth19}, map[Typ16]oth20.Typ17{})
	for def14, def15 := range oth21 { switch def16 := oth22.(type) { case Typ18: call8(func(def17 Typ19) {}) } }
}
func Def18[Def19 Typ20](def20 Def21) {}
"#
    .replace("Def21", "T");
    use UseKind as K;
    let all = [K::Call, K::Import, K::Type, K::Inheritance, K::Assignment];
    assert_uses("Go", &all, &text);
}

const C: &str = r#"
#include <imp1/imp2.h>
#include "imp3.h"
#define DEF1 1 // com1
struct def2 { struct typ1 *def3; typ2 def4; };
typedef struct typ3 def5;
static typ4 *def6(typ5 *def7, int def8) {
    call1(1); oth1->call2(2); oth2.call3(oth3); (*call4)(4); call5(call6("str1"), 'c');
    set1 = oth4; oth5->set2 = 2; set3++; set4 += 1; --set5; *set6 = 2; oth6[oth7] = 1;
    typ6 def9 = (typ7)oth8; struct typ8 def10 = { .set7 = 1, oth9 };
    return (typ9){oth10}; /* com2 */
}
int def11(typ10 def12);
"#;

#[test]
fn uses_of_c() {
    use UseKind as K;
    assert_uses("C", &[K::Call, K::Import, K::Type, K::Assignment], C);
}

#[test]
fn uses_of_cpp() {
    let text = r#"
using namespace imp11; using imp13::imp12; using def20 = typ11<typ12>;
template <typename def21> class def22 : public oth12::inh1<typ13>, virtual inh2 {
  typ14 def23; def22() : set11(1) {}
  typ15 def24(const typ16& def25, int def26 = 1) override {
    call11(1); oth13.call12(2); oth14->call13<typ17>(3); oth15::call14(4); oth16::call15<typ18>(5);
    new call16(1); return call17{1}; this->set12 = 3; static_cast<typ19*>(oth17); throw call18(1);
    try {} catch (const typ20& def27) {} for (auto& def28 : oth18) {} std::vector<typ21> def29;
    [&](typ22 def30) { return oth30.call19(); };
  }
};
struct def31 : inh3<int> {};
void oth19::oth20::def32(typ23 def33) { R"(str11)"; }
enum class def34 : typ24 { def35 };
"#;
    use UseKind as K;
    let all = [K::Call, K::Import, K::Type, K::Inheritance, K::Assignment];
    assert_uses("C++", &all, &format!("{C}{text}").replace("'c'", "'c', 1"));
}

const ECMA: &str = r#"
import imp1, { imp2, imp3 as imp4 } from './imp5';
import * as imp6 from "imp7";
export { imp8 } from './imp9'; export * from './imp10'; export { oth1 };
class Def1 extends oth2.Inh1 { def2 = 1; def3(def4) { super.call1(oth3); this.set1 = 2; } }
function def5({ def6, a: def7 = 1 }, ...def8) {
  call2(1); oth4.call3(2); oth5?.call4(3); new Call5(1); new oth6.Call6(); call7`str1 ${call8(1)}`;
  set2 = oth7; oth8.set3 = 2; set4++; set5 += 1; [set6, oth9.set7] = oth10; ({ set8, l: set9 } = oth11);
  oth12.call9(oth13); (oth14.call10)(1); oth15[0](1); const { def9, k: def10 } = call11('str2'); // com1
  for (set10 of oth16) try {} catch (def11) {}
  return (def12) => oth17;
}
/* com2 */
"#;

#[test]
fn uses_of_javascript() {
    let text = r#"
@call21 class Def21 {}
const def22 = <Call22 a={oth21}><oth22.Call23/><oth23 b="str21">{call24(1)}</oth23></Call22>;
"#
    .replace("</Call22>", "</>")
    .replace("<Call22 a={oth21}>", "<>");
    use UseKind as K;
    let all = [K::Call, K::Import, K::Inheritance, K::Assignment];
    assert_uses("JavaScript", &all, &format!("{ECMA}{text}"));
}

const TYPESCRIPT: &str = r#"
import type { Imp21 } from 'imp22'; import imp23 = require('imp24');
class Def21<Def22 extends Typ21> extends oth21.Inh21<Typ22> implements Inh22, oth22.Inh23<Typ23> {
  def23: Typ24 = 1; @call21() def24(def25: Typ25, def26?: oth23.Typ26): Typ27 { oth24!.call22<Typ28>(1); }
}
interface Def27 extends Inh24<Typ29>, Inh25 { def28: Typ30; def29(): Typ31 }
type Def30 = Typ32 & { def31: Typ33 }; enum Def32 { Def33 = 1 }
abstract class Def34 extends call23(oth25) {}
const def35: Typ34 = oth26 as Typ35; oth27 satisfies Typ36;
"#;

#[test]
fn uses_of_typescript() {
    use UseKind as K;
    let all = [K::Call, K::Import, K::Type, K::Inheritance, K::Assignment];
    assert_uses("TypeScript", &all, &format!("{ECMA}{TYPESCRIPT}const def41 = <Typ41>oth41;"));
    let jsx = "const def41 = <oth40><Call41<Typ41> a={oth41} /><oth42.Call42 /></oth40>;";
    assert_uses("TSX", &all, &format!("{ECMA}{TYPESCRIPT}{jsx}"));
}

#[test]
fn uses_of_java() {
    let text = r#"
package oth1.oth2;
import imp1.imp2.Imp3; import static imp4.Imp5.imp6; import imp7.*;
@Typ1(oth3 = 1) class Def1<Def2 extends Typ2> extends Typ3.Inh1<Typ4> implements Inh2, Typ5.Inh3 {
  @Typ6 Typ7 def3 = 1; Def4(Typ8 def5) { super(oth4); this.call1(1); }
  Typ9 def6(Typ10 def7) throws Typ11 {
    call2(1); oth5.call3(oth6); new Call4<>(1); new Typ12.Call5(); oth7.call6().call7("str1");
    set1 = oth8; oth9.set2 = 2; this.set3 = 3; set4++; set5 += 1; oth10[0] = 1;
    if ((Typ13) oth11 instanceof Typ14 def8) { Typ15<Typ16> def9 = oth12; }
    try {} catch (Typ17 | Typ18 def10) { oth13.call8(def11 -> oth14); } // com1
    for (Typ19 def12 : oth15) { Typ20.class.call9(); new Typ21[1].call10(oth16::oth17); }
  }
}
interface Def13 extends Inh4<Typ22>, Inh5 {}
enum Def14 implements Inh6 { Def15(1), Def16 { } }
record Def17(Typ23 def18) implements Inh7 {}
"#;
    use UseKind as K;
    let all = [K::Call, K::Import, K::Type, K::Inheritance, K::Assignment];
    assert_uses("Java", &all, text);
}

#[test]
fn uses_of_kotlin() {
    let text = r#"
package oth1.oth2
import imp1.imp2.Imp3 as Imp4
@Typ1(1)
class Def1<Def2 : Typ2>(val def3: Typ3) : oth3.Inh1<Typ4>(oth4), Inh2, Inh3 by oth5 {
    val def4: Typ5 = 1
    override fun def5(def6: Typ6): Typ7 {
        call1(1); oth6.call2(oth7); oth8?.call3(3); Call4(1); call5 { oth9 }; call6(1) { oth10 }
        oth11
            .call7("str1 ${call8(1)}")
        set1 = oth12; oth13.set2 = 2; this.set3 = 3; set4++; --set5; set6 += 1; oth14[0] = 1
        if (oth15 is Typ8) oth16 as Typ9
        val (def7, def8) = oth17; oth18 call9 oth19; val def9: Typ10<Typ11> = object : Inh4 { }
        oth20.map(::oth21) // com1
    }
}
interface Def10 : Inh5<Typ12>, Inh6
typealias Def11 = Typ13<Typ14>
"#
    .replace("oth3.Inh1", "Typ30.Inh1");
    use UseKind as K;
    let all = [K::Call, K::Import, K::Type, K::Inheritance, K::Assignment];
    assert_uses("Kotlin", &all, &text);
}

#[test]
fn uses_of_csharp() {
    let text = r#"
using imp1.imp2; using Imp3 = imp4.Imp5; using static imp6.Imp7;
namespace Oth0;
[Typ1(1)] class Def2<Def3> : oth1.Inh1<Typ2>, Inh2 where Def3 : Typ3 {
  Typ4 def4 = 1; public Typ5 Def5 { get; set; } Def6(Typ6 def7) : base(oth2) { this.call1(1); }
  Typ7 def8(Typ8 def9) {
    call2(1); oth3.call3(oth4); oth5?.call4(3); oth6.call5<Typ9>(4); new Call6(1) { Set1 = 2 }; new oth7.Call7();
    set2 = oth8; oth9.set3 = 2; this.set4 = 3; set5++; --set6; set7 += 1; oth10[0] = 1; (set8, set9) = oth11;
    if (oth12 is Typ10 def10) { Typ11<Typ12> def11 = (Typ13)oth13; } var def12 = oth14 as Typ14;
    try {} catch (Typ15 def13) { call8(typeof(Typ16), "str1"); } // com1
    foreach (Typ17 def14 in oth15) {} call9(-oth16);
  }
}
interface Def15 : Inh3<Typ18>, Inh4 {}
record Def16(Typ19 Def17) : Inh5(oth17), Inh6;
struct Def18 : Inh7 {}
"#
    .replace("where Def3", "where Oth30");
    use UseKind as K;
    let all = [K::Call, K::Import, K::Type, K::Inheritance, K::Assignment];
    assert_uses("C#", &all, &text);
}

#[test]
fn uses_of_php() {
    let text = r#"<?php
namespace Oth0; use Imp1\Imp2\Imp3 as Imp4; use function Imp5\imp6; use Imp7\{Imp8, Imp9};
require 'imp10.php'; include_once "imp11.php";
#[Typ1(1)] class Def2 extends oth1\Inh1 implements Inh2, oth2\Inh3 {
  use Inh4, Inh5; private Typ2 $def3 = 1; const Def4 = 2;
  function def5(Typ3 $def6, ?Typ4 $def7, Typ5|Typ6 $def8): Typ7 {
    call1(1); $oth3->call2(2); $oth4?->call3(3); Typ8::call4($oth5); new Call5(5); new oth6\Call6;
    oth7\call7(6); \call8(7); $call9(1); parent::call10(1);
    $set1 = $oth8; $oth9->set2 = 2; $this->set3 = 3; $set4++; $set5 += 1; static::$set6 = 2; [$set7, $set8] = $oth10;
    if ($oth11 instanceof Typ9) { Typ10::oth12; Typ11::$oth13; } // com1
    try {} catch (Typ12 | Typ13 $def9) { call11("str1 {$oth14->call12(1)}", 'str2'); }
  }
}
interface Def10 extends Inh6, Inh7 {}
enum Def11: string implements Inh8 { case Def12 = 'str3'; }
"#;
    use UseKind as K;
    let all = [K::Call, K::Import, K::Type, K::Inheritance, K::Assignment];
    assert_uses("PHP", &all, text);
}

#[test]
fn uses_of_python() {
    let text = r#"
import imp1.imp2, imp3 as imp4
from imp5.imp6 import (imp7, imp8 as imp9)
from . import imp10
@call1
@oth1.call2(1)
class Def1(Inh1, oth2.Inh2[Typ1], Inh3, metaclass=oth3):
    def2: Typ2 = 1
    def def3(self, def4: Typ3, def5=2, *def6, def7: Typ4 | None = oth4) -> Typ5[Typ6, oth5.Typ7]:
        call3(1); oth6.call4(oth7); oth8.call5().call6(3); Call7(1); (call8)(oth9)
        set1 = oth10; oth11.set2 = 2; set3 += 1; set4, oth12.set5 = 1, 2; oth13[0] = 3; (set6 := 5)
        set7: Typ8 = lambda def8: oth14; [oth15 for set8 in call9(f"str1 {call10(1)}")]
        with call11(1) as set9: pass
        for set10, set11 in oth16: await call12("str2", oth17=oth18)
        try: pass
        except Typ9 as set12: pass
        except (Typ10, oth19.Typ11): raise Call13(1)
type Def9 = Typ12
# com1
match oth20:
    case Typ13(oth21=1): pass
"#;
    use UseKind as K;
    let all = [K::Call, K::Import, K::Type, K::Inheritance, K::Assignment];
    assert_uses("Python", &all, text);
}

#[test]
fn uses_of_ruby() {
    let text = r#"
require 'a/imp1'
require_relative "imp2"
class Def1 < Oth1::Inh1
  include Inh2
  extend Oth2::Inh3
  def def2(def3, def4 = 1, *def5, def6: 2) = call1(1)
  def def7
    call2(1); oth3.call3(oth4); oth5&.call4 3; Call5.new(4); Oth6::Call6.new; Oth7::call7(1); call8 oth8
    set1 = oth9; oth10.set2 = 2; @set3 = 3; set4 += 1; @set5 ||= 1; set6, set7 = oth11
    call9 do |def8| oth30.call10 end
    Oth12::Oth13
    begin; rescue Typ1, Oth14::Typ2 => def9; end
    call11 "str1 #{call12(1)}", :oth15 # com1
  end
end
module Def10; end
"#;
    use UseKind as K;
    let all = [K::Call, K::Import, K::Type, K::Inheritance, K::Assignment];
    assert_uses("Ruby", &all, text);
}

#[test]
fn uses_of_bash() {
    let text = r#"
source ./imp1.sh; . imp2.sh
def1() {
  call1 oth1; set1=1; export set2=2; local def2=3; x=$(call2 oth2); if call3; then call4 "str1 $(call5)"; fi
  set4[0]=1; set5+=1; call6 | call7 && call8; for set6 in oth3; do call9; done; oth4=1 call10 # com1
}
"#
    .replace("oth4=1", "set7=1");
    use UseKind as K;
    assert_uses("Bash", &[K::Call, K::Import, K::Assignment], &text);
}

#[test]
fn names_in_a_syntax_error_are_lost_and_other() {
    let text = "fn f() { call1(); }\n@@ g h @@ @@\nfn k() { call2(); }\n";
    let uses = read("Rust", text).uses.expect("requested");
    let lost: Vec<&str> = ["call1", "g", "call2"]
        .into_iter()
        .filter(|name| {
            let at = text.find(name).expect(name);
            let found = uses.at(text.as_bytes(), at, at + name.len());
            assert!(!found.is_lost || found.kind == UseKind::Other);
            found.is_lost
        })
        .collect();
    assert_eq!(lost, ["g"]);
}

#[test]
fn a_walk_honours_the_budget() {
    let text = "f(a, b);\n".repeat(20_000);
    let grammar = language::named("Rust").expect("Rust");
    let budget = Budget::of(&Call::new());
    let stopped = Parsers::default().parse(grammar, text.as_bytes(), &budget, |parsed| {
        let call = Call::new();
        call.cancel_token().cancel();
        crate::symbol::parsers::uses::names(parsed, text.as_bytes(), &Budget::of(&call))
    });
    assert!(stopped.is_err());
}
