import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests downloads that processes of their own continue: leaving them when the program is closed, and their rows.
@Suite struct DetachedDownloadsTests {
    private func state() -> AppState {
        var state = AppState(
            workspace: .sample, environment: nil, size: Size(width: 200, height: 50),
            folders: TransferFolders(home: "/home/me", current: "/work", downloads: "/home/me/Downloads"))
        state.open("shop/big")
        return state
    }

    private func row(process: Int32?, exitCode: Int32? = nil) -> DetachedDownloadProgress {
        var download = DetachedDownload(
            id: 3, target: "shop/big", file: "/home/me/big.iso", command: "sortie download shop/big --detach", startedAt: 0, startedWith: 0,
            state: exitCode == 0 ? "done" : "receiving")
        download.process = process
        download.end = exitCode.map { DetachedDownload.End(exitCode: $0, bytes: 100, time: 9) }
        return DetachedDownloadProgress(download, left: exitCode == 0 ? nil : DownloadProgress(received: 50, total: 100), at: 10)
    }

    /// The workbench with one detached download in Transfers.
    private func listing(_ row: DetachedDownloadProgress) throws -> AppState {
        var state = state()
        answer(state.listDetached(), row, &state)
        state.press("T")
        return state
    }

    /// Answers a request for the list.
    private func answer(_ effects: [Effect], _ row: DetachedDownloadProgress, _ state: inout AppState) {
        for (id, _) in effects.started(DetachedDownloadsJob.self) { _ = state.end(DetachedDownloadsJob.self, id, DetachedDownloadListing([row])) }
    }

    private func requests(_ effects: [Effect]) -> [DetachedDownloadRequest] {
        effects.started(DetachedDownloadsJob.self).map(\.job.request)
    }

    @Test func `S2.65 quitting can leave downloads running, which the next program does not offer as unfinished`() {
        var state = state()
        _ = state.downloadOpen()
        #expect(state.press("^Q").isEmpty)
        #expect(state.screen.contains("Leave 1 download running and quit"), "\(state.screen)")
        #expect(state.press("↓", "↓", "Enter") == [.quit])
        #expect(state.leftDownloads.map(\.endpoint.target) == ["shop/big"])
        #expect(state.unfinishedTransfers.isEmpty)
    }

    @Test func `S2.65 quitting without leaving them keeps downloads for the next program`() {
        var state = state()
        _ = state.downloadOpen()
        state.press("^Q", "↓", "Enter")
        #expect(state.isQuitting && state.leftDownloads.isEmpty)
        #expect(state.unfinishedTransfers.count == 1)
    }

    @Test func `S2.65 an upload cannot be left running`() {
        var state = state()
        state.change { ($0.kind, $0.method) = (.upload, .post) }
        _ = state.downloadOpen()
        state.press("^Q")
        #expect(state.screen.contains("1 transfer in progress") && !state.screen.contains("Leave 1"), "\(state.screen)")
    }

    @Test func `S2.65 Transfers lists a detached download, and x stops it after a question`() throws {
        var state = try listing(row(process: 77))
        #expect(state.screen.contains("big.iso") && state.screen.contains("50 %") && state.screen.contains("detached: receiving"), "\(state.screen)")
        #expect(requests(state.press("x")).isEmpty)
        #expect(state.screen.contains("Stop the download?"), "\(state.screen)")
        #expect(requests(state.press("↓", "Enter")) == [.stop(3)])
    }

    @Test func `S2.65 x removes a detached download that has ended, and Enter has the command that resumes one`() throws {
        var state = try listing(row(process: nil))
        #expect(state.screen.contains("detached: interrupted"), "\(state.screen)")
        state.press("Enter", "↓")
        #expect(state.screen.contains("sortie download shop/big --detach"), "\(state.screen)")
        state.press("Esc")
        #expect(requests(state.press("x")) == [.forget(3)])
    }

    @Test func `S2.65 the progress of a running one is read once a second while Transfers is shown, and its end is reported`() throws {
        var state = try listing(row(process: 77))
        #expect(state.wantsTicks)
        let effects = state.update(.tick(now: 5))
        #expect(requests(effects) == [.list])
        #expect(requests(state.update(.tick(now: 7))).isEmpty, "the list has not arrived")
        answer(effects, row(process: 77), &state)
        let next = state.update(.tick(now: 8))
        #expect(requests(next) == [.list])
        answer(next, row(process: nil, exitCode: 0), &state)
        #expect(state.screen.contains("big.iso: done"), "\(state.screen)")
        #expect(requests(state.update(.tick(now: 20))).isEmpty)
    }
}
