internal import BodyViews
internal import HistoryModel
internal import SortieBase
internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// The response pane: the status in the title, then the shown tab.
struct ResponseView {
    private let state: AppState
    private let call: Call?

    private var shown: ResponseState { state.responseState }

    init(_ state: AppState) {
        self.state = state
        call = state.openCall
    }

    /// The area of the shown tab's content.
    static func listRect(_ layout: Layout) -> Rect { layout.response.inset(columns: 2, rows: 1).split(topHeight: 1).bottom }

    func draw(on canvas: inout Canvas, in rect: Rect) {
        let layout = state.layout
        let sharesBorder = !layout.isSideBySide && !layout.request.isEmpty
        let cancelled = state.focusedCall.flatMap { $0.id == call?.id ? $0 : nil }
        canvas.box(
            rect, title: title, trailing: cancelled.map { [Span(state.key(.cancel), .key), Span(" " + $0.cancelVerb, .muted)] } ?? [],
            style: state.borderStyle(.response), joints: sharesBorder ? .above : [])
        if sharesBorder, state.isActive(.request) {
            // The panes share this border; the focused pane determines its style.
            let edge = Rect(column: rect.column, row: rect.row, width: rect.width, height: 1)
            canvas.restyle(edge) { if $0.role == .border { $0.role = .borderFocused } }
        }
        let inner = rect.inset(columns: 2, rows: 1)
        guard inner.height > 0, inner.width > 0 else { return }
        guard let call else {
            let start = state.readsLastResponse ? "The last response is being read from the history." : "Nothing was sent yet."
            let sentence = state.openEndpoint == nil ? "No endpoint is open." : "\(start) \(state.key(.send)) sends the request."
            canvas.writeHint([sentence], in: inner)
            return
        }
        canvas.write(tabBar(call, room: inner.width).spans, at: inner.origin, width: inner.width)
        if shown.tab == .body { BodyTabView(state).draw(call, on: &canvas) } else { drawLines(call, on: &canvas, in: Self.listRect(layout)) }
        state.drawSearch(.response, on: &canvas, in: inner)
    }

    private func tabBar(_ call: Call, room: Int) -> TabBar {
        var marks: Set<Int> = []
        if call.body?.bytes.isEmpty == false { marks.insert(0) }
        if call.hasCookies { marks.insert(2) }
        if call.exchange?.expectationResult?.checks.isEmpty == false, let index = ResponseTab.allCases.firstIndex(of: .checks) { marks.insert(index) }
        return TabBar(
            titles: ResponseTab.allCases.map(\.title), selected: ResponseTab.allCases.firstIndex(of: shown.tab) ?? 0,
            marks: marks, room: room)
    }

    /// The title, such as `Response  200 OK · 1.2 kB · 34 ms`, or the progress.
    private var title: [Span] {
        let redaction = state.redaction
        var title = [Span("Response", state.titleStyle(.response))]
        guard let call else { return title }
        let queued = QueuedCall(state.calls[call.id])
        func add(_ text: String, _ style: Style = .text) { title += [Span(" · ", .muted), Span(text, style)] }
        title.append(Span("  "))
        if let past = state.responses.past {
            title.append(Span(past.past == nil ? "replay" : "past \(past.moment)", .info))
            if let name = past.name {
                title += [
                    Span(" · ", .muted),
                    Span(CellWidth.truncated(redaction.maskedURL(name), to: (state.layout.response.width - 58).clamped(to: 12...80))),
                ]
            }
            title.append(Span(" · ", .muted))
        }
        switch call.outcome {
        case nil where state.calls.isWaiting(call.id): title.append(Span("⏸ waiting for the network", .warning))
        case nil:
            if let queued {
                title += titleSpans(of: queued)
                break
            }
            title.append(call.isSuspended ? Span("⏸ ", .warning) : Span(Spinner.frame(at: state.now) + " ", .accent))
            if call.isCancelling {
                title.append(Span("cancelling", .accent))
            } else if call.isSuspended {
                title.append(Span("paused", .warning))
            } else if call.queuedBecause != nil {
                title.append(Span("queued", .warning))
            } else if let moment = call.retriesAt {
                title.append(Span("retrying in \(NumberText.seconds(max(0, moment - call.elapsed)))", .warning))
            } else if let response = call.response {
                title.append(Span(StatusText.line(response), StatusText.style(of: response)))
            } else if SignInFeature.delays(call, state) {
                title.append(Span("waiting for a sign-in", .warning))
            } else {
                title.append(Span("sending", .accent))
            }
            let bytes = call.isUploading ? call.progress.sent : call.progress.received
            if bytes > 0 { add((call.isUploading ? "↑ " : "↓ ") + ByteText.amount(bytes)) }
            add(NumberText.seconds(call.elapsed))
        case .notSent?: title.append(Span("not sent", .error))
        case .finished(let exchange)?:
            let last = state.lastResponse(call)
            if let response = exchange.response {
                title.append(Span(StatusText.line(response), StatusText.style(of: response)))
                if let last { add("from history · \(last.age(at: state.now))", .info) }
                if let error = exchange.error {
                    add(call.isCancelled ? "cancelled" : StatusText.title(ofCode: error.code), call.isCancelled ? .warning : .error)
                }
                if exchange.expectationResult?.failures.isEmpty == false { add("not as expected", .error) }
                if exchange.expectationResult?.warnings.isEmpty == false { add("not as described", .warning) }
                // The body of a refusal is displayed and not saved, so that the download has no bytes.
                let saved = queued?.transfer.result.flatMap { response.body.isEmpty ? $0.bytes : nil }
                // The stored body of an exchange of the history is masked, and may have another length.
                let stored = (last?.past ?? state.responses.past?.past)?.item.receivedBytes
                // The body of a WebSocket connection is a record of its messages.
                add(ByteText.amount(response.isWebSocket ? response.wireBytes : saved ?? stored ?? Int64(response.body.count)))
            } else {
                title.append(
                    Span(
                        call.isCancelled ? "cancelled" : exchange.error.map { StatusText.title(ofCode: $0.code) } ?? "no response",
                        call.isCancelled ? .warning : .error))
                if let last { add("from history · \(last.age(at: state.now))", .info) }
            }
            add(NumberText.seconds(call.duration))
            if exchange.response?.isFromCache == true { add("from the cache", .info) }
            if exchange.request.options.trust.isInsecure { add("TLS not verified", .warning) }
        }
        return title
    }

