internal import BodyViews
internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// The body of the response pane: its display mode, copying and saving it.
extension ResponseFeature {
    static func switchMode(_ state: inout AppState) -> [Effect] {
        guard let key = state.shownKey, var body = state.openBody else { return [] }
        let modes = body.modes
        guard let index = modes.firstIndex(of: body.mode), modes.count > 1 else {
            state.toast = Toast("These bytes can only be shown as \(body.mode.rawValue)", .warning)
            return []
        }
        let here = state.responseState.offset(in: body)
        (state.responseState.table, state.responseState.showsTable) = (nil, false)
        let mode = modes[(index + 1) % modes.count]
        body = bodyWithoutPause(body, key, &state)
        body.show(mode)
        state.setShownBody(body, key)
        if state.responseState.filter?.results == nil { state.responseState.mode = mode }
        state.responseState.left = 0
        // The same bytes stay visible.
        (state.responseState.top, state.responseState.row) = (0, 0)
        state.responseState.pendingOffset = here
        let indexing = revealPending(key, &state)
        // Matches belong to the display mode.
        stopSearching(&state)
        state.responseState.forgetMatch()
        state.toast = Toast("Body shown \(mode == .hex ? "as hex" : mode == .image ? "as an image" : mode.rawValue)")
        return indexing + continueShown(key, &state)
    }

    /// Whether the shown results are those of an earlier text of the filter, which a message then says.
    static func isOutdated(_ state: inout AppState) -> Bool {
        guard let filter = state.responseState.filter, filter.isOutdated || filter.problem != nil && filter.count == 0 else { return false }
        state.toast = Toast(filter.problem.map { "The filter has no results: \($0)" } ?? "The filter is still running", .warning)
        return true
    }

    static func copyBody(_ state: inout AppState) -> [Effect] {
        guard let body = state.openBody, !body.bytes.isEmpty else {
            state.toast = Toast("There is no body to copy", .warning)
            return []
        }
        guard body.bytes.count <= AppState.copyLimit else {
            let size = ByteText.amount(Int64(body.bytes.count))
            state.toast = Toast("\(size) is too much for a clipboard; \(state.key(.saveBody)) saves the body to a file", .warning)
            return []
        }
        guard body.kind != .binary else {
            state.toast = Toast("A clipboard takes text, and this body is binary; \(state.key(.saveBody)) saves it to a file", .warning)
            return []
        }
        return state.copy(body.wholeText, state.responseState.filter?.results == nil ? "the body" : "the results of the filter")
    }

    static func askForBodyPath(_ state: inout AppState) {
        guard !isOutdated(&state), let call = state.openCall, let key = state.shownKey, let body = state.openBody else { return }
        let name = (FilePath.components(of: call.endpoint?.path ?? "").last.map(String.init) ?? "body") + body.kind.fileSuffix
        state.askForPath("Save the body to", PathUse(key: "body", content: "the body"), suggesting: name) { prompt, state in
            guard !prompt.text.isEmpty else { return [] }
            state.popups.pop()
            guard state.calls[key]?.id == call.id, let body = state.shownBody(key) else {
                state.toast = Toast("That response is no longer shown", .warning)
                return []
            }
            return state.start(SaveFileJob(content: .body(body.bytes), prompt: prompt))
        }
    }

    /// Copies the pin of the rejected key, for a user who has verified the key.
    static func copyPin(_ state: inout AppState) -> [Effect] {
        guard let leaf = state.openCall?.refusedChain.first else { return [] }
        return state.copy(
            leaf.pin, "the pin of \(state.redaction.masked(leaf.subject))", advice: "add it to trust.pins only after verifying the key")
    }
}

extension BodyKind {
    /// The suffix of a file with such a body.
    var fileSuffix: String {
        switch self {
        case .json: ".json"
        case .xml: ".xml"
        case .html: ".html"
        case .text, .empty: ".txt"
        case .binary: ".bin"
        }
    }
}
