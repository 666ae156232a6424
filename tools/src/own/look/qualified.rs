//! Definitions of a qualified name, which text search cannot find: a definition does not repeat its
//! qualifier.

use super::Only;
use super::answer::Lookup;
use super::hits::{Hit, HitFile, Hits, gather};
use super::query::{Query, folded};
use super::{frame, place};
use crate::replies::text::quoted;
use searchscope::{
    FindRequest, FoundFile, FoundSymbol, PatternOptions, RelPath, Result, SymbolRequest,
};
use std::ops::ControlFlow;

/// Maximum number of definitions of a qualified name that are shown.
const QUALIFIED_MAX: usize = 30;
/// Maximum number of files named like the qualifier that are searched for the name.
const FILES_MAX: usize = 300;
/// The lowest score of a definition whose name equals the query, except for case.
const EXACT: u32 = 95;

impl Lookup<'_> {
    /// Adds the definitions of a qualified name: those inside the definition that the qualifier
    /// names, or else those in files or directories named like it, as modules are.
    pub(super) fn with_qualified(&mut self, hits: Hits) -> Result<Hits> {
        let mut symbols = self.symbols(&self.query.text, vec![self.path.clone()])?;
        let is_inside = !symbols.is_empty();
        let (qualifier, name) = self.query.qualified();
        let (qualifier, name) = (qualifier.to_owned(), name.to_owned());
        if !is_inside {
            let paths = self.paths_called(&qualifier)?;
            if !paths.is_empty() {
                symbols = self.symbols(&name, paths)?;
            }
        }
        let n_written = hits.n_lines;
        let merged = self.with_definitions(hits, &symbols)?;
        let n_parts = self.query.text.split('.').count();
        if !is_inside && merged.n_lines > n_written && n_parts > 2 {
            let written = if n_written == 0 { "" } else { "also " };
            let (name, qualifier) = (quoted(&name), quoted(&qualifier));
            let remark = format!("{written}definitions of {name} in {qualifier}:");
            self.answer.remarks.push(remark);
        }
        Ok(merged)
    }

    /// Adds the lines of definitions, unless lines are only counted.
    fn with_definitions(&self, hits: Hits, symbols: &[FoundSymbol]) -> Result<Hits> {
        if symbols.is_empty() || self.only == Some(Only::Count) {
            return Ok(hits);
        }
        let mut only: Vec<RelPath> = symbols.iter().map(|symbol| symbol.path.clone()).collect();
        only.sort();
        only.dedup();
        let mut patterns: Vec<String> = symbols.iter().map(|symbol| symbol.name.clone()).collect();
        patterns.sort();
        patterns.dedup();
        let mut request = self.request(PatternOptions { patterns, ..PatternOptions::default() })?;
        request.only = Some(only);
        let role = self.only.and_then(Only::role);
        let mut defined = gather(self.workspace, &mut request, role, self.call)?;
        let is_at = |hit: &Hit, files: &[HitFile], symbol: &FoundSymbol| {
            symbol.line == hit.line && symbol.path.display() == files[hit.file].path
        };
        let files = &defined.files;
        defined.lines.retain(|hit| symbols.iter().any(|symbol| is_at(hit, files, symbol)));
        for hit in &mut defined.lines {
            hit.is_definition = true;
        }
        Ok(hits.joined(defined))
    }

    /// Shows the definition of the first function in the frames of a trace that the tree has, if none of them names a
    /// place.
    pub(super) fn found_frame(&mut self) -> Result<bool> {
        if self.only.is_some() || !place::places(&self.query.text).is_empty() {
            return Ok(false);
        }
        for name in frame::functions_without_place(&self.query.text) {
            let named = Query::literal(&name);
            let trace = std::mem::replace(&mut self.query, named);
            // A directory called like the class is no class.
            let symbols = self.symbols(&name, vec![self.path.clone()])?;
            if symbols.is_empty() {
                self.query = trace;
                continue;
            }
            let written = self.search(self.query.pattern())?;
            let hits = self.with_definitions(written, &symbols)?;
            self.answer.note(&hits.report);
            self.answer
                .remarks
                .push(format!("a function called as in a frame, {}:", quoted(&name)));
            self.show(hits)?;
            return Ok(true);
        }
        Ok(false)
    }

    /// Returns the definitions of exactly `name` in `paths`.
    fn symbols(&self, name: &str, paths: Vec<String>) -> Result<Vec<FoundSymbol>> {
        if self.workspace.check_grammars().is_err() {
            return Ok(Vec::new());
        }
        let mut request = SymbolRequest::new(name, QUALIFIED_MAX);
        request.paths = paths;
        request.files = self.request(self.query.pattern())?.files;
        let mut symbols = self.workspace.run_symbols(&request, &self.half_of_the_time())?.symbols;
        symbols.retain(|symbol| symbol.score >= EXACT);
        Ok(symbols)
    }

    /// Returns the files that are named `qualifier`, or are in a directory of that name; none if
    /// the query is a file name itself.
    fn paths_called(&self, qualifier: &str) -> Result<Vec<String>> {
        let key = folded(qualifier);
        let name = self.query.text.as_str();
        let mut request = FindRequest::new(self.files.clone(), None, None);
        request.paths = vec![self.path.clone()];
        request.files.glob_bases = vec![self.workspace.resolve(&self.path)?];
        let (mut paths, mut is_file) = (Vec::new(), false);
        let is_called = |part: &str| folded(part.split('.').next().unwrap_or_default()) == key;
        let call = self.half_of_the_time();
        self.workspace.run_find_each(&request, &call, &mut |file: &FoundFile| {
            let path = file.path.display();
            is_file |= path.rsplit('/').next() == Some(name);
            if paths.len() < FILES_MAX && path.split('/').any(is_called) {
                paths.push(path.into_owned());
            }
            ControlFlow::Continue(())
        })?;
        Ok(if is_file || key.is_empty() { Vec::new() } else { paths })
    }
}
