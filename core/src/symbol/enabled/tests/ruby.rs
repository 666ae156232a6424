use super::{assert_defined, assert_enclosing, assert_outline, assert_regions, read};

#[test]
fn classes_and_their_methods() {
    let text = r##"
class Admin::User < ::User
  include Comparable
  attr_accessor :name, :email
  attr_reader 'plain'
  private attr_writer :secret
  belongs_to :company, :other
  ROLES = %i[admin user].freeze
  class << self
    attr_reader :registry
    def find(id) = registry[id]
  end
  def initialize(name:, email: nil)
    @name = name
    total = 1
  end
  def name=(value); @name = value; end
  def <=>(other) = name <=> other.name
  def [](key); end
  def valid?; true; end
  private def hidden!; end
  def self.build(*args, &block); end
  def other.single; end
  alias full_name name
  alias_method :label, :name
  alias :== :eql?
  define_method(:dynamic) { |a| a }
  define_method("named") do |b|
    x = b
  end
  define_method("#{x}_computed") { }
  object.define_method(:not_this) { }
end
"##;
    let expected = "
        Class Admin::User 2
        Field Admin::User::name 4
        Field Admin::User::email 4
        Field Admin::User::plain 5
        Field Admin::User::secret 6
        Constant Admin::User::ROLES 8
        Field Admin::User::registry 10
        Method Admin::User::find 11
        Method Admin::User::initialize 13
        Method Admin::User::name= 17
        Method Admin::User::<=> 18
        Method Admin::User::[] 19
        Method Admin::User::valid? 20
        Method Admin::User::hidden! 21
        Method Admin::User::build 22
        Method Admin::User::other::single 23
        Method Admin::User::full_name 24
        Method Admin::User::label 25
        Method Admin::User::== 26
        Method Admin::User::dynamic 27
        Method Admin::User::named 28";
    assert_outline("Ruby", text, expected);
    let around = "
        registry -> field Admin::User::registry
        = registry[id] -> def Admin::User::find
        total = 1 -> def Admin::User::initialize";
    assert_enclosing("Ruby", text, around);
}

#[test]
fn modules_constants_and_top_level_definitions() {
    let text = "
# frozen_string_literal: true
require 'set'

module Shop
  VERSION = '1.0'.freeze
  LIST, REST = 1, 2
  CACHE ||= {}
  class Error < StandardError; end
  module Inner::Deep
    def helper; def nested; end; end
    module_function
  end
  Point = Struct.new(:x, :y) do
    def dist; end
  end
  Failure = Class.new(StandardError)
  Helpers = Module.new
  def Shop.run; end
end
class << Shop
  def boot; end
end
Shop::LATE = 1
def top_level(a, b = {}, *c); end
$global = 1
local = ->(x) { x }
";
    let expected = "
        Module Shop 5
        Constant Shop::VERSION 6
        Constant Shop::LIST 7
        Constant Shop::REST 7
        Constant Shop::CACHE 8
        Class Shop::Error 9
        Module Shop::Inner::Deep 10
        Method Shop::Inner::Deep::helper 11
        Method Shop::Inner::Deep::helper::nested 11
        Class Shop::Point 14
        Method Shop::Point::dist 15
        Class Shop::Failure 17
        Module Shop::Helpers 18
        Method Shop::run 19
        Impl Shop 21
        Method Shop::boot 22
        Constant Shop::LATE 24
        Function top_level 25";
    assert_outline("Ruby", text, expected);
    let around = "
        :y) -> class Shop::Point
        .freeze -> const Shop::VERSION
        module_function -> module Shop::Inner::Deep";
    assert_enclosing("Ruby", text, around);
}

#[test]
fn the_name_of_a_symbol_or_string_begins_after_its_mark() {
    let text = "class A\n  attr_reader :name, 'plain'\n  alias :old :new\nend\n";
    let outline = read("Ruby", text).outline.expect("requested");
    let found: Vec<_> = outline.symbols().iter().map(|one| (one.name(), one.column())).collect();
    assert_eq!(found, [("A", 7), ("name", 16), ("plain", 23), ("old", 10)]);
}

#[test]
fn a_syntax_error_in_the_middle_hides_no_more_than_itself() {
    let text = "module Shop
  def before; end
end
class Store
  def open(a, ) = ; )
  end
end
class After
  def last; end
end
";
    assert_defined(
        "Ruby",
        text,
        &["Module Shop 1", "Method Shop::before 2", "Class After 8", "Method After::last 9"],
    );
}

#[test]
fn comments_and_literals() {
    assert_regions(
        "Ruby",
        r#"# com "com" #{com}
=begin
com 'com'
=end
kod = "str # str #{kod("str", :kod, kod[:"kod"])} str \" str" # com
kod = 'str #{str} \' str'; kod = %q(str (str) # str); kod = %Q[str #{kod} str]
kod = %w[str str#{str}]; kod = %W[str#{kod}str]; kod = %i[kod kod]; kod = :kod
kod(<<~EOS, 'str', <<-'RAW').kod # com
  str # str "str" #{kod "str #{kod} str"} str
EOS
  str #{str}
  RAW
kod = /kod"kod#{kod}/; kod = { kod: "str", "str": kod, 'str' => kod }
kod = `str #{kod}`; kod = "str" "str"; kod ? kod : ?s
kod = %(str "str"); kod = "str#@kod str"
"#,
    );
}