    /// The state of a transfer.
    private func titleSpans(of queued: QueuedCall) -> [Span] {
        let transfer = queued.transfer
        let status = queued.stateText(state)
        let text = status.text.isEmpty ? transfer.isUpload ? "sending" : "receiving" : state.redaction.masked(status.text)
        var facts = [Span(text, status.style)]
        if transfer.progress.received > 0 { facts.append(Span((transfer.isUpload ? "↑ " : "↓ ") + ByteText.amount(transfer.progress.received))) }
        if transfer.elapsed > 0 { facts.append(Span(NumberText.seconds(transfer.elapsed))) }
        return Array(facts.map { [$0] }.joined(separator: [Span(" · ", .muted)]))
    }

    private func drawLines(_ call: Call, on canvas: inout Canvas, in list: Rect) {
        let lines = ResponseLines(state).lines
        guard !lines.isEmpty else {
            canvas.writeHint([emptyHint(call)], in: list)
            return
        }
        let window = window(of: lines, in: list)
        let search = state.lineSearch(.response)
        for index in window.indices {
            let (line, point) = (lines[index], window.line(of: index).origin)
            canvas.write(line.spans, at: point, width: list.width)
            let text = line.text
            for match in search?.ranges(in: text) ?? [] {
                let start = CellWidth.width(of: text[..<match.lowerBound])
                let width = min(CellWidth.width(of: text[match]), list.width - start)
                let cells = Rect(column: point.column + start, row: point.row, width: max(0, width), height: 1)
                canvas.restyle(cells) { $0.role = index == shown.line ? .currentMatch : .searchMatch }
            }
            if index == shown.line { canvas.select(row: point.row, in: list, isFocused: state.isActive(.response)) }
        }
        drawMatchCount(lines, search, on: &canvas)
    }

    /// Draws the number of the selected line among those with a match on the lower border.
    private func drawMatchCount(_ lines: [ResponseLine], _ search: LineSearch?, on canvas: inout Canvas) {
        guard let search, !search.isInvalid else { return }
        let found = lines.indices.filter { search.matches(lines[$0].text) }
        guard let number = found.firstIndex(of: shown.line) else { return }
        let text = " match \(number + 1) of \(found.count) "
        let pane = state.layout.response
        guard CellWidth.width(of: text) + 4 < pane.width else { return }
        canvas.write(text, at: Point(column: pane.endColumn - 2 - CellWidth.width(of: text), row: pane.endRow - 1), style: .muted)
    }

    private func window(of lines: [ResponseLine], in list: Rect) -> ListWindow { ListWindow(list, showing: shown.line, of: lines.count) }

