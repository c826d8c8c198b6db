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
    /// A byte to show as soon as the index has come so far.
    var pendingOffset: Int?

    var line: Int {
        get { lines[tab] ?? 0 }
        set { lines[tab] = newValue }
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
