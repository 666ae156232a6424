use super::{assert_defined, assert_enclosing, assert_outline, assert_regions};

#[test]
fn functions_and_variables() {
    let text = r#"#!/usr/bin/env bash
set -euo pipefail
readonly VERSION="1.0"
declare -r LIMIT=10
declare -rA FIXED=([a]=1)
declare -A MAP
declare -i count=0
export PATH="$PATH:/x" EDITOR
export LANG=C
name=value
name+=more
array=(1 2 3)
array[3]=4
LC_ALL=C sort file
: "${DEFAULT:=x}"
if [ -z "$name" ]; then fallback=1; elif true; then second=2; else third=3; fi
case $1 in -v) verbose=1 ;; *) usage; exit 1 ;; esac
[[ -n $x ]] && chained=1
for item in a b; do looped=1; done
while read -r line; do n=$((n + 1)); done < file
(subshell=1)
main() {
  local inner=1
  outer=2
  declare -g GLOBAL=3
  nested() { :; }
}
function with_keyword { echo; }
function both_forms() ( echo )
my-func.name:x () { :; }
cat <<EOF
not() { }
EOF
alias ll='ls -l'
trap 'cleanup=1' EXIT
one=1 two=2
"#;
    let expected = "
        Constant VERSION 3
        Constant LIMIT 4
        Constant FIXED 5
        Variable MAP 6
        Variable count 7
        Variable PATH 8
        Variable LANG 9
        Variable name 10
        Variable array 12
        Variable fallback 16
        Variable second 16
        Variable third 16
        Variable verbose 17
        Variable chained 18
        Function main 22
        Function main::nested 26
        Function with_keyword 28
        Function both_forms 29
        Function my-func.name:x 30
        Variable one 36
        Variable two 36";
    assert_outline("Bash", text, expected);
    let around = "
        1.0 -> const VERSION
        outer=2 -> function main
        :; } -> function main::nested
        echo; } -> function with_keyword
        usage; -> -";
    assert_enclosing("Bash", text, around);
}

#[test]
fn a_syntax_error_in_the_middle_hides_no_more_than_itself() {
    let text = r#"before() { :; }
if [ -z "$x" ]; done fi
after() {
  echo
}
last=1
"#;
    assert_defined("Bash", text, &["Function before 1", "Function after 3", "Variable last 6"]);
}

#[test]
fn comments_and_literals() {
    assert_regions(
        "Bash",
        r#"#!/bin/sh com
# com "com" 'com'
kod "str # str $kod str ${kod:-"str"} str $(kod "str" 'str' kod) str `kod` str" # com
kod 'str $str "str" # str' kod#kod ${#kod} $'str \'str # str' $"str $kod"
kod $((kod + 1)) "str $((kod + 1)) str" kod\"kod
cat <<EOF | kod "str"
str "str" # str $kod str ${kod} str $(kod "str") str
EOF
cat <<'EOF'
str $str $(str) # str
EOF
cat <<-EOF >kod # com
	str 'str' $kod
	EOF
kod <<< "str $kod"; [[ $kod =~ ^kod ]] && kod='str' # com
case "$kod" in "str") kod ;; esac
"#,
    );
}
