//! PHP, .NET, Ruby, and Python with `setup.py`.

use super::{assert_found, found};

#[test]
fn composer_autoloads() {
    let json = r#"{"name": "acme/shop",
        "autoload": {"psr-4": {"Acme\\Shop\\": ["src/", "gone"], "": "lib"}, "files": ["functions.php"],
                     "psr-0": {"Old_": "old"}, "classmap": ["../outside"]},
        "autoload-dev": {"psr-4": {"Acme\\Tests\\": "tests/unit"}}}"#;
    assert_found(
        &found(&[
            ("composer.json", json),
            ("src/A.php", ""),
            ("lib/B.php", ""),
            ("old/Old/C.php", ""),
            ("functions.php", ""),
            ("tests/unit/ATest.php", ""),
            ("vendor/x/y/Z.php", ""),
            ("bare/composer.json", "{}"),
            ("bare/src/D.php", ""),
            ("bare/tests/DTest.php", ""),
        ]),
        &[
            "acme/shop .: +functions.php +lib +old +src of Acme.Shop -tests/unit of Acme.Tests -tests \
             ~vendor (Php)",
            "bare bare: +bare/src -bare/tests (Php)",
            "! composer.json: '../outside' is outside the root, and not followed",
        ],
    );
}

#[test]
fn dotnet_projects() {
    let project = |items: &str| format!("<Project Sdk=\"Microsoft.NET.Sdk\">{items}</Project>");
    let group = |item: &str| project(&format!("<ItemGroup>{item}</ItemGroup>"));
    let marked = "<PropertyGroup><IsTestProject>True</IsTestProject></PropertyGroup>";
    assert_found(
        &found(&[
            (
                "Shop.sln",
                "Project(\"{F}\") = \"Far\", \"src\\a\\b\\c\\Far\\Far.csproj\", \"{1}\"\r\nEndProject\n\
                 Project(\"{F}\") = \"Shop\", \"src\\Shop\\Shop.csproj\", \"{2}\"\r\n\
                 Project(\"{F}\") = \"Gone\", \"gone\\Gone.csproj\", \"{3}\"\r\n\
                 Project(\"{F}\") = \"out\", \"..\\out\\Out.csproj\", \"{4}\"\r\n\
                 Project(\"{F}\") = \"docs\", \"docs\", \"{5}\"\r\n"
                    .to_owned(),
            ),
            ("src/a/b/c/Far/Far.csproj", project("")),
            ("src/a/b/c/Further/Further.csproj", project("")),
            ("src/a/b/c/Unnamed/Unnamed.csproj", project("")),
            (
                "src/Other.slnx",
                "<Solution><Folder Name=\"/x/\">\
                 <Project Path=\"a/b/c/Further/Further.csproj\"/></Folder></Solution>"
                    .to_owned(),
            ),
            ("src/Shop/Shop.csproj", project("")),
            ("src/Shop/obj/x.cs", String::new()),
            (
                "test/Shop.Tests/Shop.Tests.csproj",
                group(
                    "<PackageReference Include=\"xunit.v3\"/>\
                     <ProjectReference Include=\"..\\..\\src\\Shop\\Shop.csproj\"/>",
                ),
            ),
            ("test/Marked/Marked.fsproj", project(marked)),
            ("test/Tool/Tool.vbproj", group("<PackageReference Include=\"Serilog\"/>")),
            ("broken/Broken.csproj", "<Project>".to_owned()),
        ]),
        &[
            "Far src/a/b/c/Far: +src/a/b/c/Far",
            "Further src/a/b/c/Further: +src/a/b/c/Further",
            "Marked test/Marked: -test/Marked",
            "Shop src/Shop: +src/Shop ~src/Shop/obj",
            "Shop.Tests test/Shop.Tests: -test/Shop.Tests > Shop exported",
            "Tool test/Tool: +test/Tool",
            "! broken/Broken.csproj: invalid XML: the element 'Project' is not closed, at byte 9",
        ],
    );
}

#[test]
fn ruby_layouts() {
    assert_found(
        &found(&[
            ("gem/my-gem.gemspec", ""),
            ("gem/lib/my.rb", ""),
            ("gem/exe/my", ""),
            ("gem/spec/my_spec.rb", ""),
            ("rails/Gemfile", ""),
            ("rails/Rakefile", ""),
            ("rails/app/models/a.rb", ""),
            ("rails/test/a_test.rb", ""),
            ("other/Gemfile", ""),
            ("other/lib/x.c", ""),
        ]),
        &["my-gem gem: +gem/exe +gem/lib -gem/spec", "rails rails: +rails/app -rails/test"],
    );
}

#[test]
fn python_projects_without_a_name_in_pyproject() {
    assert_found(
        &found(&[
            ("a/setup.py", "setup(name='first')"),
            ("a/src/first/__init__.py", ""),
            ("a/tests/test_a.py", ""),
            ("b/setup.cfg", "[metadata]\nname = second\n"),
            ("b/pyproject.toml", "[build-system]\nrequires = []\n"),
            ("c/setup.cfg", "[flake8]\n"),
            ("d/setup.py", "setup(name=NAME)"),
            ("e/pyproject.toml", "[project]\nname = \"fifth\"\n"),
            ("e/setup.py", "setup(name='other')"),
        ]),
        &[
            "d d: +d (Python)",
            "fifth e: +e (Python)",
            "first a: +a/src -a/tests (Python)",
            "second b: +b (Python)",
        ],
    );
}
