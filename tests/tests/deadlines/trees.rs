//! Trees for the calls: texts, sources, documents, manifests and directories that are slow to read.

use searchscope::Workspace;
use searchscope_tests::tree::Tree;
use searchscope_tools::open_workspace;

/// Indexes of the trees in the lists.
pub(crate) const TEXTS: usize = 0;
pub(crate) const FILES: usize = 1;
pub(crate) const SOURCES: usize = 2;
pub(crate) const DOCUMENTS: usize = 3;
pub(crate) const MANIFESTS: usize = 4;
pub(crate) const IDE: usize = 5;
pub(crate) const LARGE: usize = 6;

pub(crate) struct Trees(Vec<Tree>);

impl Trees {
    pub(crate) fn build() -> Trees {
        Trees(vec![texts(), files(), sources(), documents(), manifests(), ide(), large()])
    }

    pub(crate) fn open(&self) -> Vec<Workspace> {
        let open = |tree: &Tree| {
            open_workspace(tree.root(), b"{\"threads\": 2}").expect("the tree is there")
        };
        self.0.iter().map(open).collect()
    }
}

/// Builds files of a megabyte, each with another reason for a slow search.
fn texts() -> Tree {
    const MIB: usize = 1 << 20;
    let tree = Tree::empty();
    let fill = |part: &str| part.repeat(MIB / part.len());
    tree.write("one_line.txt", fill("ab"));
    tree.write("spaces.txt", fill(" "));
    tree.write("short_lines.txt", fill("abababab\n"));
    tree.write("candidates.txt", fill("hit aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n"));
    tree.write("empty_lines.txt", fill("\n"));
    tree.write("words.txt", fill("été Straße ÉTÉ naïve hit 日本語 \n"));
    tree.write("long_word.txt", fill("é日"));
    tree.write("binary_late.txt", [fill("ab hit ab\n").as_bytes(), b"\0"].concat());
    tree.write("not_utf8.txt", [b"\xff".as_slice(), fill("ab\u{fc}").as_bytes()].concat());
    let wide = fill("abab hit ab\n");
    let units = std::iter::once(0xfeff).chain(wide.encode_utf16());
    tree.write("utf16.txt", units.flat_map(u16::to_le_bytes).collect::<Vec<u8>>());
    let long_lines = format!("{}\n", "ab".repeat(40_000));
    tree.write("long_lines.txt", long_lines.repeat(13));
    tree
}

/// Builds texts of the maximum size for a search across lines. Each line has the letter that most
/// patterns require, so that a prefilter for this letter does not help them.
fn large() -> Tree {
    const BYTES: usize = 16_000_000;
    let tree = Tree::empty();
    let fill = |part: &str| part.repeat(BYTES / part.len());
    tree.write("words.txt", fill("z été Straße ÉTÉ naïve hit 日本語 \n"));
    tree.write("lines.txt", fill("z abababab ab ab\n"));
    tree.write("long_lines.txt", fill(&format!("z{}\n", "ab".repeat(40_000))));
    tree.write(
        "not_utf8.txt",
        [b"\xff".as_slice(), fill("z ab\u{fc} aba ab\n").as_bytes()].concat(),
    );
    tree
}

/// Builds many small files: in one directory, and in many nested and adjacent ones.
fn files() -> Tree {
    let tree = Tree::empty();
    for n in 0..10_000 {
        tree.write(&format!("flat/file{n}.txt"), "");
    }
    for n in 0..4_000 {
        tree.write(&format!("wide/d{}/e{}/f{n}.txt", n % 40, n % 400), "a hit\nand none\n");
    }
    let mut path = String::from("deep");
    for n in 0..200 {
        path.push_str("/d");
        tree.write(&format!("{path}/f{n}.md"), "hit\n");
    }
    let hard = format!("{}\n{}\n", "*a".repeat(400), "[a-z]*".repeat(100));
    tree.write("wide/.gitignore", hard.repeat(60));
    tree.write("flat/.gitignore", hard.repeat(60));
    tree
}

