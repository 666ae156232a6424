//! `pyproject.toml` and virtual environments.

use super::{assert_found, found};

#[test]
fn projects_of_a_workspace() {
    let root = "[project]\nname = \"Top_Level\"\ndependencies = [\"Lib.One[x] >= 1\", \"requests\"]\n\
                [project.optional-dependencies]\nmore = [\"poet\"]\n\
                [dependency-groups]\ndev = [\"two\", {include-group = \"x\"}]\n\
                [tool.uv.workspace]\nmembers = [\"packages/**\"]\nexclude = [\"packages/*/x/y/z/no\"]\n";
    let poet = "[tool.poetry]\nname = \"poet\"\n[tool.poetry.dependencies]\npython = \"^3\"\n\
                there = { path = \"../packages/one\" }\n\
                [tool.poetry.group.check.dependencies]\nTop-level = \"*\"\n";
    let named = |name: &str| format!("[project]\nname = \"{name}\"\n");
    assert_found(
        &found(&[
            ("pyproject.toml", root),
            ("src/top/a.py", ""),
            ("tests/test_a.py", ""),
            (".venv/pyvenv.cfg", ""),
            (".venv/lib/python3.12/site-packages/requests/api.py", ""),
            (".venv/lib/other/site-packages/x", ""),
            ("env/no_environment", ""),
            ("packages/one/pyproject.toml", &named("lib-one")),
            ("packages/one/a.py", ""),
            ("packages/one/test/test_a.py", ""),
            ("packages/one/venv/pyvenv.cfg", ""),
            ("packages/one/venv/Lib/site-packages/six.py", ""),
            ("packages/a/x/y/z/two/pyproject.toml", &named("two")),
            ("packages/a/x/y/z/no/pyproject.toml", &named("no")),
            ("poet/pyproject.toml", poet),
            ("tools/pyproject.toml", "[tool.black]\nline-length = 100\n"),
        ]),
        &[
            "Top_Level .: +src -tests ~.venv (Python) > lib-one exported, poet exported, two test, \
             <Entries .venv/lib/python3.12/site-packages> exported",
            "lib-one packages/one: +packages/one -packages/one/test ~packages/one/venv (Python) > \
             <Entries packages/one/venv/Lib/site-packages> exported",
            "poet poet: +poet (Python) > lib-one exported, Top_Level test, \
             <Entries .venv/lib/python3.12/site-packages> exported",
            "two packages/a/x/y/z/two: +packages/a/x/y/z/two (Python) > \
             <Entries .venv/lib/python3.12/site-packages> exported",
            "library Entries: .venv/lib/python3.12/site-packages / ",
            "library Entries: packages/one/venv/Lib/site-packages / ",
        ],
    );
}
