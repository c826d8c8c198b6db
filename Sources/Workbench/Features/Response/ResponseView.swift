internal import BodyViews
internal import SortieBase
internal import SortieHTTP
internal import SortieTerminal

/// The response pane: the status in the title, then the shown tab.
extension AppState {
    func drawResponse(on canvas: inout Canvas, in rect: Rect, _ layout: Layout) {
        let sharesBorder = !layout.isSideBySide && !layout.request.isEmpty
        let isSending = openCall?.phase == .sending && callToCancel?.id == openCall?.id
        canvas.box(
            rect, title: responseTitle, trailing: isSending ? [Span(key(.back), .key), Span(" cancels", .muted)] : [],
            style: borderStyle(.response), joints: sharesBorder ? .above : [])
        if sharesBorder, isActive(.request) {
            // The panes share this border; the focused pane determines its style.
            let edge = Rect(column: rect.column, row: rect.row, width: rect.width, height: 1)
            canvas.restyle(edge) { if $0.role == .border { $0.role = .borderFocused } }
        }
        let inner = rect.inset(columns: 2, rows: 1)
        guard inner.height > 0, inner.width > 0 else { return }
        guard let call = openCall else {
            let sentence = openEndpoint == nil ? "No endpoint is open." : "Nothing was sent yet. \(key(.send)) sends the request."
            canvas.writeHint([sentence], in: inner)
            return
        }
        canvas.write(responseTabBar(call).spans, at: inner.origin, width: inner.width)
        if responseState.tab == .body {
            drawBodyTab(call, on: &canvas, in: responseListRect)
        } else {
            drawLines(call, on: &canvas, in: responseListRect)
        }
        drawSearch(.response, on: &canvas, in: inner)
    }

    func responseTabBar(_ call: Call) -> TabBar {
        var marks: Set<Int> = []
        if call.body?.bytes.isEmpty == false { marks.insert(0) }
        if call.hasCookies { marks.insert(2) }
        return TabBar(
            titles: ResponseTab.allCases.map(\.title), selected: ResponseTab.allCases.firstIndex(of: responseState.tab) ?? 0,
            marks: marks)
    }

    /// The title, such as `Response  200 OK · 1.2 kB · 34 ms`, or the progress.
    private var responseTitle: [Span] {
        var title = [Span("Response", titleStyle(.response))]
        guard let call = openCall else { return title }
        func add(_ text: String, _ style: Style = .text) { title += [Span(" · ", .muted), Span(text, style)] }
        title.append(Span("  "))
        if let past {
            title.append(Span(past.past == nil ? "replay" : "past \(past.moment)", .info))
            if let name = past.name {
                title += [
                    Span(" · ", .muted), Span(CellWidth.truncated(redaction.maskedURL(name), to: (layout.response.width - 58).clamped(to: 12...80))),
                ]
            }
            title.append(Span(" · ", .muted))
        }
        switch call.phase {
        case .sending where isWaiting(call.id): title.append(Span("⏸ waiting for the network", .warning))
        case .sending, .cancelling:
            if let transfer = openTransfer {
                title += titleSpans(of: transfer)
                break
            }
            let isCancelling = call.phase == .cancelling
            title.append(Span(Spinner.frame(at: now) + " ", .accent))
            if isCancelling {
                title.append(Span("cancelling", .accent))
            } else if call.isSuspended {
                title.append(Span("paused", .warning))
            } else if call.queuedBecause != nil {
                title.append(Span("queued", .warning))
            } else if let moment = call.retriesAt {
                title.append(Span("retrying in \(NumberText.seconds(max(0, moment - call.elapsed)))", .warning))
            } else if let response = call.response {
                title.append(Span(StatusText.line(response), StatusText.style(ofStatus: response.status)))
            } else {
                title.append(Span("sending", .accent))
            }
            let bytes = call.isUploading ? call.progress.sent : call.progress.received
            if bytes > 0 { add((call.isUploading ? "↑ " : "↓ ") + ByteText.amount(bytes)) }
            add(NumberText.seconds(call.elapsed))
        case .notSent: title.append(Span("not sent", .error))
        case .finished(let exchange):
            if let response = exchange.response {
                title.append(Span(StatusText.line(response), StatusText.style(ofStatus: response.status)))
                if let error = exchange.error {
                    add(call.isCancelled ? "cancelled" : error.code.rawValue, call.isCancelled ? .warning : .error)
                }
                if exchange.expectationResult?.failures.isEmpty == false { add("not as expected", .error) }
                add(ByteText.amount(openTransfer?.result?.bytes ?? Int64(response.body.count)))
            } else {
                title.append(
                    Span(
                        call.isCancelled ? "cancelled" : exchange.error?.code.rawValue ?? "no response",
                        call.isCancelled ? .warning : .error))
            }
            add(NumberText.seconds(call.duration))
            if exchange.response?.isFromCache == true { add("from the cache", .info) }
            if exchange.request.options.trust.isInsecure { add("TLS not verified", .warning) }
        }
        return title
    }

