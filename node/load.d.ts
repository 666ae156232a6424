/**
 * Loads the native addon from a file, in place of the one that is installed, and returns the module
 * `searchscope` with it. The file may have any name; a relative path is relative to the working directory.
 * It must have the version of this package, which is not checked.
 *
 * Call it before anything loads `searchscope` in the same thread. Throws if the file is not an addon, or if
 * another one is in use.
 */
export function load(file: string): typeof import('./index.js');
