//! Sets of nodes that can all reach each other (Tarjan 1972), without recursion.

const NEW: usize = usize::MAX;

/// Room to search graphs of up to so many nodes; a search only pays for the nodes it meets.
#[derive(Debug)]
pub(super) struct Components {
    order: Vec<usize>,
    lowest: Vec<usize>,
    open: Vec<bool>,
}

impl Components {
    /// Room for `count` nodes.
    pub fn new(count: usize) -> Self {
        Self { order: vec![NEW; count], lowest: vec![0; count], open: vec![false; count] }
    }

    /// The components met from `starts`, each after all those it leads to. `successors` adds to a list.
    pub fn find(&mut self, starts: &[usize], successors: impl Fn(usize, &mut Vec<usize>)) -> Vec<Vec<usize>> {
        let mut found: Vec<Vec<usize>> = Vec::new();
        let (mut met, mut stack, mut calls) = (0, Vec::new(), Vec::new());
        for &start in starts {
            if self.order[start] == NEW {
                calls.push(self.enter(start, &mut met, &mut stack, &successors));
            }
            while let Some((node, rest)) = calls.last_mut() {
                let node = *node;
                if let Some(to) = rest.pop() {
                    if self.order[to] == NEW {
                        let call = self.enter(to, &mut met, &mut stack, &successors);
                        calls.push(call);
                    } else if self.open[to] {
                        self.lowest[node] = self.lowest[node].min(self.order[to]);
                    }
                    continue;
                }
                calls.pop();
                if let Some(&(caller, _)) = calls.last() {
                    self.lowest[caller] = self.lowest[caller].min(self.lowest[node]);
                }
                if self.lowest[node] == self.order[node] {
                    let from = stack.iter().rposition(|&other| other == node).unwrap_or(0);
                    let group = stack.split_off(from);
                    group.iter().for_each(|&member| self.open[member] = false);
                    found.push(group);
                }
            }
        }
        found.iter().flatten().for_each(|&node| self.order[node] = NEW);
        found
    }

    fn enter(
        &mut self,
        node: usize,
        met: &mut usize,
        stack: &mut Vec<usize>,
        successors: &impl Fn(usize, &mut Vec<usize>),
    ) -> (usize, Vec<usize>) {
        (self.order[node], self.lowest[node], self.open[node]) = (*met, *met, true);
        *met += 1;
        stack.push(node);
        let mut rest = Vec::new();
        successors(node, &mut rest);
        rest.reverse();
        (node, rest)
    }
}
