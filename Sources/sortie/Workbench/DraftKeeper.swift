internal import Model
internal import Storage

/// Unsaved edits on disk, so that not even a crash loses them.
enum DraftKeeper {
    /// What an earlier run left unsaved, and who keeps what is unsaved from now on.
    static func open(workspace folder: String, mailbox: Mailbox, notices: inout [String]) -> ([Endpoint], LatestKeeper<[Endpoint]>) {
        let store = DraftStore(workspace: folder)
        var endpoints: [Endpoint] = []
        do {
            endpoints = try store.load()
            if !endpoints.isEmpty {
                notices.append("Unsaved edits of \(endpoints.count == 1 ? "one endpoint" : "\(endpoints.count) endpoints") are back")
            }
        } catch {
            notices.append("\(error)")
        }
        return (endpoints, LatestKeeper("drafts", kept: endpoints, mailbox: mailbox) { try store.save($0) })
    }
}
