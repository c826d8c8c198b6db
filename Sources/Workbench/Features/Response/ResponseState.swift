internal import BodyViews
internal import WorkspaceModel

/// The state of the response pane for an endpoint.
struct ResponseState: Hashable, Sendable {
    var tab = ResponseTab.body
    /// The first visible row of the body.
    var top = 0
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

    var line: Int {
        get { lines[tab] ?? 0 }
        set { lines[tab] = newValue }
    }

    /// Resets the match and the counts.
    mutating func forgetMatch() {
        (match, count, ordinal) = (nil, nil, nil)
    }

    /// Resets the state for a new response, keeping the tab and the mode.
    mutating func startOver() {
        self = ResponseState(tab: tab, mode: mode)
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

    /// The call that the pane shows.
    var openCall: Call? { shownKey.flatMap { calls[$0] } }

    /// The state of the response pane for the shown exchange.
    var responseState: ResponseState {
        get { shownKey.flatMap { responses[$0] } ?? ResponseState() }
        set { if let shownKey { responses[shownKey] = newValue } }
    }
}
