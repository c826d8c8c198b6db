internal import Model

/// What the response pane remembers of one endpoint.
struct ResponseState: Hashable, Sendable {
    var tab = ResponseTab.body
    /// The first body row in sight.
    var top = 0
    /// Columns scrolled to the right.
    var left = 0
    /// The selected line of the other tabs.
    var lines: [ResponseTab: Int] = [:]
    var lineTops: [ResponseTab: Int] = [:]
    /// The way the person chose to look at bodies of this endpoint.
    var mode: BodyView.Mode?
    /// The match that was found last, in bytes of the body.
    var match: Range<Int>?
    /// How many matches there are, as far as they were counted.
    var count: MatchCount?
    /// The place of the match among all, from 1; nil while it is not known.
    var ordinal: Int?
    /// A byte to show as soon as the index has come so far.
    var pendingOffset: Int?

    var line: Int {
        get { lines[tab] ?? 0 }
        set { lines[tab] = newValue }
    }

    /// Forgets the match and what is known of the others.
    mutating func forgetMatch() {
        (match, count, ordinal) = (nil, nil, nil)
    }

    var lineTop: Int {
        get { lineTops[tab] ?? 0 }
        set { lineTops[tab] = newValue }
    }

    /// For a new answer: the same tab and mode, from its start.
    mutating func startOver() {
        self = ResponseState(tab: tab, mode: mode)
    }
}
