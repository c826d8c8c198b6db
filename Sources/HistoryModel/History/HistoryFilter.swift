package import WorkspaceModel

package import struct FoundationEssentials.Date

/// Selects exchanges of the history: `status:5xx service:shop method:post since:1h body:text`.
///
/// Terms about the same field are alternatives; negated ones must not match. All words must match.
package struct HistoryFilter: Hashable, Sendable {
    /// The searched field of words.
    package enum Place: String, Hashable, Sendable, CaseIterable {
        case anywhere, url, header, body
    }

    /// Whether an exchange succeeded.
    package enum Success: String, Hashable, Sendable, CaseIterable {
        /// A response with a status below 400.
        case ok
        /// A failure, or a response with a status of 400 or above.
        case error
    }

    /// The test of one term.
    package enum Test: Hashable, Sendable {
        /// Every word is the beginning of a word of the field; words in double quotes must occur in sequence (``HistoryFilter/phrases(of:)``).
        case words(String, Place)
        /// The status is in this range; 0 means none.
        case status(ClosedRange<Int>)
        /// The service's folder begins with this text.
        case service(String)
        /// The endpoint's name contains this text.
        case target(String)
        /// The environment is this one.
        case environment(String)
        /// The method is this one.
        case method(String)
        /// A tag begins with this text.
        case tag(String)
        /// The exchange was a step of this run.
        case run(String)
        /// The exchange had this outcome.
        case outcome(HistoryItem.Outcome)
        /// The exchange succeeded or failed.
        case success(Success)
        /// The exchange was of this kind.
        case kind(Endpoint.Kind)
        /// The exchange is pinned.
        case pinned
        /// The exchange began at this time or later.
        case since(Date)
        /// The exchange began before this time.
        case until(Date)
        /// The exchange belongs to the workspace in this folder.
        case workspace(String)
    }

    /// One term.
    package struct Term: Hashable, Sendable {
        /// The test.
        package var test: Test
        /// Whether the test is negated: `-status:200`.
        package var isNegated: Bool

        /// Creates a term.
        package init(_ test: Test, isNegated: Bool = false) {
            self.test = test
            self.isNegated = isNegated
        }
    }

    /// The terms; an empty list selects everything.
    package var terms: [Term]

    /// Creates a filter.
    package init(_ terms: [Term] = []) {
        self.terms = terms
    }
}
