internal import SortieStorage
internal import WorkspaceModel

/// Stores unsaved edits on disk, so that a crash does not lose them.
enum DraftWriter {
    /// Returns the unsaved edits of an earlier session, and the keeper of those of this session.
    static func open(workspace folder: String, mailbox: Mailbox, notices: inout [String]) -> ([EndpointDraft], LatestValueWriter<[EndpointDraft]>) {
        let store = DraftStore(workspace: folder)
        var drafts: [EndpointDraft] = []
        do {
            let (found, problems) = try store.load()
            drafts = found
            notices += problems.map(\.description)
            if !drafts.isEmpty {
                notices.append("Unsaved edits of \(drafts.count == 1 ? "one endpoint" : "\(drafts.count) endpoints") are restored")
            }
        } catch {
            notices.append("\(error)")
        }
        return (drafts, LatestValueWriter("drafts", kept: drafts, mailbox: mailbox) { try store.save($0) })
    }
}
