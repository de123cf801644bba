//! Citations of the facts of a case. A seat's facts include those that every seat was dealt.

use crate::analysis::column::columns;
use crate::analysis::measures::share_of;

columns! {
    /// What was said of the facts of a session.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct CitationTotals as r {
        /// How often facts that every seat was told were cited, and how often others: a statement cites a fact once at the most.
        pub mentions: [u64; 2],
    }

    /// facts of the case that any seat was told; empty where none was
    n_facts: u64 => Session[Case, Spoke], "Briefed", unit: "facts";
    /// facts told whose id stands in a statement as a whole word; empty where no seat was told any
    n_facts_mentioned: u64 = r.n_shared_mentioned + r.n_unshared_mentioned => Session[Case, Spoke], "Briefed, statement", unit: "facts";
    /// facts mentioned that every seat was told; empty where no seat was told any
    n_shared_mentioned: u64 => Session[Case, Spoke], "Briefed, statement", unit: "facts";
    /// facts mentioned that not every seat was told; empty where no seat was told any
    n_unshared_mentioned: u64 => Session[Case, Spoke], "Briefed, statement", unit: "facts";
    /// share of facts that not every seat was told among all mentions; a statement mentions a fact once at the most; empty without a
    /// mention
    unshared_mention_share: f64 = share_of(r.mentions[1], r.mentions[0] + r.mentions[1])
        => Session[Case, Spoke], "Briefed, statement; Stasser and Titus 1985", formula: "mentions of unshared facts / mentions";
}
