import BodyViews
import SortieHTTP
import SortieTerminal
import Testing
import WorkspaceModel

@testable import SortieWorkbench

/// Tests the display and operation of downloads and uploads.
@Suite struct TransfersPaneTests {
    static let sizes = [Size(width: 80, height: 24), Size(width: 200, height: 50)]

    private func state(_ size: Size = Size(width: 200, height: 50)) -> AppState {
        var state = AppState(
            workspace: .sample, environment: nil, size: size,
            folders: TransferFolders(home: "/home/me", current: "/work", downloads: "/home/me/Downloads"))
        state.open("shop/big")
        return state
    }

    /// Starts the download with a different query each time, so that there are several.
    private func filled(_ count: Int, _ size: Size = Size(width: 200, height: 50)) -> (AppState, [CallID]) {
        var state = state(size)
        var ids: [CallID] = []
        for number in 1...count {
            state.change { $0.query = [Parameter("n", "\(number)")] }
            ids.append(state.downloadOpen())
        }
        state.press("T")
        return (state, ids)
    }

    private func result(_ end: TransferState, bytes: Int64 = 2_000_000_000, digest: FileDigest? = nil) -> DownloadResult {
        var exchange = Exchange.sample(error: nil)
        if case .failed(let error, _) = end { exchange = .sample(error: error) }
        return DownloadResult(
            state: end, file: "/home/me/Downloads/big.iso", bytes: bytes, resumedAt: 0, restarts: 0, digest: digest, exchange: exchange)
    }

    /// The rows of the pane.
    private func rows(_ state: AppState) -> [String] { state.screen.split(separator: "\n").map(String.init).filter { $0.contains("↓ big.iso") } }

    @Test func `a download is started with the download folder`() {
        var state = state()
        let effects = state.press("^R")
        guard case .download(_, let order)? = effects.first else {
            Issue.record("\(effects)")
            return
        }
        #expect(order.destination == "/home/me/Downloads/")
        #expect(effects.count == 1)
    }