/// Builds sources that are ambiguous to parsers throughout, each with the name to search for.
fn sources() -> Tree {
    let tree = Tree::empty();
    let parts =
        [":!", "<a=", "\"/*", "if x:\n  ", "a<", "(a)", "a ? ", "{", "(", "[", "x::y<", "#if 1\n"];
    for extension in
        ["c", "cpp", "js", "ts", "tsx", "java", "rs", "py", "go", "cs", "kt", "rb", "php", "sh"]
    {
        let start = if extension == "php" { "<?php\n" } else { "" };
        for (n, part) in parts.iter().enumerate() {
            let text = format!("{start}hit_name\n{}", part.repeat(40_000 / part.len()));
            tree.write(&format!("{extension}/f{n}.{extension}"), text);
        }
        let ordinary = "int hit_name(int a) { return a; }\n".repeat(8_000);
        tree.write(&format!("{extension}/long.{extension}"), format!("{start}{ordinary}"));
    }
    tree
}

/// Builds documents: large ones, many, and ones in which all or nearly no text matches.
fn documents() -> Tree {
    const MIB: usize = 1 << 20;
    let tree = Tree::empty();
    let fill = |part: &str| part.repeat(MIB / part.len());
    tree.write("all.md", fill("hit "));
    tree.write("nearly.md", fill("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"));
    tree.write("dotted.md", fill("İıİı"));
    tree.write("lines.md", fill("aa hit\n"));
    tree.write("front.md", format!("---\n{}---\nhit\n", fill("key: value\n")));
    tree.write("brackets.md", fill("- [ ] [[[[hit]]]] "));
    for n in 0..2_000 {
        tree.write(&format!("d{}/e{}/f{n}.md", n % 50, n % 500), "# Title\n\na hit\n");
    }
    tree
}

/// Builds manifests of every build tool, at the limits of size and nesting.
fn manifests() -> Tree {
    let tree = Tree::empty();
    let toml_tables: String = (0..9_000).map(|n| format!("[a.b{n}.c.d]\ne = {n}\n")).collect();
    tree.write("a/Cargo.toml", format!("[package]\nname = \"a\"\n{toml_tables}"));
    let dotted: String = (0..1_200).map(|n| format!("{}x{n} = 1\n", "a.".repeat(70))).collect();
    tree.write("b/Cargo.toml", &dotted);
    tree.write("c/Cargo.toml", format!("a = {}{}", "[".repeat(100_000), "]".repeat(100_000)));
    let inline: String = (0..20_000).map(|n| format!("k{n}={{a=1}}\n")).collect();
    tree.write("d/pyproject.toml", inline);
    let members: String = (0..60).map(|n| format!("\"*{n}/*a*/**\",")).collect();
    tree.write("e/Cargo.toml", format!("[workspace]\nmembers = [{members}]\n"));
    for n in 0..300 {
        tree.write(&format!("e/x{n}/y/Cargo.toml"), "[package]\nname = \"x\"\n");
    }
    let json: String = (0..40_000).map(|n| format!("\"p{n}\":\"1\",")).collect();
    tree.write(
        "f/package.json",
        format!("{{\"name\":\"f\",\"dependencies\":{{{json}\"z\":\"1\"}}}}"),
    );
    tree.write("g/package.json", format!("{}1{}", "[".repeat(500_000), "]".repeat(500_000)));
    let lists = format!("[{}0]", "[],".repeat(330_000));
    tree.write("h/package.json", format!("{{\"name\":\"h\",\"x\":{lists}}}"));
    let xml: String = (0..20_000).map(|n| format!("<module>m{n}</module>")).collect();
    tree.write(
        "i/pom.xml",
        format!("<project><artifactId>i</artifactId><modules>{xml}</modules></project>"),
    );
    tree.write("j/pom.xml", "<a>".repeat(300_000));
    tree.write("k/pom.xml", format!("<project {}/>", "a=\"b\" ".repeat(150_000)));
    let includes: String = (0..30_000).map(|n| format!("include ':m{n}'\n")).collect();
    tree.write("l/settings.gradle", includes);
    tree.write("m/build.gradle", "{".repeat(1_000_000));
    tree.write("n/build.gradle.kts", "sourceSets { main { java.srcDir(\"x\") } }\n".repeat(20_000));
    tree.write("t/build.gradle.kts", format!("api({})", "projects.".repeat(116_000)));
    tree.write(
        "u/build.gradle.kts",
        format!("api(project(\":a\"))\n{}", "x(project(\":b\"))".repeat(60_000)),
    );
    tree.write(
        "v/build.gradle",
        format!("api project(':a'){}{}", ")".repeat(60_000), " y project(':b')".repeat(20_000)),
    );
    tree.write("w/build.gradle", format!("sourceSets.main.java.{}", "srcDir(".repeat(149_000)));
    let projects = (0..90_000).map(|n| format!("':a{n}'")).collect::<Vec<_>>().join(",");
    tree.write("x/settings.gradle", format!("include {projects}"));
    let roots: String = (0..9_000).map(|n| format!("\"N{n}\\\\\":[\"s{n}\"],")).collect();
    tree.write("y/composer.json", format!("{{\"autoload\":{{\"psr-4\":{{{roots}\"Z\":\"z\"}}}}}}"));
    let listed: String = (0..20_000)
        .map(|n| format!("Project(\"{{F}}\") = \"p\", \"p{n}\\p{n}.csproj\", \"{{1}}\"\n"))
        .collect();
    tree.write("z/all.sln", listed);
    let references = "<ProjectReference Include=\"b.csproj\"/>".repeat(90_000);
    tree.write("z/a.csproj", format!("<Project><ItemGroup>{references}</ItemGroup></Project>"));
    tree.write("z/setup.py", format!("setup({}", "name=x,".repeat(140_000)));
    tree.write("o/go.mod", "require a.b/c v1.0.0\n".repeat(40_000));
    tree.write("p/go.work", "use ./x\n".repeat(100_000));
    tree.write("q/pnpm-workspace.yaml", format!("packages:\n{}", "  - 'a/**'\n".repeat(80_000)));
    tree.write("r/pnpm-workspace.yaml", format!("a: {}", "[".repeat(900_000)));
    tree.write("s/pyproject.toml", format!("a = \"\"\"{}\"\"\"", "\\u0041".repeat(40_000)));
    tree
}

