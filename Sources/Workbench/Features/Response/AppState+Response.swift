internal import BodyViews
internal import HistoryModel
internal import SortieBase
internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// The body of the response pane: its display mode, copying and saving it.
extension AppState {

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
        stopSearching()
        responseState.forgetMatch()
        toast = Toast("Body shown \(mode == .hex ? "as hex" : mode.rawValue)")
        return SendingFeature.continueIndex(shownKey, &self)
    }

    mutating func copyBody() -> [Effect] {
        guard let body = openCall?.body, !body.bytes.isEmpty else {
            toast = Toast("There is no body to copy", .warning)
            return []
        }
        guard body.bytes.count <= AppState.copyLimit else {
            let size = ByteText.amount(Int64(body.bytes.count))
            toast = Toast("\(size) is too much for a clipboard; \(key(.saveBody)) saves the body to a file", .warning)
            return []
        }
        guard body.kind != .binary else {
            toast = Toast("A clipboard takes text, and this body is binary; \(key(.saveBody)) saves it to a file", .warning)
            return []
        }
        return copy(body.wholeText, "the body")
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
        let last = FilePath.components(of: call.endpoint?.path ?? "").last.map(String.init) ?? "body"
        askForPath("Save the body to", PathUse(key: "body", content: "the body"), suggesting: last + ending) { [id = call.id] prompt, state in
            guard !prompt.text.isEmpty else { return [] }
            state.popups.pop()
            guard let body = state.calls[id]?.call.body else {
                state.toast = Toast("That response is no longer shown", .warning)
                return []
            }
            return [.saveBody(state.nextJob(SaveFileJob(prompt: prompt)), body.bytes, to: prompt.text, overwrites: prompt.overwrites)]
        }
    }
}
