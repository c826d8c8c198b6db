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
    var lineTops: [ResponseTab: Int] = [:]
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

    var lineTop: Int {
        get { lineTops[tab] ?? 0 }
        set { lineTops[tab] = newValue }
    }

    /// Resets the state for a new response, keeping the tab and the mode.
    mutating func startOver() {
        self = ResponseState(tab: tab, mode: mode)
    }
}

/// The states of the response pane.
struct ResponsesState: FeatureState {
    /// The states by endpoint, and by ``PastView/call``.
    var byKey: [CallKey: ResponseState] = [:]
    /// The past exchange that the pane shows instead of the open endpoint's response; nil when there is none.
    var past: PastView?
    /// Paged lists with further pages, by endpoint.
    var pages: [EndpointID: PagedList] = [:]
}

extension AppState {
    var responses: [CallKey: ResponseState] {
        get { states[ResponsesState.self].byKey }
        set { states[ResponsesState.self].byKey = newValue }
    }

    var past: PastView? {
        get { states[ResponsesState.self].past }
        set { states[ResponsesState.self].past = newValue }
    }

    var pages: [EndpointID: PagedList] {
        get { states[ResponsesState.self].pages }
        set { states[ResponsesState.self].pages = newValue }
    }

    /// The state of the response pane for the shown exchange.
    var responseState: ResponseState {
        get { shownKey.flatMap { responses[$0] } ?? ResponseState() }
        set { if let shownKey { responses[shownKey] = newValue } }
    }

    /// The call that the pane shows.
    var openCall: Call? { shownKey.flatMap { calls[$0] } }

    /// The transfer of the open endpoint's call.
    var openTransfer: Transfer? { openCall.flatMap { calls[$0.id]?.transfer } }
}
