//! Uses of names in constructs that are rare, or that the grammar shares with another construct.

use super::read;
use super::uses::assert_uses;
use crate::syntax::UseKind;

#[test]
fn patterns_of_rust_bind_variables() {
    let text = r#"
fn def1(def30: Typ7) {
    let Some(def2) = oth1 else { return }; let Typ1 { oth2: def3, def4, .. } = oth3;
    if let Some(def5) = oth4 && let Ok(ref def6) = oth5 {} while let [def7, .., def8] = oth6 {}
    match oth7 {
        def9 @ 1..=9 => oth8, Typ2(def10, (def11, &def12)) if oth9 => oth10, Err(mut def13) | Ok(def13) => oth11,
        Some(None) => oth12, oth13::Oth14 => oth15, OTH16 => oth17, Typ3 { oth18: Some(def14) } => oth19, def15 => oth20,
    }
    |(def16, Typ4(def17)), def18: Typ5| for (def19, Typ6 { def20 }) in oth21 {}
}
"#;
    assert_uses("Rust", &[UseKind::Definition, UseKind::Type, UseKind::Other], text);
}

#[test]
fn attributes_of_rust_contain_no_calls() {
    let text = r#"
#![cfg_attr(oth1(oth2), oth3)]
#[cfg(oth4(oth5, oth6 = "str1"))] #[cfg_attr(oth7(oth8), derive(Inh1, oth9::Inh2))] #[oth10::oth11(oth12(Oth13))]
struct Def1;
fn def2() { call1!(call2(call3(oth14))); }
"#;
    assert_uses("Rust", &[UseKind::Call, UseKind::Inheritance, UseKind::Other], text);
}

#[test]
fn a_type_in_a_path_of_rust_is_its_last_part_before_the_name() {
    let text = r#"
fn def1(def2: oth1::oth2::Typ1) -> oth3::oth4::oth5::Typ2<Typ3> {
    oth6::oth7::Typ4::call1(); oth8::Typ5::OTH9; Typ6::<Typ7>::call2(); oth10::oth11::call3::<Typ8>();
    crate::oth12::Typ9::Oth13; oth14::Typ10::Call4(1); oth15::oth16::call5!(); <Typ11 as oth17::Typ12>::oth18
}
"#;
    assert_uses("Rust", &[UseKind::Call, UseKind::Type, UseKind::Other], text);
}

#[test]
fn a_path_of_many_parts_takes_linear_time() {
    // The qualifiers have 10 GB of text together; reading it all would exceed the time limit of a file.
    let text = format!("fn f() {{ {}call1(); }}\n", "A::".repeat(80_000));
    let uses = read("Rust", &text).uses.expect("requested");
    let at = text.find("call1").expect("written above");
    assert_eq!(uses.at(text.as_bytes(), at, at + 5).kind, UseKind::Call);
}

#[test]
fn a_called_element_of_go_is_not_a_call() {
    let text = r#"
package p
func Def1(def2 Typ1) {
	call1[int](1); call2[Typ2, Typ3](1); call3[oth1.Typ4](1); call4[[]Typ5](1); oth2.call5[*typ6](1)
	call6[map[string]Typ7](1); call7[<-chan Typ8](1); call8[func(Typ9) Typ10](1); call9[struct{}](1)
	call10[Typ11](); call11[Typ12](1, 2); call12[Typ13[typ14]](1)
	oth3[oth4](oth5); oth6[0](1); oth7[oth8](); oth9[oth10](1, 2); oth11.oth12[oth13](1); oth14[oth15.oth16](1)
	oth17[oth18+1](1); oth19["str1"](1); oth20[oth21[oth22]](1); oth23[call13(oth24)](1); defer oth25[oth26](1)
	oth27[oth28](1).call14(1); def3 := oth29[oth30](1)
}
"#;
    assert_uses("Go", &[UseKind::Call, UseKind::Type, UseKind::Other], text);
}

#[test]
fn targets_of_range_and_receive_are_new_before_a_colon() {
    let text = r#"
package p
func Def1() {
	for set1, set2 = range oth1 {}; for def2, def3 := range oth2 {}; for oth3.set3 = range oth4 {}
	select { case def4, def5 := <-oth5: call1(); case set4 = <-oth6: call2() }
}
"#;
    assert_uses("Go", &[UseKind::Assignment, UseKind::Definition], text);
}

#[test]
fn declared_loop_variables_of_javascript_are_definitions() {
    let text = r#"
for (const def1 of oth1) {} for (let def2 in oth2) {} for (var [def3, { def4 }] of oth3) {}
for (set1 of oth4) {} for (oth5.set2 in oth6) {} for (let def5 = 0; oth7 < 1; set3++) {}
async () => { for await (const def6 of oth8) {} }
"#;
    for language in ["JavaScript", "TypeScript", "TSX"] {
        assert_uses(language, &[UseKind::Assignment, UseKind::Definition], text);
    }
}

