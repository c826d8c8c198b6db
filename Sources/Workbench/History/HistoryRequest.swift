public import Model

/// What is asked of the history.
public enum HistoryRequest: Hashable, Sendable {
    /// A stretch of its list.
    case page(HistoryQuery)
    /// How many exchanges a filter takes; counting ends at a limit.
    case count(HistoryFilter, upTo: Int)
    /// One exchange, whole.
    case past(Int64)
    /// Two exchanges side by side, the older one first.
    case compare(Int64, Int64)
    /// Keep these for good, or no longer.
    case pin([Int64], Bool)
    /// Give these other tags.
    case tag([Int64], [String])
    /// Write something else about one.
    case note(Int64, String)
    /// Remove these.
    case delete([Int64])
}

/// What the history answers.
public enum HistoryAnswer: Sendable {
    /// A stretch of the list, and when it was read.
    case page(HistoryPage, HistoryMoment)
    /// So many; never more than the limit.
    case count(Int)
    /// An exchange, nil where there is none of that number any more; and when it was read.
    case past(PastExchange?, HistoryMoment)
    /// In what two exchanges differ.
    case compared(ExchangeComparison)
    /// It is done.
    case done
    /// It could not be done; a sentence says why.
    case failed(String)
}
