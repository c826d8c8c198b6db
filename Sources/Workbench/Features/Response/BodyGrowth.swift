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
        followEnd(key, &state)
        let filtering = filterArrived(key, &state)
        return continueIndex(key, &state) + filtering
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
        let key = state.calls.key(of: id)
        state.calls[key]?.isIndexing = false
        if let merged = merged(view, current) { state.calls[key]?.body = merged }
        followEnd(key, &state)
        follow(key, &state)
        return revealPending(key, &state) + continueIndex(key, &state)
    }

    /// A view that was indexed further, with what has changed meanwhile; nil when it belongs to another body.
    static func merged(_ view: BodyView, _ current: BodyView) -> BodyView? {
        guard view.bytes.count <= current.bytes.count else { return nil }
        var view = view
        view.setHexWidth(current.hexWidth)
        if view.folds != current.folds { view.takeFolding(from: current) }
        if view.bytes != current.bytes || view.isFinal != current.isFinal {
            view.grow(to: current.bytes, isFinal: current.isFinal)
        }
        if view.mode != current.mode, view.modes.contains(current.mode) { view.show(current.mode) }
        return view
    }

    /// Indexes more of the shown body, which may be the results of a filter.
    static func continueShown(_ key: CallKey, _ state: inout AppState) -> [Effect] {
        state.responses[key]?.filter?.results == nil ? continueIndex(key, &state) : indexResults(key, &state)
    }
}
