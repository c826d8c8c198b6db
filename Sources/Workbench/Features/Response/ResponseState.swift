internal import BodyViews
internal import WorkspaceModel

/// The state of the response pane for an endpoint.
struct ResponseState: Hashable, Sendable {
    var tab = ResponseTab.body
    /// The first visible row of the body.
    var top = 0
    /// The row of the body with the cursor.
    var row = 0
    /// The filter of the body; nil when the whole body is shown.
    var filter: BodyFilter?
    /// The horizontal scroll position in cells.
    var left = 0
    /// The selected line of each list tab.
    var lines: [ResponseTab: Int] = [:]
    /// The display mode that the user chose for bodies of this endpoint.
    var mode: BodyView.Mode?
    /// The last match, in bytes of the body.
    var match: Range<Int>?
    /// The number of matches, as far as they are counted.
    var count: MatchCount?
    /// The ordinal of the match, from 1; nil while it is unknown.
    var ordinal: Int?
    /// The byte offset to show once it is indexed.
    var pendingOffset: Int?
    /// The last row that was known when the cursor was moved to the end of an incomplete body.
    ///
    /// The cursor follows the end of the body while it is in this row.
    var followedRow: Int?
    /// The display of arriving messages.
    var stream = LiveStream()
    /// Whether arrays of objects are shown as a table, and the table of the shown body.
    var showsTable = false
    var table: BodyTableState?
    /// Whether long lines are wrapped; then the lines of the cursor and of the top in their rows.
    var wraps = false
    var piece = 0
    var topPiece = 0
    /// The drawn image; nil before it was decoded for the first time.
    var picture: BodyPicture?

    var line: Int {
        get { lines[tab] ?? 0 }
        set { lines[tab] = newValue }
    }

    /// Resets the match and the counts.
    mutating func forgetMatch() {
        (match, count, ordinal) = (nil, nil, nil)
    }

    /// Resets the state for a new response, keeping the tab, the mode and the text of the filter.
    mutating func startOver() {
        self = ResponseState(tab: tab, filter: filter.map { BodyFilter($0.text) }, mode: mode, showsTable: showsTable, wraps: wraps)
    }

    /// Moves the cursor to a row, and scrolls where it would not be visible in `height` rows.
    mutating func moveCursor(to row: Int, height: Int) {
        self.row = row
        piece = 0
        if row < top { (top, topPiece) = (row, 0) }
        if row >= top + height { top = row - height + 1 }
    }
}

/// The states of the response pane.
struct ResponsesState: FeatureState {
    /// The states by endpoint, and by ``PastView/call``.
    private var byKey: [CallKey: ResponseState] = [:]
    /// The past exchange that the pane shows instead of the open endpoint's response; nil when there is none.
    var past: PastView?
    /// Paged lists with further pages, by endpoint.
    var pages: [EndpointID: PagedList] = [:]
    /// The filter that is being typed.
    var filterField: TextField?

    subscript(key: CallKey) -> ResponseState? {
        get { byKey[key] }
        _modify { yield &byKey[key] }
    }

    subscript(key: CallKey, default initial: @autoclosure () -> ResponseState) -> ResponseState {
        get { byKey[key, default: initial()] }
        _modify { yield &byKey[key, default: initial()] }
    }
}

extension AppState {
    /// The states of the response pane.
    var responses: ResponsesState {
        get { states[ResponsesState.self] }
        _modify { yield &states[ResponsesState.self] }
    }

    /// The key of the exchange that the response pane shows.
    var shownKey: CallKey? { responses.past.map { .call($0.call) } ?? openTarget.map { .endpoint($0) } }

    /// The body that the pane shows for an exchange: what its filter found, or the body of the response, as it was when it was paused.
    func shownBody(_ key: CallKey) -> BodyView? { responses[key]?.filter?.results ?? responses[key]?.stream.paused ?? calls[key]?.body }

    /// Replaces the body that the pane shows.
    mutating func setShownBody(_ body: BodyView, _ key: CallKey) {
        if responses[key]?.filter?.results != nil {
            responses[key]?.filter?.results = body
        } else if responses[key]?.stream.paused != nil {
            responses[key]?.stream.paused = body
        } else {
            calls[key]?.body = body
        }
    }

    /// The body that the pane shows.
    var openBody: BodyView? { shownKey.flatMap { shownBody($0) } }

    /// The call that the pane shows.
    var openCall: Call? { shownKey.flatMap { calls[$0] } }

    /// The state of the response pane for the shown exchange.
    var responseState: ResponseState {
        get { shownKey.flatMap { responses[$0] } ?? ResponseState() }
        set { if let shownKey { responses[shownKey] = newValue } }
    }
}
