internal import WorkspaceModel

/// The drafts that a program stores in a file that it shares with other programs.
struct DraftMerge {
    /// The drafts to store: those of the file in their order, then the new ones.
    let drafts: [EndpointDraft]
    /// The endpoints whose drafts of another program were replaced by newer ones.
    let replaced: [EndpointID]

    /// Merges drafts by endpoint.
    ///
    /// - Parameters:
    ///   - stored: The drafts in the file.
    ///   - known: The drafts that this program read or wrote last.
    ///   - own: The drafts that this program has now. A draft that changed since is newer than that of the file; one that did not change is stored only
    ///     where the file has none.
    init(stored: [EndpointDraft], known: [EndpointDraft], own: [EndpointDraft]) {
        let before = Dictionary(known.map { ($0.edited.id, $0) }) { $1 }
        let now = Dictionary(own.map { ($0.edited.id, $0) }) { $1 }
        var drafts: [EndpointDraft] = []
        var replaced: [EndpointID] = []
        for draft in stored {
            let id = draft.edited.id
            guard let ours = now[id] else {
                // A draft that this program does not know, or that another program changed since, belongs to the other program.
                if before[id] == nil || before[id] != draft { drafts.append(draft) }
                continue
            }
            guard ours != before[id] else {
                drafts.append(draft)
                continue
            }
            if draft != before[id], draft != ours { replaced.append(id) }
            drafts.append(ours)
        }
        let known = Set(stored.map(\.edited.id))
        self.drafts = drafts + own.filter { !known.contains($0.edited.id) }
        self.replaced = replaced
    }
}
