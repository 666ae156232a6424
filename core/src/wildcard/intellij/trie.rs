//! All bodies as one tree of tokens that shares equal prefixes.

use crate::wildcard::token::{Symbol, Token};
use std::ops::Range;

/// The index of a node in the tree, parents before children.
pub(super) type NodeId = u32;

/// The position of a body in the order of tokens. The bodies below a node are adjacent in it.
pub(super) type Rank = u32;

/// The tree; its root is the empty prefix.
#[derive(Debug)]
pub(super) struct Trie {
    nodes: Vec<Node>,
    /// The body at each rank, by its index in the input.
    bodies: Vec<u32>,
    n_wildcards: usize,
}

#[derive(Debug)]
struct Node {
    /// The token that leads here; meaningless at the root.
    token: Token,
    /// The end of the nodes below this one.
    end: NodeId,
    /// The bodies that end here or below.
    ranks: Range<Rank>,
    /// The number of them that end here; they are the first.
    n_own: u32,
}

impl Trie {
    /// Builds the tree of bodies, whose number and length the caller has bounded.
    pub(super) fn new(bodies: Vec<Vec<Token>>) -> Trie {
        let mut sorted: Vec<(u32, Vec<Token>)> = (0..).zip(bodies).collect();
        sorted.sort_unstable_by(|one, other| one.1.cmp(&other.1).then(one.0.cmp(&other.0)));
        let mut trie = Trie { nodes: Vec::new(), bodies: Vec::new(), n_wildcards: 0 };
        trie.nodes.push(Node { token: Token::Literal(0), end: 0, ranks: 0..0, n_own: 0 });
        // The nodes from the root to the end of the previous body.
        let mut path: Vec<NodeId> = vec![0];
        for (rank, (_, tokens)) in (0..).zip(&sorted) {
            let is_shared =
                |(node, token): &(&NodeId, &Token)| trie.nodes[**node as usize].token == **token;
            let n_shared = path[1..].iter().zip(tokens).take_while(is_shared).count();
            trie.close(&mut path, n_shared + 1, rank);
            for &token in &tokens[n_shared..] {
                path.push(trie.next_id());
                trie.nodes.push(Node { token, end: 0, ranks: rank..rank, n_own: 0 });
                trie.n_wildcards += usize::from(token.is_run());
            }
            if let Some(&last) = path.last() {
                trie.nodes[last as usize].n_own += 1;
            }
        }
        trie.bodies = sorted.into_iter().map(|(body, _)| body).collect();
        let n_bodies = trie.bodies.len();
        trie.close(&mut path, 0, Rank::try_from(n_bodies).unwrap_or(Rank::MAX));
        trie
    }

    /// Ends the nodes of a path that are deeper than `depth`.
    fn close(&mut self, path: &mut Vec<NodeId>, depth: usize, rank: Rank) {
        let end = self.next_id();
        for node in path.drain(depth..) {
            let node = &mut self.nodes[node as usize];
            node.end = end;
            node.ranks.end = rank;
        }
    }

    fn next_id(&self) -> NodeId {
        // Each node consumes at least one byte of the bodies, whose number is bounded.
        NodeId::try_from(self.nodes.len()).unwrap_or(NodeId::MAX)
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn n_wildcards(&self) -> usize {
        self.n_wildcards
    }

    /// Returns the token that leads to a node; `None` for the root.
    pub(super) fn token(&self, node: NodeId) -> Option<Token> {
        (node > 0).then(|| self.nodes[node as usize].token)
    }

    /// Returns the ranks of the bodies that end at a node or below.
    pub(super) fn ranks(&self, node: NodeId) -> Range<Rank> {
        self.nodes[node as usize].ranks.clone()
    }

    /// Returns the ranks of the bodies that end at a node.
    pub(super) fn own_ranks(&self, node: NodeId) -> Range<Rank> {
        let node = &self.nodes[node as usize];
        node.ranks.start..node.ranks.start + node.n_own
    }

    /// Returns the bodies with some ranks.
    pub(super) fn bodies(&self, ranks: Range<Rank>) -> &[u32] {
        &self.bodies[ranks.start as usize..ranks.end as usize]
    }

    /// Returns the symbols that occur in some body.
    pub(super) fn literals(&self) -> impl Iterator<Item = Symbol> + '_ {
        self.nodes[1..].iter().filter_map(|node| match node.token {
            Token::Literal(symbol) => Some(symbol),
            _ => None,
        })
    }

    /// Returns the children of a node in the order of their tokens, wildcards first.
    pub(super) fn children(&self, node: NodeId) -> impl Iterator<Item = (NodeId, Token)> + '_ {
        let end = self.nodes[node as usize].end;
        let mut next = node + 1;
        std::iter::from_fn(move || {
            if next >= end {
                return None;
            }
            let child = next;
            let node = &self.nodes[child as usize];
            next = node.end;
            Some((child, node.token))
        })
    }
}
