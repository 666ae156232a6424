//! Flags of ripgrep, fd, grep and find that the verbs do not have, each with the arguments that do the same.
//!
//! The flags that the verbs do have are in the table of flags. A flag belongs in this file if people type it
//! and its nearest namesake would be a wrong tip.

/// A flag that a verb does not have.
struct Habit {
    /// Its spellings.
    flags: &'static [&'static str],
    /// The reason that it is missing, or the arguments that do the same.
    tip: &'static str,
}

const fn habit(flags: &'static [&'static str], tip: &'static str) -> Habit {
    Habit { flags, tip }
}

/// Flags of ripgrep and grep.
#[rustfmt::skip]
const SEARCH: &[Habit] = &[
    habit(&["-P", "--pcre2", "--perl-regexp", "--engine", "--auto-hybrid-regex", "--no-pcre2-unicode", "--pcre2-version"], "look-around and back-references need PCRE2, which is not built in; the regex syntax is that of Rust, and -v or a second search often does the same"),
    habit(&["-z", "--search-zip", "--pre", "--pre-glob", "--decompress"], "compressed files are not read; type zcat FILE | grep PATTERN, or unpack them first"),
    habit(&["-a", "--text", "--binary"], "binary files are not searched; type grep -a PATTERN FILE for one of them"),
    habit(&["-r", "--replace"], "directories are searched without it; lines are printed as they are, so type | sed to replace text"),
    habit(&["--passthru", "--passthrough"], "type -e PATTERN -e ^ to print all lines"),
    habit(&["-R", "--recursive", "--dereference-recursive"], "directories are searched without a flag; -L follows links inside the root"),
    habit(&["-b", "--byte-offset"], "type --column for the place in the line; the offsets in the file are in --json"),
    habit(&["-f", "--file"], "type -e PATTERN for each pattern"),
    habit(&["-T", "--type-not"], "type -g '!*.EXT' to leave out files by name; --type-list prints the globs of each type"),
    habit(&["--type-add", "--type-clear"], "type -g GLOB, once for each glob"),
    habit(&["--include"], "type -g GLOB"),
    habit(&["--exclude", "--exclude-dir"], "type -g '!GLOB'"),
    habit(&["--glob-case-insensitive"], "type --iglob GLOB in place of -g GLOB"),
    habit(&["--files-without-match"], "type --files for all files and -l for those that match; comm -23 compares both lists"),
    habit(&["--include-zero"], "type --files for the files, and -c for those that match"),
    habit(&["--max-filesize"], "files of any size are searched; searchscope call search takes file_bytes_max"),
    habit(&["--ignore-file", "--ignore-file-case-insensitive", "--no-ignore-files"], "type --deny GLOB or -g '!GLOB' in place of a further ignore file"),
    habit(&["--no-ignore-vcs", "--no-ignore-parent", "--no-ignore-dot", "--no-ignore-global", "--no-ignore-exclude"], "type --no-ignore, which switches off all ignore files"),
    habit(&["--no-require-git"], ".gitignore counts outside of git repositories too; --require-git changes that"),
    habit(&["--no-hidden", "--ignore"], "it is the default; leave out --hidden, --no-ignore or -u"),
    habit(&["--one-file-system"], "type PATHs in place of the root"),
    habit(&["--crlf"], "lines that end with CRLF are printed without the CR; \\r?$ matches their end"),
    habit(&["--null-data"], "lines end with a line feed; (?s) and -U search across lines"),
    habit(&["--multiline-dotall"], "type (?s) at the beginning of the pattern, with -U"),
    habit(&["--no-unicode"], "type (?-u) at the beginning of the pattern"),
    habit(&["--no-messages", "--no-ignore-messages"], "type 2>/dev/null"),
    habit(&["--line-buffered", "--block-buffered"], "results are printed within 20 ms; leave it out"),
    habit(&["--mmap", "--no-mmap", "--no-config", "--dfa-size-limit", "--regex-size-limit"], "there is nothing like it to set; leave it out"),
    habit(&["--max-columns-preview"], "on a terminal long lines are cut around their match without a flag"),
    habit(&["--colors", "--hyperlink-format", "--hostname-bin"], "colors and links are fixed; --color never prints neither"),
    habit(&["--context-separator", "--no-context-separator", "--field-context-separator", "--field-match-separator", "--path-separator"], "the separators are fixed; --json is for programs"),
    habit(&["--stop-on-nonmatch"], "type -m NUM to stop after NUM lines of each file"),
    habit(&["--sort-files"], "files are sorted by path without a flag"),
    habit(&["--debug", "--trace"], "type --stats for numbers; --pretty prints what was skipped and why"),
    habit(&["--generate"], "type searchscope completions SHELL or searchscope man"),
    habit(&["--no-follow", "--no-multiline", "--no-fixed-strings", "--no-invert-match", "--no-trim", "--no-stats", "--no-json", "--no-text"], "it is the default; leave it out"),
];

