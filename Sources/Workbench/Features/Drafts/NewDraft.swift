internal import WorkspaceModel

/// Endpoints that exist only as unsaved changes, such as a pasted curl command.
extension DraftsFeature {
    /// Gives an unsaved endpoint its row in Services; false where its service does not exist.
    @discardableResult
    static func insertNew(_ draft: Draft, _ state: inout AppState) -> Bool {
        guard let index = state.workspace.services.firstIndex(where: { $0.folder == draft.edited.serviceName }) else { return false }
        state.workspace.services[index].endpoints.append(draft.original)
        return true
    }

    /// Discards an unsaved endpoint; always asks first, because nothing restores it.
    static func discard(new target: EndpointID, _ state: inout AppState) {
        let name = state.drafts[target]?.edited.name ?? target.path
        state.confirm("Discard the unsaved request?", name, keep: "Keep it", "Discard it", detail: "it is in no file; this cannot be undone") {
            state in
            if state.drafts[target]?.isNew == true { discardNew(target, &state) }
            return []
        }
    }

    /// Removes an unsaved endpoint.
    private static func discardNew(_ target: EndpointID, _ state: inout AppState) {
        state.drafts[target] = nil
        state.requests[target] = nil
        for index in state.workspace.services.indices { state.workspace.services[index].endpoints.removeAll { $0.id == target } }
        if state.openTarget == target { state.openTarget = nil }
        state.services.rebuild(state.workspace)
        if state.services.selected == .endpoint(target) {
            state.services.selected = state.services.firstEndpoint ?? state.services.rows.first?.kind
        }
        state.openSelected()
        state.notify("The unsaved request was discarded", source: target)
    }
}

extension Draft {
    /// Whether the endpoint was never saved.
    var isNew: Bool { isFileGone && original.path.isEmpty }
}