    @Test(arguments: [("out/", "/demo/shop/out/"), ("~/x.iso", "/home/me/x.iso"), ("/tmp", "/tmp"), ("../y.bin", "/demo/y.bin")])
    func `an endpoint specifies the destination of its download`(to: String, expected: String) {
        var state = state()
        state.change { $0.download = DownloadSettings(to: to) }
        state.change { $0.location = SourceLocation(file: "shop/big.yaml") }
        guard case .download(_, let order)? = state.press("^R").first else { return #expect(Bool(false)) }
        #expect(order.destination == expected)
    }

    @Test(arguments: sizes) func `a row displays progress and resumption`(size: Size) {
        var (state, ids) = filled(1, size)
        _ = state.update(.tick(now: 0))
        _ = state.update(.download(ids[0], .changed(.preparing)))
        _ = state.update(.download(ids[0], .changed(.requesting(offset: 400_000_000))))
        _ = state.update(.download(ids[0], .changed(.receiving)))
        for step in 1...10 {
            _ = state.update(
                .download(
                    ids[0],
                    .progressed(
                        DownloadProgress(
                            received: 1_220_000_000, total: 2_000_000_000, rate: 31_200_000 * Double(step), average: 200_000_000, remaining: 3))))
            _ = state.update(.tick(now: Double(step)))
        }
        let row = rows(state).first ?? ""
        #expect(row.contains("61 %  1.2/2.0 GB  312 MB/s"))
        #expect(row.contains("resumed at"))
        #expect(row.contains("█") && row.contains("─"))
        if size.width == 200 {
            #expect(
                row.contains("⌀ 200 MB/s  ▁▂▃▄▅▅▆▇█  3.0 s  resumed at 400 MB")
                    || row.contains("⌀ 200 MB/s") && row.contains("3.0 s  resumed at 400 MB"))
        }
        for line in state.screen.split(separator: "\n") { #expect(CellWidth.width(of: String(line)) <= size.width) }
    }

    @Test func `the segments of several connections are drawn at their places`() {
        var (state, ids) = filled(1)
        _ = state.update(
            .download(
                ids[0],
                .progressed(
                    DownloadProgress(
                        received: 40, total: 80,
                        segments: [DownloadSegment(start: 0, end: 40, received: 20), DownloadSegment(start: 40, end: 80, received: 20)]))))
        let bar = rows(state).first?.filter { $0 == "█" || $0 == "─" } ?? ""
        let quarter = bar.count / 4
        #expect(quarter > 0)
        #expect(bar == [("█", quarter), ("─", quarter), ("█", quarter), ("─", quarter)].map { String(repeating: $0, count: $1) }.joined())
    }

    @Test func `a download that waits for its next attempt or is paused shows no rate and no motion`() {
        var (state, ids) = filled(1, Size(width: 120, height: 40))
        _ = state.update(.tick(now: 0))
        _ = state.update(.download(ids[0], .changed(.receiving)))
        let progress = DownloadProgress(received: 500, total: 2_000, rate: 31_200_000, average: 30_000_000, remaining: 3)
        _ = state.update(.download(ids[0], .progressed(progress)))
        #expect(rows(state).first?.contains("31.2 MB/s") == true)
        _ = state.update(.download(ids[0], .changed(.waiting(seconds: 6, because: "connectionRefused"))))
        #expect(state.screen.contains("waiting: retry in 6 s (connection refused)") && !state.screen.contains("MB/s"), "\(state.screen)")
        state.press("p")
        _ = state.update(.download(ids[0], .changed(.paused)))
        let row = state.screen.split(separator: "\n").first { $0.contains("GET  big.iso") } ?? ""
        #expect(row.contains("⏸"), "\(row)")
    }

    @Test func `a refused download shows the size of the displayed body`() {
        var (state, ids) = filled(1, Size(width: 120, height: 40))
        var exchange = Exchange.sample(#"{"error": 1}"#, status: 404)
        exchange.error = NetworkError(.status, "the server responded with 404")
        let result = DownloadResult(
            state: .failed(NetworkError(.status, "x"), isResumable: false), file: "", bytes: 0, resumedAt: 0, restarts: 0, digest: nil,
            exchange: exchange)
        _ = state.update(.download(ids[0], .finished(result)))
        #expect(state.screen.contains("rejected · 12 B"), "\(state.screen)")
    }

    @Test(arguments: sizes) func `transfers beyond the limit are queued, and the next one is marked`(size: Size) {
        let (state, _) = filled(6, size)
        #expect(state.calls.transfers.count(where: \.hasPlace) == 4)
        #expect(state.screen.contains("queued 1st"))
        #expect(state.screen.contains("queued 2nd"))
        #expect(state.screen.contains("6 transfers"))
    }

    @Test func `p pauses and resumes, and another transfer uses the slot meanwhile`() {
        var (state, ids) = filled(5)
        state.press("g")
        let effects = state.press("p")
        guard case .commandDownload(ids[0], .pause)? = effects.first, case .download(ids[4], _)? = effects.last else {
            Issue.record("\(effects)")
            return
        }
        _ = state.update(.download(ids[0], .changed(.paused)))
        #expect(state.screen.contains("paused"))
        #expect(state.press("p") == [], "all places are taken")
        _ = state.update(.download(ids[4], .finished(result(.done))))
        #expect(state.calls[ids[0]]?.call.machine.command == .run)
    }

    @Test func `pressing p twice resumes the download, which stays running`() {
        var (state, ids) = filled(1)
        state.press("g")
        #expect(state.press("p") == [.commandDownload(ids[0], .pause)])
        #expect(state.press("p") == [.commandDownload(ids[0], .run)])
        #expect(state.calls[ids[0]]?.call.machine.command == .run)
        _ = state.update(.download(ids[0], .finished(result(.done))))
        #expect(state.calls[ids[0]]?.call.machine.state == .done)
    }

    @Test func `S2.35 a queued download that a newer one replaces ends in the log`() {
        var (state, _) = filled(4)
        state.open("shop/big")
        state.change { $0.query = [Parameter("n", "5")] }
        let first = state.downloadOpen()
        state.open("shop/big")
        let second = state.downloadOpen()
        #expect(state.calls[first]?.call.machine.state == .superseded && state.calls[second]?.call.machine.command == .wait)
        #expect(state.log.entries.filter { $0.source == "shop/big" }.map(\.text).suffix(2) == ["GET cancelled · 0.0 ms", "GET in flight"])
    }

    @Test func `P pauses all and resumes all`() {
        var (state, ids) = filled(5)
        #expect(state.press("P") == ids.prefix(4).map { .commandDownload($0, .pause) })
        #expect(state.calls.transfersUnderWay == 0)
        #expect(!state.calls.wantsTicks)
        let effects = state.press("P")
        #expect(effects == ids.prefix(4).map { .commandDownload($0, .run) })
    }

    @Test func `x cancels and keeps the part, X deletes it`() {
        var (state, ids) = filled(2)
        state.press("g")
        #expect(state.press("x") == [.commandDownload(ids[0], .cancel(keepsPart: true))])
        state.press("j")
        #expect(state.press("X") == [.commandDownload(ids[1], .cancel(keepsPart: false))])
        #expect(state.screen.contains("cancelling"))
        _ = state.update(.download(ids[0], .finished(result(.cancelled(keepsPart: true)))))
        #expect(state.screen.contains("cancelled; r resumes"))
    }

    @Test func `r resumes a cancelled download`() {
        var (state, ids) = filled(1)
        _ = state.update(.download(ids[0], .placed("/home/me/Downloads/big.iso")))
        _ = state.update(.download(ids[0], .finished(result(.cancelled(keepsPart: true)))))
        guard case .download(let id, let order)? = state.press("r").first else { return #expect(Bool(false)) }
        #expect(id != ids[0])
        #expect(order.file == "/home/me/Downloads/big.iso")
    }

    @Test func `S2.35 a newer download of the same file supersedes the older one, whose row displays this`() {
        var state = state()
        let first = state.downloadOpen()
        let second = state.downloadOpen()
        #expect(first != second)
        _ = state.update(.download(first, .finished(result(.superseded))))
        state.press("T")
        #expect(state.screen.contains("superseded by a newer one"))
        #expect(state.calls[second]?.call.machine.command == .run)
    }

    @Test func `a restart displays its reason`() {
        var (state, ids) = filled(1)
        _ = state.update(.download(ids[0], .changed(.restarting(.changed))))
        _ = state.update(.download(ids[0], .changed(.receiving)))
        #expect(state.screen.contains("restarted: the file on the server has changed"))
    }

    @Test func `a delay is counted down`() {
        var (state, ids) = filled(1)
        _ = state.update(.tick(now: 10))
        _ = state.update(.download(ids[0], .changed(.waiting(seconds: 3, because: "503"))))
        #expect(state.screen.contains("waiting: retry in 3 s (503)"))
        _ = state.update(.tick(now: 12))
        #expect(state.screen.contains("waiting: retry in 1 s (503)"))
    }

    @Test func `the end displays the digest, and Response the file`() {
        var (state, ids) = filled(1)
        let digest = FileDigest(hexadecimal: String(repeating: "ab", count: 32))
        _ = state.update(.download(ids[0], .finished(result(.done, digest: digest))))
        #expect(state.screen.contains("done sha256 ok"))
        #expect(state.screen.contains("Saved to /home/me/Downloads/big.iso"))
        #expect(state.screen.contains("200 OK · 2.0 GB"))
    }

    @Test func `a failure that can be resumed displays this`() {
        var (state, ids) = filled(1)
        let error = NetworkError(.timedOut, "nothing came for 30 s")
        _ = state.update(.download(ids[0], .finished(result(.failed(error, isResumable: true)))))
        #expect(state.screen.contains("nothing came for 30 s; r resumes"))
        #expect(state.unfinishedTransfers.count == 1)
    }

    @Test func `Enter displays every decision, y copies the path`() {
        var (state, ids) = filled(1)
        _ = state.update(.download(ids[0], .placed("/home/me/Downloads/big.iso")))
        _ = state.update(.download(ids[0], .decided(Decision(.body, "begins again: it changed", time: 2))))
        guard case .copy(_, "/home/me/Downloads/big.iso")? = state.press("y").first else { return #expect(Bool(false)) }
        state.press("Enter")
        #expect(state.screen.contains("/home/me/Downloads/big.iso.part"))
        #expect(state.screen.contains("0:02.0  body: begins again: it changed") || state.screen.contains("begins again: it changed"))
        state.press("Esc")
        #expect(state.popup == nil)
    }

    @Test func `o prompts for the folder`() {
        var (state, ids) = filled(1)
        _ = state.update(.download(ids[0], .placed("/home/me/Downloads/big.iso")))
        guard let (id, job) = state.press("o").started(OpenFolderJob.self).first else { return #expect(Bool(false)) }
        #expect(job.folder == "/home/me/Downloads")
        _ = state.end(OpenFolderJob.self, id, .failed("there is no desktop session; y copies the path"))
        #expect(state.screen.contains("/home/me/Downloads: there is no desktop"))
    }

    @Test func `transfers of an earlier program are offered and do not start`() {
        var state = state()
        var order = QueuedTransfer(Endpoint(target: "shop/big", name: "big.iso", path: "/big"), environment: nil, destination: "/downloads/")
        (order.bytes, order.total) = (61, 100)
        #expect(state.start(parked: [], transfers: [order, order]).allSatisfy { $0.request != nil })
        #expect(state.screen.contains("transfer") && state.screen.contains("unfinished; r in Transfers resumes"))
        state.press("T")
        #expect(rows(state).first?.contains("61 %") == true)
        #expect(rows(state).first?.contains("unfinished: r resumes, x removes it") == true)
        #expect(state.unfinishedTransfers == [order], "one that is there twice is there once")
        guard case .download(_, order)? = state.press("r").first else { return #expect(Bool(false)) }
    }

    @Test func `x removes transfers of an earlier program`() {
        var state = state()
        let order = QueuedTransfer(Endpoint(target: "shop/big", name: "big.iso", path: "/big"), environment: nil, destination: "/downloads/")
        _ = state.start(parked: [], transfers: [order])
        #expect(state.press("T", "x").isEmpty)
        #expect(state.unfinishedTransfers.isEmpty)
    }

    @Test func `quitting with running transfers requires confirmation, and keeps them`() {
        var (state, _) = filled(2)
        #expect(state.press("^Q").isEmpty)
        #expect(state.screen.contains("2 transfers in progress"))
        #expect(state.screen.contains("transfers can be resumed next time"))
        #expect(state.unfinishedTransfers.count == 2)
    }

    @Test func `uploads are queued one after the other, and p suspends one`() {
        var state = state()
        state.calls.queue.limit = 1
        state.change { ($0.kind, $0.method) = (.upload, .post) }
        let first = state.downloadOpen()
        let second = state.downloadOpen()
        #expect(state.calls[second]?.call.machine.command == .wait)
        state.press("T", "g")
        _ = state.update(.call(first, .progressed(CallProgress(sent: 5, sentTotal: 10))))
        #expect(state.screen.contains("↑ big.iso"))
        #expect(state.screen.contains("50 %"))
        guard case .suspendCall(first)? = state.press("p").first else { return #expect(Bool(false)) }
        #expect(state.calls[second]?.call.machine.command == .run)
        _ = state.update(.call(second, .finished(.sample("ok"))))
        #expect(state.screen.contains("done 200 OK"))
    }

    @Test func `v shows the file of a small finished download as the body, and not that of a large one`() {
        var (state, ids) = filled(2)
        for (id, bytes) in zip(ids, [11, 2_000_000_000] as [Int64]) { _ = state.update(.download(id, .finished(result(.done, bytes: bytes)))) }
        #expect(state.press("v") == [], "2 GB are not read")
        #expect(state.screen.contains("only a file of at most"))
        _ = state.press("T", "j")
        #expect(state.press("v") == [.readDownload(ids[0], "/home/me/Downloads/big.iso")])
    }

    @Test func `a downloaded file is shown in the response pane`() {
        var (state, ids) = filled(1)
        _ = state.update(.download(ids[0], .finished(result(.done, bytes: 11))))
        #expect(state.press("v") == [.readDownload(ids[0], "/home/me/Downloads/big.iso")])
        var effects = state.update(.downloadRead(ids[0], .bytes(BodyBytes(Array("downloaded!".utf8)))))
        while case .index(let id, var view)? = effects.first {
            view.advance(budget: 100)
            effects = state.update(.indexed(id, view))
        }
        #expect(state.screen.contains("downloaded!"))
        _ = state.update(.downloadRead(ids[0], .unreadable("it is gone")))
        #expect(state.screen.contains("it is gone"))
    }

    @Test func `the last state of a download does not end it before its result has arrived`() {
        var (state, ids) = filled(1)
        for change in [.requesting(offset: 0), .receiving, .verifying, .finalising, .done] as [TransferState] {
            _ = state.update(.download(ids[0], .changed(change)))
        }
        #expect(state.calls[ids[0]]?.isEnded == false)
        _ = state.update(.download(ids[0], .finished(result(.done))))
        #expect(state.calls[ids[0]]?.isEnded == true && state.screen.contains("Saved to /home/me/Downloads/big.iso"))
    }

    @Test func `p and x do not stop a file that is being renamed`() {
        var (state, ids) = filled(1)
        state.press("g")
        for change in [.requesting(offset: 0), .receiving, .verifying, .finalising] as [TransferState] {
            _ = state.update(.download(ids[0], .changed(change)))
        }
        #expect(state.press("p") == [] && state.press("x") == [])
        #expect(rows(state).first?.contains("finishing") == true, "\(rows(state))")
        _ = state.update(.download(ids[0], .finished(result(.done))))
        #expect(rows(state).first?.contains("done") == true, "\(rows(state))")
    }

    @Test func `an upload displays that it is queued by its service, and counts down its retry`() {
        var state = state()
        state.change { ($0.kind, $0.method) = (.upload, .post) }
        let id = state.downloadOpen()
        state.press("T")
        _ = state.update(.tick(now: 10))
        for (change, text) in [
            (.queued(because: "all in use"), "queued: all in use"), (.sending, ""), (.waiting(seconds: 3, because: "503"), "waiting: retry in 3 s"),
        ] as [(TransferState, String)] {
            _ = state.update(.call(id, .changed(change)))
            #expect(QueuedCall(state.calls[id])?.stateText(state).text == text, "\(change)")
        }
        _ = state.update(.tick(now: 12))
        #expect(QueuedCall(state.calls[id])?.stateText(state).text == "waiting: retry in 1 s")
        _ = state.update(.call(id, .changed(.sending)))
        _ = state.update(.call(id, .progressed(CallProgress(sent: 10, sentTotal: 10))))
        #expect(QueuedCall(state.calls[id])?.stateText(state).text == "waiting for the response")
        _ = state.answer(id, "no", status: 413)
        #expect(QueuedCall(state.calls[id])?.stateText(state).style == .error)
    }

    @Test func `S2.63 A resumes all failed transfers`() {
        var (state, ids) = filled(3)
        _ = state.update(.download(ids[0], .finished(result(.failed(NetworkError(.connectionLost, "lost"), isResumable: true)))))
        _ = state.update(.download(ids[1], .finished(result(.done))))
        // An ended one is sent again, and a failed one is resumed.
        let labels = ["G", "k"].map { key in
            state.press(key)
            return ["r Resume", "r Send again"].filter { state.screen.contains($0) }
        }
        #expect(Set(labels) == [["r Resume"], ["r Send again"]], "\(labels)")
        let effects = state.press("A")
        #expect(effects.count == 1)
        guard case .download(_, let order)? = effects.first else { return #expect(Bool(false)) }
        #expect(order.endpoint.query.map(\.value) == ["1"])
        #expect(state.screen.contains("1 transfer resumed"))
    }

    @Test func `p suspends an ordinary call with a large body`() {
        var state = state()
        state.open("shop/orders/list")
        let id = state.sendOpen()
        _ = state.update(.call(id, .progressed(CallProgress(received: 5_000_000, receivedTotal: 10_000_000))))
        state.press("T")
        #expect(state.press("p") == [.suspendCall(id)])
        #expect(state.screen.contains("⏸ ↓ List orders"))
        #expect(state.press("p") == [.resumeCall(id)])
    }

    @Test func `the response of any GET can be downloaded`() {
        var state = state()
        state.open("shop/orders/list")
        state.press("^P")
        state.type("response of this request to a file")
        state.press("Enter", "^U")
        state.type("orders.json")
        guard case .download(_, let order)? = state.press("Enter").first else { return #expect(Bool(false)) }
        #expect(order.destination == "/work/orders.json")
    }

    @Test func `the limit is set in the palette`() {
        var (state, _) = filled(6)
        state.press("^P")
        state.type("how many transfers")
        state.press("Enter", "j", "j")
        let effects = state.press("Enter")
        #expect(state.calls.queue.limit == 8)
        #expect(effects.count == 2)
    }
}
