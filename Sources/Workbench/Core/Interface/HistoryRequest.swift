package import HistoryModel
package import WorkspaceModel

/// A request to the history.
package enum HistoryRequest: Hashable, Sendable {
    /// A page of the list.
    case page(HistoryQuery)
    /// The number of exchanges that match a filter, counted up to a limit.
    case count(HistoryFilter, upTo: Int)
    /// A complete exchange.
    case past(Int64)
    /// The last exchange of an endpoint, as it is now, in a workspace.
    case last(Endpoint, workspace: String)
    /// A comparison of two exchanges, the older one first.
    case compare(Int64, Int64)
    /// A comparison of a step with the same step of the previous run in the same environment.
    case compareStep(PastStep)
    /// A comparison of all steps of a run with the previous run in the same environment.
    case compareRun(PastRun)
    /// Pins or unpins exchanges.
    case pin([Int64], Bool)
    /// Replaces the tags of exchanges.
    case tag([Int64], [String])
    /// Replaces the note of an exchange.
    case note(Int64, String)
    /// Deletes exchanges.
    case delete([Int64])
}

/// The result of a ``HistoryRequest``.
package enum HistoryResult: Sendable {
    /// A page of the list, and the time of reading.
    case page(HistoryPage, HistoryMoment)
    /// The number of matches, at most the limit.
    case count(Int)
    /// An exchange, nil when it does not exist any more, and the time of reading.
    case past(PastExchange?, HistoryMoment)
    /// The differences of two exchanges.
    case compared(ExchangeComparison)
    /// The differences of a run.
    case comparedRun(RunComparison)
    /// The change was made.
    case done
    /// The request failed. The text is the reason.
    case failed(String)
}