/// Flags of fd, and the first letters of those of find, which are read one letter at a time.
#[rustfmt::skip]
const FIND: &[Habit] = &[
    habit(&["-x", "--exec", "-X", "--exec-batch", "--batch-size"], "no program is started; type searchscope find -0 ... | xargs -0 COMMAND"),
    habit(&["-a", "--absolute-path"], "type the absolute path of a directory as PATH"),
    habit(&["-c"], "type --color WHEN"),
    habit(&["-o", "--owner"], "owners are not read; type | xargs -0 stat after find -0"),
    habit(&["-q", "--quiet", "--has-results"], "type -1 >/dev/null; the exit status is 0 if something was found"),
    habit(&["-r", "--regex"], "PATTERN is a regex without a flag"),
    habit(&["--exact"], "type -F, or -g and the whole name"),
    habit(&["--and"], "type one regex, as in 'one.*two'"),
    habit(&["--min-depth", "--exact-depth", "--prune"], "--max-depth NUM is the only bound of the depth"),
    habit(&["--format"], "type --json for programs, -l for kind, size and time"),
    habit(&["-C", "--base-directory", "--search-path"], "type the directory as PATH, after PATTERN"),
    habit(&["--changed-after", "--newer", "--change-newer-than"], "type --changed-within TIME"),
    habit(&["--older", "--change-older-than"], "type --changed-before TIME"),
    habit(&["--no-ignore-vcs", "--no-ignore-parent", "--no-global-ignore-file"], "type -I, which switches off all ignore files"),
    habit(&["--no-require-git"], ".gitignore counts outside of git repositories too; --require-git changes that"),
    habit(&["--no-hidden", "--ignore", "--no-follow"], "it is the default; leave it out"),
    habit(&["--ignore-file", "--ignore-contain"], "type -E GLOB for each line of the file"),
    habit(&["--one-file-system", "--mount", "--xdev"], "type PATHs in place of the root"),
    habit(&["--path-separator", "--strip-cwd-prefix", "--show-errors", "--hyperlink"], "there is nothing like it to set; leave it out"),
    habit(&["-n", "--name", "--iname"], "type the name as PATTERN, and -g for a glob: searchscope find -g '*.rs' PATH"),
    habit(&["-m"], "type --max-depth NUM for -maxdepth, --changed-within TIME for -mtime"),
];

/// Returns a message for a flag that `verb` does not have, if people know it from another program.
pub(crate) fn refusal(verb: &str, flag: &str) -> Option<String> {
    let (verb, habits) = match verb {
        "search" | "s" => ("search", SEARCH),
        "find" | "f" => ("find", FIND),
        _ => return None,
    };
    let habit = habits.iter().find(|habit| habit.flags.contains(&flag))?;
    Some(format!("'{verb}' has no {flag}: {}", habit.tip))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::command;

    #[test]
    fn a_flag_is_in_one_table() {
        let command = command();
        for (verb, habits) in [("search", SEARCH), ("find", FIND)] {
            let command = command.find_subcommand(verb).unwrap();
            let mut seen = Vec::new();
            for flag in habits.iter().flat_map(|habit| habit.flags).copied() {
                assert!(!seen.contains(&flag), "{verb} {flag} is there twice");
                seen.push(flag);
                let is_flag = command.get_arguments().any(|arg| {
                    let long = arg.get_long_and_visible_aliases().unwrap_or_default();
                    long.iter().any(|long| flag == format!("--{long}"))
                        || arg.get_short().is_some_and(|short| flag == format!("-{short}"))
                });
                assert!(!is_flag, "{verb} has {flag}");
            }
        }
    }

    #[test]
    fn tips_name_flags_that_exist() {
        let command = command();
        for (verb, habits) in [("search", SEARCH), ("find", FIND)] {
            let command = command.find_subcommand(verb).unwrap();
            let words = habits.iter().flat_map(|habit| habit.tip.split([' ', ',', ';', '\'']));
            for word in words.filter_map(|word| word.strip_prefix("--")) {
                let mut arguments = command.get_arguments();
                let is_flag = arguments.any(|arg| arg.get_long() == Some(word));
                assert!(is_flag || word == "help", "a tip of {verb} names --{word}");
            }
        }
    }
}
