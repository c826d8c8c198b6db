internal import BodyViews
internal import SortieHTTP

/// The bodies of calls while they arrive, and their indexes.
extension ResponseFeature {
    /// Extends the body of a call that the response pane can show, and continues its index.
    static func grow(_ id: CallID, to bytes: BodyBytes, isFinal: Bool, _ state: inout AppState) -> [Effect] {
        guard state.calls.isViewable(id) else { return [] }
        let key = state.calls.key(of: id)
        let mode = state.responses[key]?.mode
        state.calls.change(id) { $0.call.grow(to: bytes, isFinal: isFinal, mode: mode) }
        return continueIndex(key, &state)
    }

    /// Indexes more of the body of a call, one step at a time.
    static func continueIndex(_ key: CallKey, _ state: inout AppState) -> [Effect] {
        guard let call = state.calls[key], let body = call.body, body.canAdvance, !call.isIndexing else { return [] }
        state.calls[key]?.isIndexing = true
        return [.index(call.id, body)]
    }

    /// Takes a body that was indexed further.
    static func indexed(_ id: CallID, _ view: BodyView, _ state: inout AppState) -> [Effect] {
        guard let current = state.calls[id]?.call.body else { return [] }
        var view = view
        if view.bytes != current.bytes || view.isFinal != current.isFinal {
            view.grow(to: current.bytes, isFinal: current.isFinal)
        }
        if view.mode != current.mode, view.modes.contains(current.mode) { view.show(current.mode) }
        let key = state.calls.key(of: id)
        state.calls[key]?.isIndexing = false
        state.calls[key]?.body = view
        revealPending(key, &state)
        return continueIndex(key, &state)
    }
}