#[test]
fn a_required_module_is_an_import() {
    let text = r#"
const def1 = call1('str1'), { def2 } = require('imp1'), def3 = require("./a/imp2.js").oth1;
oth2.require('str2'); call2(() => import('imp3')); oth3.import('str3'); unrequire('str4', 'str5');
"#;
    for language in ["JavaScript", "TypeScript", "TSX"] {
        assert_uses(language, &[UseKind::Import, UseKind::String, UseKind::Definition], text);
    }
}

#[test]
fn patterns_of_csharp_name_types_and_bind_variables() {
    let text = r#"
class Def1 {
  void def2() {
    if (oth1 is Typ1 def3) {} if (oth2 is oth3.Typ2 def4) {} if (oth4 is not Typ3) {} if (oth5 is Typ4 or Typ5) {}
    switch (oth6) {
      case Typ6 def5: break; case Typ7<Typ8> def6: break; case Typ9 { oth7: 1 } def7: break; case OTH8: break;
      case var def8: break; case var (def9, def10): break; case oth9.OTH10: break; case { } def11: break;
    }
    var def12 = oth11 switch { Typ10 def13 => 1, Typ11(var def14, Typ12 def15) => 2, _ => 0 };
    var (def16, def17) = oth12; (var def18, Typ13 def19) = oth13; call1(out var def20, out Typ14 def21);
  }
}
"#;
    assert_uses("C#", &[UseKind::Type, UseKind::Definition, UseKind::Other], text);
}

#[test]
fn patterns_of_java_bind_variables() {
    let text = r#"
class Def1 {
  void def2() {
    if (oth1 instanceof Typ1 def3 && oth2 instanceof Typ2(Typ3 def4, Typ4(var def5, Typ5 def6))) {}
    switch (oth3) { case Typ6 def7 -> call1(); case Typ7(Typ8 def8) when oth4 -> call2(); case OTH5 -> call3(); }
  }
}
"#;
    assert_uses("Java", &[UseKind::Type, UseKind::Definition, UseKind::Other], text);
}

#[test]
fn caught_errors_and_the_parameter_of_a_setter_of_kotlin_are_definitions() {
    let text = r#"
class Def1 {
    var def2: Typ1 = 1
        get() = oth1
        set(def3) { set1 = oth2 }
    fun def4() { try { call1() } catch (def5: Typ2) { call2(oth3) } }
}
"#;
    assert_uses("Kotlin", &[UseKind::Type, UseKind::Definition, UseKind::Assignment], text);
}

#[test]
fn structured_bindings_of_cpp_are_definitions() {
    let text = r#"
void def1() {
    auto [def2, def3] = oth1; const auto& [def4, def5] = call1(); for (auto&& [def6, def7] : oth2) {}
    if (auto [def8, def9] = oth3; oth4) {} [def10 = oth5] { return oth6; };
}
"#;
    assert_uses("C++", &[UseKind::Definition, UseKind::Call, UseKind::Other], text);
}

#[test]
fn captures_of_python_are_definitions() {
    let text = r#"
match oth1:
    case Typ1(def1, oth2=def2): pass
    case [def3, *def4] | (def3, *def4): pass
    case {"str1": def5, **def6}: pass
    case oth3.Typ2() as def7: pass
    case oth4.OTH5: pass
    case def8 if oth6: pass
"#;
    assert_uses("Python", &[UseKind::Definition, UseKind::Type, UseKind::Other], text);
}

#[test]
fn loop_variables_are_assigned_in_languages_that_declare_none() {
    use UseKind::Assignment;
    let text = "for set1, (set2, *set3) in oth1: pass\n[oth2 for set4 in oth3]\n";
    assert_uses("Python", &[Assignment], text);
    let text = "for set1 in oth1 do end\nfor set2, set3 in oth2 do end\n";
    assert_uses("Ruby", &[Assignment], text);
    let text = "<?php foreach ($oth1 as $set1) {} foreach ($oth2->oth3 as $set2 => $set3) {}\n\
                foreach ($oth4 as [$set4, 'str1' => $set5]) {} foreach ($oth5 as $set6 => &$set7) {}";
    assert_uses("PHP", &[Assignment], text);
    let text =
        "for set1 in oth1; do call1; done\nfor ((set2 = 0; oth2 < 9; set3++)); do call2; done\n";
    assert_uses("Bash", &[Assignment], text);
}

#[test]
fn a_superclass_of_ruby_may_have_an_index() {
    let text = r#"
class Def1 < Inh1[7.0]; end
class Def2 < Oth1::Inh2[7.0]; end
class Def3 < Call1.new(:oth2); end
class Def4 < Oth3.call2(1); end
"#;
    assert_uses("Ruby", &[UseKind::Inheritance, UseKind::Call], text);
}

#[test]
fn declarations_and_arithmetic_of_bash_define_and_assign() {
    let text = r#"
def1() {
  local def2; local def3=1 def4; declare -A def5=(); typeset -i def6; readonly def7=$oth1; declare def8[0]=1
  export set1=1 oth2; set2=2; ((set9=-1)); ((set3++)); ((--set4)); ((set5 += oth3)); ((oth4 < oth5)); let set6=1
}
"#;
    assert_uses("Bash", &[UseKind::Definition, UseKind::Assignment, UseKind::Other], text);
}
