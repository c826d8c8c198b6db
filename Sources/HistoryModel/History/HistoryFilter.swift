public import WorkspaceModel

public import struct FoundationEssentials.Date

/// Which exchanges of the history are wanted: `status:5xx service:shop method:post since:1h body:text`.
///
/// Of terms about the same field one must hold, unless they are negated: of those none may. Words must be there all of them.
public struct HistoryFilter: Hashable, Sendable {
    /// Where words are looked for.
    public enum Place: String, Hashable, Sendable, CaseIterable {
        case anywhere, url, header, body
    }

    /// Whether an exchange went well.
    public enum Verdict: String, Hashable, Sendable, CaseIterable {
        /// An answer came, and its status is below 400.
        case ok
        /// It failed, or the status of its answer is 400 or above.
        case error
    }

    /// What one term asks.
    public enum Test: Hashable, Sendable {
        /// Every word begins a word there; words in double quotes stand there one behind the other (``HistoryFilter/phrases(of:)``).
        case words(String, Place)
        /// The status is one of these; 0 stands for none.
        case status(ClosedRange<Int>)
        /// The service's folder begins so.
        case service(String)
        /// The endpoint's name contains this.
        case target(String)
        /// The environment is this one.
        case environment(String)
        /// The method is this one.
        case method(String)
        /// A word that a person gave it begins so.
        case tag(String)
        /// It was a step of this run.
        case run(String)
        /// It ended so.
        case outcome(HistoryItem.Outcome)
        /// It went so.
        case verdict(Verdict)
        /// It did this.
        case kind(Endpoint.Kind)
        /// A person wants it kept.
        case pinned
        /// It began at this moment or later.
        case since(Date)
        /// It began before this moment.
        case until(Date)
        /// It belongs to the workspace in this folder.
        case workspace(String)
    }

    /// One term.
    public struct Term: Hashable, Sendable {
        /// What it asks.
        public var test: Test
        /// Whether the opposite is wanted: `-status:200`.
        public var isNegated: Bool

        /// A term.
        public init(_ test: Test, isNegated: Bool = false) {
            self.test = test
            self.isNegated = isNegated
        }
    }

    /// The terms; none for everything.
    public var terms: [Term]

    /// A filter.
    public init(_ terms: [Term] = []) {
        self.terms = terms
    }
}
