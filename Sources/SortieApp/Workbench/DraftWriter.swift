internal import SortieStorage
internal import SortieWorkbench
internal import WorkspaceModel

/// Stores unsaved edits on disk, so that a crash does not lose them.
enum DraftWriter {
    /// Returns the unsaved edits of an earlier session, and the keeper of those of this session.
    static func open(
        workspace folder: String, stateFolder: String, mailbox: Mailbox, notices: inout [String]
    ) -> ([EndpointDraft], LatestValueWriter<[EndpointDraft]>) {
        let store = DraftStore(workspace: folder, stateFolder: stateFolder)
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
        let writer = LatestValueWriter("drafts", kept: drafts, mailbox: mailbox) { drafts in
            for endpoint in try store.save(drafts) {
                let text = "another window edited this endpoint too; the edits of this window are the newer ones and are stored"
                mailbox.post(.log(LogEntry(.warning, source: endpoint.path, text)))
            }
        }
        return (drafts, writer)
    }
}
