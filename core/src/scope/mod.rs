//! Scopes: which files a caller means, as an expression over kinds of files, modules, named scopes,
//! patterns, directories and files.
