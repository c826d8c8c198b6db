internal import Model
internal import Storage

/// Unsaved edits on disk, so that not even a crash loses them.
enum DraftKeeper {
    /// What an earlier run left unsaved, and who keeps what is unsaved from now on.
    static func open(workspace folder: String, mailbox: Mailbox, notices: inout [String]) -> ([EndpointDraft], LatestKeeper<[EndpointDraft]>) {
        let store = DraftStore(workspace: folder)
        var drafts: [EndpointDraft] = []
        do {
            drafts = try store.load()
            if !drafts.isEmpty {
                notices.append("Unsaved edits of \(drafts.count == 1 ? "one endpoint" : "\(drafts.count) endpoints") are back")
            }
        } catch {
            notices.append("\(error)")
        }
        return (drafts, LatestKeeper("drafts", kept: drafts, mailbox: mailbox) { try store.save($0) })
    }
}
