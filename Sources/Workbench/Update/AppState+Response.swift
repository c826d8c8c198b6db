internal import Model
internal import Terminal

/// Navigation and copying in the response pane.
extension AppState {
    mutating func moveInResponse(_ movement: Movement) -> [Effect] {
        guard responseState.tab == .body else {
            responseState.line = movement.target(
                from: responseState.line, count: responseLines.count, page: responseListRect.height)
            return []
        }
        guard let body = openCall?.body else { return [] }
        let height = responseBodyHeight
        let lastTop = max(0, body.rowCount - height)
        responseState.top =
            switch movement {
            case .first: 0
            case .last: lastTop
            default: movement.target(from: min(responseState.top, lastTop), count: lastTop + 1, page: height)
            }
        return []
    }

    mutating func switchMode() -> [Effect] {
        guard let shownKey, var body = openCall?.body else { return [] }
        let modes = body.modes
        guard let index = modes.firstIndex(of: body.mode), modes.count > 1 else {
            toast = Toast("These bytes can only be shown as \(body.mode.rawValue)", .warning)
            return []
        }
        let here = body.rows(responseState.top..<responseState.top + 1).first?.sourceRange.lowerBound ?? 0
        let mode = modes[(index + 1) % modes.count]
        body.show(mode)
        calls[shownKey]?.body = body
        responseState.mode = mode
        responseState.left = 0
        // The same bytes stay visible.
        responseState.top = 0
        responseState.pendingOffset = here
        revealPending(shownKey)
        // Matches belong to the display mode.
        stopJobs { $0.kind == .search || $0.kind == .matchCount }
        responseState.forgetMatch()
        toast = Toast("Body shown \(mode == .hex ? "as hex" : mode.rawValue)")
        return continueIndex(shownKey)
    }

    /// The maximum size in bytes of a text for the clipboard or the editor.
    static let copyLimit = 1 << 20

    /// Copies the selection of the focused pane (key y).
    mutating func copy() -> [Effect] {
        switch popup {
        case .dryRun(let dryRun): return copy(dryRun.text(redaction: redaction), "what would be sent")
        case .transfer(let transfer): return copy(text(of: transfer), "the details of the transfer")
        case .cookies(let list): return copyCookie(list)
        case .compare(let compare): return copy(compare.text(redaction), "the comparison")
        case .diff(let diff): return copy(diff.text(redaction: redaction), "the differences")
        case .list, .prompt, .files, .form, nil: break
        }
        switch focus {
        case .services:
            if case .endpoint(let target) = services.selected { return copy(target, "the target") }
            if case .run(let name) = services.selected { return copy(name, "the name") }
        case .request:
            guard let endpoint = openEndpoint else { break }
            guard let row = selectedRequestRow else { return copy(RequestPreview(self, endpoint).text, "the URL") }
            if case .line = row.kind { return copy(endpoint.body.editableText ?? "", "the body") }
            return copy(row.value, row.name.isEmpty ? "the value" : row.name)
        case .response:
            if responseState.tab == .body { return copyBody() }
            let lines = responseLines
            guard lines.indices.contains(responseState.line) else { break }
            return copy(lines[responseState.line].copyText, lines[responseState.line].name)
        case .bottom:
            if case .transfer(let transfer) = selectedTransfer, let path = transfer.file ?? transfer.folder { return copy(path, "the path") }
            if let item = selectedItem { return copy(item.url, "the URL") }
            if bottom.tab == .monitor, let text = monitorText { return copy(text, "the row") }
            guard bottom.tab == .log, let (text, name) = copyFromLog() else { break }
            return copy(text, name)
        }
        toast = Toast("There is nothing to copy here", .warning)
        return []
    }

    private mutating func copyBody() -> [Effect] {
        guard let body = openCall?.body, !body.bytes.isEmpty else {
            toast = Toast("There is no body to copy", .warning)
            return []
        }
        guard body.bytes.count <= AppState.copyLimit else {
            let size = ByteText.amount(Int64(body.bytes.count))
            toast = Toast("\(size) is too large for the clipboard; s saves the body to a file", .warning)
            return []
        }
        guard body.kind != .binary else {
            toast = Toast("The clipboard accepts only text, and this body is binary; s saves it to a file", .warning)
            return []
        }
        return copy(body.wholeText, "the body")
    }

    mutating func copy(_ text: String, _ what: String, advice: String? = nil) -> [Effect] {
        guard !text.isEmpty else {
            toast = Toast("It is empty", .warning)
            return []
        }
        return [.copy(nextJob(.copy(what, advice: advice)), text)]
    }

    mutating func askForBodyPath() {
        guard let call = openCall, let body = call.body else { return }
        let ending =
            switch body.kind {
            case .json: ".json"
            case .xml: ".xml"
            case .html: ".html"
            case .text, .empty: ".txt"
            case .binary: ".bin"
            }
        let last = FilePath.components(of: call.target).last.map(String.init) ?? "body"
        askForPath("Save the body to", .saveBody(call.id), suggesting: last + ending)
    }
}
