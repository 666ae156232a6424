//! Opening a workspace with its options as JSON.

use crate::arguments::json_type::JsonType;
use crate::arguments::limits::ARGS_BYTES_MAX;
use crate::arguments::{self, json, schema};
use schemars::JsonSchema;
use searchscope::toolkit::ErrorExt;
use searchscope::{Error, ErrorKind, IndexMode, Result, Workspace, WorkspaceOptions};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// Opens a workspace with its options as a JSON object; empty bytes mean none.
///
/// The object may contain `threads`, `deny`, `deny_secrets`, `require_git`, `output_dir`,
/// `reply_bytes_max`, `args_bytes_max`, `docs_root`, `excludes`, `doc_suffixes`,
/// `front_matter_hyphens_min`, `git_dir_outside_root`, `index` and `memory_bytes_max`, as in
/// [`WorkspaceOptions`].
///
/// # Errors
///
/// Those of [`Workspace::open`], and `invalid_param` for unknown options and invalid values.
pub fn open_workspace(root: &Path, options: &[u8]) -> Result<Workspace> {
    /// The options of a workspace, as hosts send them.
    #[derive(Default, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields, default)]
    struct Options {
        #[schemars(range(min = 1, max = 64))]
        threads: Option<usize>,
        deny: Vec<String>,
        deny_secrets: bool,
        require_git: bool,
        output_dir: Option<PathBuf>,
        #[schemars(range(min = 65_536, max = 67_108_864))]
        reply_bytes_max: Option<usize>,
        #[schemars(range(min = 1_024, max = 67_108_864))]
        args_bytes_max: Option<usize>,
        docs_root: Option<PathBuf>,
        excludes: Vec<String>,
        doc_suffixes: Vec<String>,
        #[schemars(range(min = 3, max = 4))]
        front_matter_hyphens_min: Option<usize>,
        #[schemars(length(max = 16))]
        encodings: Vec<String>,
        git_dir_outside_root: bool,
        index: Index,
        #[schemars(range(min = 1_048_576, max = 68_719_476_736_u64))]
        memory_bytes_max: Option<usize>,
    }
    /// Whether the workspace remembers its tree.
    #[derive(Default, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    enum Index {
        #[default]
        Off,
        Auto,
    }
    let expected = JsonType::of(&schema::of_input::<Options>(schema::Parts::Inline));
    let mut options = match options {
        b"" => Value::Null,
        options => {
            let unknown = |name: &str| arguments::unknown_parameter(&expected, name);
            json::parse(options, &unknown, ARGS_BYTES_MAX)??
        }
    };
    if options.is_null() {
        options = Value::Object(Map::new());
    }
    arguments::check(&expected, &options, &[])?;
    let options: Options = arguments::decode(&options)?;
    let options = WorkspaceOptions {
        threads: options.threads,
        deny: options.deny,
        deny_secrets: options.deny_secrets,
        require_git: options.require_git,
        output_dir: options.output_dir,
        reply_bytes_max: options.reply_bytes_max,
        args_bytes_max: options.args_bytes_max,
        docs_root: options.docs_root,
        excludes: options.excludes,
        doc_suffixes: options.doc_suffixes,
        front_matter_hyphens_min: options.front_matter_hyphens_min,
        encodings: options.encodings,
        git_dir_outside_root: options.git_dir_outside_root,
        index: match options.index {
            Index::Off => IndexMode::Off,
            Index::Auto => IndexMode::Auto,
        },
        memory_bytes_max: options.memory_bytes_max,
    };
    options.open(root)
}

/// Maximum size of an overlay as JSON.
const OVERLAY_BYTES_MAX: usize = 64 << 20;

/// Returns `workspace` with unsaved texts over it, as [`Workspace::with_overlay`] does. The JSON
/// object has a path as each name, and as each value the text of the file, or null for a removed
/// file.
///
/// # Errors
///
/// Those of [`Workspace::with_overlay`], and `invalid_param` for more than 64 MiB, for a value that
/// is neither a string nor null, and for a duplicate path.
pub fn with_overlay(workspace: &Workspace, overlay: &[u8]) -> Result<Workspace> {
    let refused = |predicate: String| Error::invalid_param("overlay", predicate);
    if overlay.len() > OVERLAY_BYTES_MAX {
        let n = overlay.len();
        return Err(refused(format!("may have at most {OVERLAY_BYTES_MAX} bytes, got {n}")));
    }
    let value = json::read(overlay, &|_| None).map_err(|fault| match fault {
        json::Fault::Syntax(error) => refused(format!("is not valid JSON: {error}")),
        json::Fault::Refused(error) => error.with_param("overlay"),
    })?;
    let Value::Object(entries) = value else {
        return Err(refused("must be an object of texts by path".into()));
    };
    let mut texts = Vec::new();
    for (path, text) in entries {
        match text {
            Value::String(text) => texts.push((path, Some(text))),
            Value::Null => texts.push((path, None)),
            other => {
                let shown = path.escape_debug();
                let got = arguments::show(&other);
                let reason = format!("'{shown}' must be a string or null, got {got}");
                let error = Error::at_param(ErrorKind::InvalidParam, "overlay", reason);
                return Err(error.with_path(path));
            }
        }
    }
    workspace.with_overlay(texts)
}