/// Builds the files of an IDE, with thousands of modules, folders and scopes.
fn ide() -> Tree {
    let tree = Tree::empty();
    let modules: String = (0..1_500)
        .map(|n| format!("<module fileurl=\"file://$PROJECT_DIR$/m{n}.iml\" group=\"a/b\"/>"))
        .collect();
    let list = format!(
        "<project><component name=\"ProjectModuleManager\"><modules>{modules}</modules></component></project>"
    );
    tree.write(".idea/modules.xml", list);
    let folders: String = (0..4_000)
        .map(|n| format!("<sourceFolder url=\"file://$MODULE_DIR$/s{n}\" isTestSource=\"true\"/>"))
        .collect();
    for n in 0..1_500 {
        let inner =
            if n < 20 { folders.as_str() } else { "<sourceFolder url=\"file://$MODULE_DIR$/s\"/>" };
        let iml = format!(
            "<module><component name=\"NewModuleRootManager\"><content url=\"file://$MODULE_DIR$\">{inner}\
             </content><orderEntry type=\"module\" module-name=\"m{}\" exported=\"\"/></component></module>",
            (n + 1) % 1_500
        );
        tree.write(&format!("m{n}.iml"), iml);
    }
    for n in 0..300 {
        // Each scope refers to the next one, except the last: a cycle would be refused if time allows.
        let next = if n < 299 { format!("&amp;&amp;!$s{}", n + 1) } else { String::new() };
        let pattern = format!("(file:a*b*c{n}//*||file:*{}*/x){next}", "a*".repeat(100));
        let scope = format!(
            "<component name=\"DependencyValidationManager\"><scope name=\"s{n}\" pattern=\"{pattern}\"/></component>"
        );
        tree.write(&format!(".idea/scopes/s{n}.xml"), scope);
    }
    for n in 0..2_000 {
        tree.write(&format!("s/d{}/{}{n}.txt", n % 50, "a".repeat(60)), "hit\n");
    }
    tree
}