    /// The state of a transfer.
    private func titleSpans(of transfer: Transfer) -> [Span] {
        let state = transfer.stateText(self)
        var facts = [Span(state.text.isEmpty ? transfer.isUpload ? "sending" : "receiving" : redaction.masked(state.text), state.style)]
        if transfer.progress.received > 0 { facts.append(Span((transfer.isUpload ? "↑ " : "↓ ") + ByteText.amount(transfer.progress.received))) }
        if transfer.elapsed > 0 { facts.append(Span(NumberText.seconds(transfer.elapsed))) }
        return Array(facts.map { [$0] }.joined(separator: [Span(" · ", .muted)]))
    }

    private func drawLines(_ call: Call, on canvas: inout Canvas, in list: Rect) {
        let lines = responseLines
        guard !lines.isEmpty else {
            canvas.writeHint([emptyLinesHint(call)], in: list)
            return
        }
        let top = responseTop(count: lines.count)
        let search = searchTerms[.response].map { LineSearch(searchTerm: $0) }
        for offset in 0..<list.height where top + offset < lines.count {
            let index = top + offset
            let point = Point(column: list.column, row: list.row + offset)
            let isMatch = search?.matches(lines[index].text) ?? false
            canvas.write(lines[index].spans, at: point, width: list.width)
            if isMatch {
                canvas.restyle(Rect(column: list.column, row: point.row, width: list.width, height: 1)) { $0.role = .searchMatch }
            }
            if index == responseState.line {
                canvas.select(row: point.row, in: list, isFocused: focus == .response && popup == nil)
            }
        }
    }

    private func emptyLinesHint(_ call: Call) -> String {
        switch responseState.tab {
        case .body: ""
        case .headers: call.isInFlight ? "No response yet." : "There was no response."
        case .cookies: call.knownResponse == nil ? "No response yet." : "The response sets no cookies, and none were sent."
        case .timing: call.isInFlight ? "The times are shown when the request has ended." : "Nothing was sent, so there are no times."
        case .trace: "No decisions yet."
        case .value: call.isInFlight ? "No value yet." : "The envelope of a service, or answer: {format: xml}, makes a value of the body."
        }
    }

    /// The area of the shown tab's content.
    var responseListRect: Rect {
        layout.response.inset(columns: 2, rows: 1).split(topHeight: 1).bottom
    }

    func responseTop(count: Int) -> Int {
        let height = responseListRect.height
        return Window.limited(responseState.line - height * 2 / 3, count: count, height: height)
    }

    /// Handles a click on a tab or a line.
    mutating func clickResponse(at point: Point, _ layout: Layout) {
        guard let call = openCall else { return }
        let inner = layout.response.inset(columns: 2, rows: 1)
        if point.row == inner.row, let index = responseTabBar(call).index(atColumn: point.column - inner.column) {
            responseState.tab = ResponseTab.allCases[index]
        } else if responseState.tab != .body, responseListRect.contains(point) {
            let lines = responseLines
            let index = responseTop(count: lines.count) + point.row - responseListRect.row
            if lines.indices.contains(index) { responseState.line = index }
        }
    }
}
