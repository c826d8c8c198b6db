internal import BodyViews
internal import SortieBase
internal import SortieHTTP
internal import SortieTerminal

/// The display of a body whose messages arrive one after the other.
struct LiveStream: Hashable, Sendable {
    /// Whether the body arrived in this session, in parts of unknown number.
    var isLive = false
    /// Whether the last message stays visible.
    var isFollowing = true
    /// The body as it was when the display was paused; nil while it is not.
    var paused: BodyView?
}

extension Command {
    static let pauseDisplay = Command.named("pauseDisplay")
}

/// Streams of messages: NDJSON and server-sent events.
extension ResponseFeature {
    static let streamBindings: [Binding] = [
        Binding(
            .response, [.space, .character("p")], .pauseDisplay, "Pause or go on",
            "Pause the display of arriving messages, or go on; the transfer goes on",
            hint: 2, unless: noStream
        )
        .alsoKnownAs("Freeze", "Hold", "Follow", "Live")
    ]

    /// Why the display cannot be paused.
    private static func noStream(_ state: AppState) -> String? {
        if state.responseState.stream.paused != nil { return nil }
        guard state.openCall?.body?.showsMessages == true else { return "The response is no stream of messages" }
        return state.openCall?.isInFlight == true ? nil : "The stream has ended"
    }

    /// Shows more of an arriving body; of a stream of unknown length, the last message.
    static func arrived(_ id: CallID, _ bytes: BodyBytes, isFinal: Bool, _ state: inout AppState) -> [Effect] {
        let effects = grow(id, to: bytes, isFinal: isFinal, &state)
        guard state.calls.isViewable(id), let call = state.calls[id]?.call, !call.isFile, call.body?.showsMessages == true else {
            return effects
        }
        let key = state.calls.key(of: id)
        // A body of known length is a file, which is read from its start.
        if call.knownResponse?.announcedBytes == nil { state.responses[key, default: ResponseState()].stream.isLive = true }
        follow(key, &state)
        return effects
    }

    /// Moves the cursor to the last row of a stream that is followed.
    static func follow(_ key: CallKey, _ state: inout AppState) {
        guard let stream = state.responses[key]?.stream, stream.isLive, stream.isFollowing, stream.paused == nil,
            let call = state.calls[key], let whole = call.body, whole.showsMessages
        else { return }
        let results = state.responses[key]?.filter?.results
        guard results == nil || call.isInFlight else { return }
        let body = results ?? whole
        let height = max(1, BodyTabView(state).height)
        state.responses[key]?.row = max(0, body.rowCount - 1)
        state.responses[key]?.top = max(0, body.rowCount - height)
    }

    /// Ends following when the cursor leaves the last row, and follows again when it returns.
    static func noteMovement(_ state: inout AppState) {
        guard state.responseState.stream.isLive, let body = state.openBody else { return }
        let last = max(0, body.rowCount - BodyTabView(state).height)
        state.responseState.stream.isFollowing =
            state.focus == .response ? state.responseState.row >= body.rowCount - 1 : state.responseState.top >= last
    }

    /// Pauses the display, or shows what has arrived since.
    static func pauseDisplay(_ state: inout AppState) -> [Effect] {
        guard let key = state.shownKey, let call = state.calls[key], let current = call.body else { return [] }
        guard endPause(of: key, &state) else {
            state.responseState.stream.paused = current
            return []
        }
        state.responseState.stream.isFollowing = true
        follow(key, &state)
        return continueIndex(key, &state) + filterArrived(key, &state)
    }

    /// Shows what has arrived during a pause, with the folding and the mode of the paused body; returns false where the display is not paused.
    private static func endPause(of key: CallKey, _ state: inout AppState) -> Bool {
        guard var body = state.responses[key]?.stream.paused, let current = state.calls[key]?.body else { return false }
        body.grow(to: current.bytes, isFinal: current.isFinal)
        state.calls[key]?.body = body
        state.responses[key]?.stream.paused = nil
        return true
    }

    /// Ends a pause before the mode of the shown body changes, because only the body of the call is indexed further; returns the body to change.
    ///
    /// The stream is not followed then, so that the same messages stay visible.
    static func bodyWithoutPause(_ shown: BodyView, _ key: CallKey, _ state: inout AppState) -> BodyView {
        guard state.responses[key]?.filter?.results == nil, endPause(of: key, &state) else { return shown }
        state.responses[key]?.stream.isFollowing = false
        return state.calls[key]?.body ?? shown
    }

    /// What the successful response to an endpoint of the kind `events` is instead of a stream; nil for other endpoints and responses.
    private static func noStream(_ call: Call) -> [Span]? {
        guard call.kind == .events, let response = call.knownResponse, (200..<300).contains(response.status), let type = response.contentType,
            ContentType(type).mediaType != "text/event-stream"
        else { return nil }
        return [Span("no stream of events: its type is \(VisibleText.of(type)), not text/event-stream", .warning)]
    }

    /// The number of messages and the state of a stream, such as `1,284 messages · live`; nil for another body.
    static func streamStatus(_ call: Call, _ state: AppState) -> [Span]? {
        let writes = call.isOpenWebSocket ? " · \(state.key(.composeMessage)) writes" : ""
        if call.isOpenWebSocket, call.body?.bytes.isEmpty ?? true { return [Span("connected", .success), Span("\(writes) a message", .muted)] }
        guard let body = call.body, let count = body.messageCount, body.showsMessages || state.responseState.stream.paused != nil else {
            return call.isInFlight ? nil : noStream(call)
        }
        let stream = state.responseState.stream
        func messages(_ number: Int) -> String { "\(NumberText.grouped(number)) message\(number == 1 ? "" : "s")" }
        // The bytes of a WebSocket connection are a record of its messages; the head has the size of the messages.
        let size = call.isOpenWebSocket ? "" : " · \(ByteText.amount(Int64(body.bytes.count)))"
        if let paused = stream.paused {
            let new = count - (paused.messageCount ?? 0)
            return [
                Span("paused · \(NumberText.grouped(new)) new", .warning),
                Span(" · \(messages(count))\(size) · \(state.key(.pauseDisplay)) goes on", .muted),
            ]
        }
        guard call.isInFlight else { return [Span(messages(count) + (body.isComplete ? "" : " so far"), .muted)] }
        let hint = stream.isFollowing ? "" : " · \(state.key(.move(.last))) follows"
        return [Span("\(messages(count)) · live", .success), Span("\(size)\(hint)\(writes)", .muted)]
    }
}
