// The questions, which were written before any system was measured, and the source of each answer.
//
// A question has a tree, a kind, a text and an answer: a place as a file and a regular expression of its
// line, a file, or a number or set that `truths.mjs` counts by reading the files.

/** Place of a definition. */
const DEFINITIONS = [
  ['rayon-core', 'default_global_registry', 'src/registry.rs', /^fn default_global_registry/],
  ['rayon-core', 'join_recover_from_panic', 'src/join/mod.rs', /^unsafe fn join_recover/],
  ['rayon-core', 'CountLatch', 'src/latch.rs', /struct CountLatch/],
  ['rayon-core', 'wait_until_cold', 'src/registry.rs', /unsafe fn wait_until_cold/],
  ['regex-automata', 'SparseSet', 'src/util/sparse_set.rs', /struct SparseSet /],
  ['regex-automata', 'MatchErrorKind', 'src/util/search.rs', /enum MatchErrorKind/],
  ['regex-automata', 'shuffle_states', 'src/dfa/onepass.rs', /fn shuffle_states/],
  ['serde_json', 'format_escaped_str_contents', 'src/ser.rs', /^fn format_escaped_str_contents/],
  ['serde_json', 'pointer_mut', 'src/value/mod.rs', /pub fn pointer_mut/],
  ['rustix', 'DecInt', 'src/path/dec_int.rs', /pub struct DecInt/],
  ['rustix', 'ioctl_fioclex', 'src/io/ioctl.rs', /pub fn ioctl_fioclex/],
  ['rustix', 'SMALL_PATH_BUFFER_SIZE', 'src/path/mod.rs', /const SMALL_PATH_BUFFER_SIZE/],
  ['napi', 'EscapableHandleScope', 'src/bindgen_runtime/js_values/scope.rs', /pub struct Escap/],
  ['napi', 'CleanupEnvHook', 'src/cleanup_env.rs', /pub struct CleanupEnvHook</],
  ['tree-sitter', 'ts_external_scanner_state_init', 'src/subtree.c', /^void ts_external_scanner/],
  ['tree-sitter', 'set_included_ranges', 'binding_rust/lib.rs', /pub fn set_included_ranges/],
  ['rxjs', 'reportUnhandledError', 'src/internal/util/reportUnhandledError.ts', /^export function/],
  ['rxjs', 'VirtualTimeScheduler', 'src/internal/scheduler/VirtualTimeScheduler.ts', /^export class/],
  ['three', 'BufferGeometry', 'src/core/BufferGeometry.js', /^class BufferGeometry/],
  ['three', 'AnimationMixer', 'src/animation/AnimationMixer.js', /^class AnimationMixer/],
  ['lodash', 'baseIsEqualDeep', '_baseIsEqualDeep.js', /^function baseIsEqualDeep/],
  ['lodash', 'unicodeSize', '_unicodeSize.js', /^function unicodeSize/],
];

/** Place of a message or another text. */
const TEXTS = [
  ['rayon-core', 'has not been initialized', 'src/registry.rs', /has not been initialized/],
  ['rayon-core', 'already been initialized', 'src/lib.rs', /has already been initialized/],
  ['serde_json', 'lone leading surrogate', 'src/error.rs', /lone leading surrogate in hex/],
  ['serde_json', 'recursion limit exceeded', 'src/error.rs', /recursion limit exceeded/],
  ['serde_json', 'key must be a string', 'src/error.rs', /key must be a string/],
  ['rxjs', 'Timeout has occurred', 'src/internal/operators/timeout.ts', /Timeout has occurred/],
  ['lodash', 'Unsupported core-js use', 'lodash.js', /Unsupported core-js use/],
  ['napi', 'Throw syntax error failed', 'src/env.rs', /Throw syntax error failed/],
];

/** File with a given name. */
const FILES = [
  ['regex-automata', 'pikevm', 'src/nfa/thompson/pikevm.rs'],
  ['regex-automata', 'sparse_set', 'src/util/sparse_set.rs'],
  ['rustix', 'raw_dir', 'src/fs/raw_dir.rs'],
  ['napi', 'threadsafe_function', 'src/threadsafe_function.rs'],
  ['tree-sitter', 'reusable_node', 'src/reusable_node.h'],
  ['rxjs', 'shareReplay.ts', 'src/internal/operators/shareReplay.ts'],
  ['three', 'MaterialXLoader', 'examples/jsm/loaders/MaterialXLoader.js'],
  ['lodash', 'throttle', 'throttle.js'],
];

/** Number of lines that contain a text. */
const COUNTS = [
  ['rayon-core', 'unsafe'],
  ['regex-automata', 'StateID'],
  ['serde_json', 'ErrorCode::'],
  ['rustix', 'BorrowedFd<'],
  ['napi', 'check_status!'],
  ['tree-sitter', 'array_push'],
  ['three', 'isBufferGeometry'],
  ['lodash', 'MAX_SAFE_INTEGER'],
];

/** Files of a directory that contain a text. */
const USES = [
  ['rayon-core', 'SpinLatch', 'src'],
  ['serde_json', 'parse_any_number', 'src'],
  ['regex-automata', 'SparseSets', 'src'],
  ['tree-sitter', 'ts_subtree_pool_new', 'src'],
  ['rxjs', 'reportUnhandledError', 'src'],
  ['lodash', '_getRawTag', '.'],
];

/** File about several words that are not one phrase. */
const WORDS = [
  ['rayon-core', 'sleepy jobs event counter', 'src/sleep/counters.rs'],
  ['serde_json', 'surrogate hex escape', 'src/error.rs', 'src/read.rs'],
  ['rustix', 'watch inotify rename cookie', 'src/fs/inotify.rs'],
  ['tree-sitter', 'included ranges changed', 'src/get_changed_ranges.c', 'src/get_changed_ranges.h'],
  ['rxjs', 'replay window buffer size', 'src/internal/ReplaySubject.ts'],
  ['lodash', 'debounce leading trailing wait', 'debounce.js', 'throttle.js'],
];

/** Names that are absent, in any spelling. */
const ABSENT = [
  ['rayon-core', 'PostgresConnection'],
  ['serde_json', 'quantumFlux'],
  ['napi', 'LegacyXmlWriter'],
  ['lodash', 'renderTriangleStrip'],
];

const place = (kind) => ([tree, ask, file, line]) => ({ tree, kind, ask, answer: { file, line } });

/** All questions, in a fixed order. */
export const QUESTIONS = [
  ...DEFINITIONS.map(place('definition')),
  ...TEXTS.map(place('text')),
  ...FILES.map(([tree, ask, file]) => ({ tree, kind: 'file', ask, answer: { file } })),
  ...COUNTS.map(([tree, ask]) => ({ tree, kind: 'count', ask, answer: {} })),
  ...USES.map(([tree, ask, dir]) => ({ tree, kind: 'uses', ask, dir, answer: {} })),
  ...WORDS.map(([tree, ask, ...files]) => ({ tree, kind: 'words', ask, answer: { files } })),
  ...ABSENT.map(([tree, ask]) => ({ tree, kind: 'absent', ask, answer: {} })),
];
