use super::{assert_defined, assert_enclosing, assert_outline, assert_regions};

#[test]
fn constants_interfaces_and_classes() {
    let text = r#"<?php
declare(strict_types=1);
namespace App\Service;

use App\Model\{User, Role as R};
use function strlen;

const LIMIT = 10, OTHER = 'x';
define('APP_ROOT', __DIR__);
define("APP_" . 'DYNAMIC', 1);

interface HasName extends Named { const PREFIX = 'n'; public function name(): string; }
#[Entity]
abstract class Base implements HasName
{
    use Loggable, Cached { log as protected traceLog; }
    public const A = 1, B = 2;
    final protected const string TYPED = 'x';
    private ?User $user = null;
    protected static array $all = [], $none;
    var $old;
    public function __construct(private readonly Db $db, protected int &$count = 0, string $plain = '') { $local = 1; }
    abstract protected function load(int $id): ?User;
    public static function &make(): static { function nested() {} return new class extends Base { private $x; function inner() {} }; }
    public string $full { get => $this->first; set { $this->first = $value; } }
}"#;
    let expected = r"
        Constant App\Service\LIMIT 8
        Constant App\Service\OTHER 8
        Constant App\Service\APP_ROOT 9
        Interface App\Service\HasName 12
        Constant App\Service\HasName\PREFIX 12
        Method App\Service\HasName\name 12
        Class App\Service\Base 14
        Constant App\Service\Base\A 17
        Constant App\Service\Base\B 17
        Constant App\Service\Base\TYPED 18
        Field App\Service\Base\user 19
        Field App\Service\Base\all 20
        Field App\Service\Base\none 20
        Field App\Service\Base\old 21
        Method App\Service\Base\__construct 22
        Field App\Service\Base\db 22
        Field App\Service\Base\count 22
        Method App\Service\Base\load 23
        Method App\Service\Base\make 24
        Function App\Service\Base\make\nested 24
        Field App\Service\Base\x 24
        Method App\Service\Base\make\inner 24
        Field App\Service\Base\full 25";
    assert_outline("PHP", text, expected);
    let around = r"
        Entity -> class Base
        $local -> method Base\__construct
        function inner -> method Base\make\inner
        declare -> -";
    assert_enclosing("PHP", text, around);
}

#[test]
fn traits_enums_and_top_level_definitions() {
    let text = "<?php
trait Loggable { private $log = []; public function log(string $m): void { static $n = 0; } }
enum Suit: string implements HasColor { case Hearts = 'H'; case Spades = 'S'; const Wild = self::Spades; public function color(): string { return match($this) { default => 'x' }; } }
function helper(array $rows = []) { foreach ($rows as $row) { $x = fn($y) => $y; } }
$config = ['debug' => true];
$handler = function (Request $r) use ($config) { $hidden = 1; };
?>
<p>class NotOne { function no() {} }</p>
<?php if ($config): ?><b>x</b><?php endif;
";
    let expected = r"
        Trait Loggable 2
        Field Loggable\log 2
        Method Loggable\log 2
        Enum Suit 3
        EnumMember Suit\Hearts 3
        EnumMember Suit\Spades 3
        Constant Suit\Wild 3
        Method Suit\color 3
        Function helper 4
        Variable config 5
        Variable handler 6";
    assert_outline("PHP", text, expected);
    let around = r"
        'H' -> enum member Suit\Hearts
        fn($y) -> function helper
        NotOne -> -";
    assert_enclosing("PHP", text, around);
}

#[test]
fn namespaces_with_a_body() {
    let text = r"<?php
namespace First\Part { class One { function go() {} } function two() {} }
namespace { class Root {} }
";
    let expected = r"
        Module First\Part 2
        Class First\Part\One 2
        Method First\Part\One\go 2
        Function First\Part\two 2
        Class Root 3";
    assert_outline("PHP", text, expected);
}

#[test]
fn a_syntax_error_in_the_middle_hides_no_more_than_itself() {
    let text = "<?php
function before() {}
class Store {
  function open() {}
  function close() { if ( ; }
}
function after() {}
interface Last {}
";
    assert_defined(
        "PHP",
        text,
        &["Function before 2", "Method Store\\open 4", "Function after 7", "Interface Last 8"],
    );
}

#[test]
fn comments_and_literals() {
    assert_regions(
        "PHP",
        r#"<h1 title="kod">it's kod // kod <?= $kod . 'str' ?> kod # kod /* kod</h1>
<?php // com "com" ?> kod's
<?php
# com 'com'
/* com */ /** com $com */ #[Kod("str")]
$kod = 'str // str \' $str {$str}' . "str # str $kod str {$kod->kod('str')} str \$str \" str";
$kod = "str $kod[kod] str $kod->kod str ${kod} str {$kod["str"]} str";
$kod = <<<EOT
 str "str" // str $kod str {$kod->kod("str" . $kod)} str
 EOT . kod;
$kod = <<<'EOT'
str $str {$str} 'str'
EOT;
$kod = `str $kod str`; $kod = ["str" => kod::class]; // com
?>
<p>kod "kod" /* kod</p>
"#,
    );
}