    private func emptyHint(_ call: Call) -> String {
        switch shown.tab {
        case .body: ""
        case .headers: call.isInFlight ? "No response yet." : "There was no response."
        case .cookies: call.knownResponse == nil ? "No response yet." : "The response sets no cookies, and none were sent."
        case .timing: call.isInFlight ? "The times are shown when the request has ended." : "Nothing was sent, so there are no times."
        case .trace: "No decisions yet."
        case .checks: noChecksHint(call)
        case .value: call.isInFlight ? "No value yet." : "The envelope of a service, reform:, or expect: {format: xml} makes a value of the body."
        }
    }

    private func noChecksHint(_ call: Call) -> String {
        if call.isInFlight { return "No response yet." }
        if let past = state.responses.past?.past {
            guard past.exchange.request.origin != nil else {
                return "The history does not have the endpoint of this exchange, so there is nothing to compare it with."
            }
            if past.exchange.response == nil { return "There was no response to compare." }
            return "The endpoint checked nothing when this was sent."
        }
        guard call.exchange != nil else { return "Nothing was sent, so nothing was checked." }
        if state.openEndpoint?.expectation != nil, call.knownResponse == nil { return "There was no response to compare." }
        return "The endpoint checks nothing. Add expect: or capture: on the tab Rules of Request."
    }

    /// The positions of the tabs and of the lines of the shown tab.
    func jumpPoints(_ layout: Layout) -> [Point] {
        let inner = layout.response.inset(columns: 2, rows: 1)
        guard let call, !inner.isEmpty else { return [] }
        let tabs = tabBar(call, room: inner.width).starts(width: inner.width).map { Point(column: inner.column + $0, row: inner.row) }
        let list = Self.listRect(layout)
        let starts = list.rows.map { Point(column: list.column, row: $0) }
        if shown.tab == .body {
            let view = BodyTabView(state)
            return tabs + (state.openBody.map { body in starts.filter { view.row(at: $0, body) != nil } } ?? [])
        }
        let lines = ResponseLines(state).lines
        let window = window(of: lines, in: list)
        return tabs + starts.filter { window.index(at: $0) != nil }
    }

    /// What a click selects: a tab, or the line of the shown tab.
    ///
    /// - Parameter layout: The layout on the screen when it was clicked.
    func select(at point: Point, _ layout: Layout, _ response: inout ResponseState) {
        guard let call else { return }
        let inner = layout.response.inset(columns: 2, rows: 1)
        let list = Self.listRect(layout)
        if point.row == inner.row, let index = tabBar(call, room: inner.width).index(atColumn: point.column - inner.column) {
            response.tab = ResponseTab.allCases[index]
        } else if let table = state.shownTable {
            let view = BodyTableView(table, in: BodyTabView(state).bodyArea, isActive: true)
            if let place = view.place(at: point) {
                response.table?.row = place.row
                response.table?.column = place.column
            }
        } else if response.tab == .body {
            if let body = state.openBody, let row = BodyTabView(state).row(at: point, body) { response.row = row }
        } else if list.contains(point) {
            let lines = ResponseLines(state).lines
            if let index = window(of: lines, in: list).index(at: point) { response.line = index }
        }
    }
}

/// What the response pane shows instead of the open endpoint's latest call: a past exchange, or a replay without an endpoint.
struct PastView: Sendable {
    /// The call that is shown.
    let call: CallID
    /// The stored exchange; nil for a replay in flight.
    var past: PastExchange?
    /// The formatted time of the exchange, without the date on the same day.
    var moment = ""
    /// The formatted time with the date.
    var fullMoment = ""
    /// The title when the workspace has no such endpoint.
    var name: String?

    /// The stored exchange that sending replays; nil where the workspace has its endpoint, which is sent instead.
    var replayedItem: HistoryItem? { name == nil ? nil : past?.item }

    /// The lines above the body: the exchange, and what of it is incomplete.
    var origin: [(text: String, isWarning: Bool)] {
        guard let past else { return [] }
        let item = past.item
        var facts = ["#\(item.number)", fullMoment]
        if let environment = item.environment { facts.append(environment) }
        if let run = item.run { facts.append("step of \(run)") }
        if item.isPinned { facts.append("pinned") }
        facts += item.tags.map { "#" + $0 }
        var lines: [(String, Bool)] = [("From the history: " + facts.joined(separator: " · ") + ". Secrets are masked.", false)]
        if !item.note.isEmpty { lines.append(("Note: \(item.note)", false)) }
        if !past.unreadable.isEmpty { lines.append(("Damaged in the history and left out: \(past.unreadable.joined(separator: ", "))", true)) }
        if let missing = past.missingRequestBody { lines.append(("Request body: \(missing)", true)) }
        if let note = past.bodyNote { lines.append((note.text, note.isWarning)) }
        return lines
    }
}
