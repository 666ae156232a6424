//! What the lines with a name do with it.

use super::super::subject::is_read_from_environment;

#[test]
fn the_environment_is_read_in_many_ways() {
    for (is_read, line) in [
        (true, "os.environ.get(\"APP\")"),
        (true, "os.environ['APP']"),
        (true, "ENV.fetch(\"APP\", 5)"),
        (true, "ENV[\"APP\"]"),
        (true, "std::env::var(\"APP\")"),
        (true, "env::var_os(\"APP\")"),
        (true, "option_env!(\"APP\")"),
        (true, "process.env.APP"),
        (true, "Deno.env.get('APP')"),
        (true, "os.LookupEnv(\"APP\")"),
        (true, "System.getenv().get(\"APP\")"),
        (true, "Environment.GetEnvironmentVariable(\"APP\")"),
        (true, "$env:APP"),
        (false, "var APP = 1"),
        (false, "ENV[\"APP_MAX\"]"),
        (false, "the environment has APP"),
    ] {
        assert_eq!(is_read_from_environment(line, "APP"), is_read, "{line}");
    }
}
