import FoundationEssentials
import HistoryModel
import SortieHTTP
import SortieTerminal
import Testing

@testable import SortieWorkbench

/// Tests the display and operation of the history.
@Suite struct HistoryPaneTests {
    static let sizes = [Size(width: 80, height: 24), Size(width: 200, height: 50)]

    @Test(arguments: sizes) func `finished exchanges are listed newest first, with their columns`(size: Size) {
        var state = AppState.withHistory(4, size: size) {
            if $0.number == 2 {
                $0.outcome = .failed
                $0.status = nil
                $0.error = "timedOut"
            }
            if $0.number == 3 { $0.outcome = .superseded }
            if $0.number == 4 { ($0.kind, $0.method, $0.grpcStatus) = (.grpc, .post, 5) }
        }
        let rows = state.historyLines
        #expect(rows.count == 4)
        #expect(rows[0].contains("gRPC") && rows[0].contains("NOT_FOUND") && !rows[0].contains("200"))
        #expect(rows[1].contains("superseded"))
        #expect(rows[2].contains("timed out"))
        #expect(rows[3].contains("200") && rows[3].contains("14:00:01") && rows[3].contains("GET"))
        #expect(rows[3].contains("orders/list"))
        let isWide = size.width == 200
        #expect(rows[3].contains("develop") == isWide)
        #expect(state.screen.contains("environment") == isWide)
        for line in state.screen.split(separator: "\n") { #expect(CellWidth.width(of: String(line)) <= size.width) }
        state.press("z")
        #expect(state.screen.contains("time"))
    }

    @Test(arguments: sizes) func `running requests are at the top with time, bytes, rate and key`(size: Size) {
        var state = AppState.withHistory(2, size: size)
        state.open("shop/orders/list")
        let id = state.sendOpen()
        _ = state.update(.tick(now: 1))
        state.press("H")
        _ = state.update(.call(id, .progressed(CallProgress(received: 1_000_000, receivedTotal: 4_000_000))))
        _ = state.update(.tick(now: 2))
        _ = state.update(.call(id, .progressed(CallProgress(received: 2_000_000, receivedTotal: 4_000_000))))
        _ = state.update(.tick(now: 3))
        let rows = state.historyLines
        #expect(rows.count == 3)
        #expect(rows[0].contains("List") && rows[0].contains("2.0 s") && rows[0].contains("x stops"), "\(rows[0])")
        #expect(rows[0].contains("50 %"))
        if size.width == 200 { #expect(rows[0].contains("2.0/4.0 MB") && rows[0].contains("MB/s")) }
        #expect(rows[1].contains("14:00:02"))
        #expect(state.press("x") == [.cancel(id)])
    }

    @Test func `running downloads and runs are rows as well`() {
        var state = AppState.withHistory(1)
        state.open("shop/big")
        let id = state.downloadOpen()
        _ = state.start(run: "checkout", again: false)
        state.press("H", "g")
        let rows = state.historyLines
        #expect(rows[0].contains("big.iso") && rows[1].contains("checkout"))
        #expect(state.press("x") == [.commandDownload(id, .cancel(keepsPart: true))])
        state.press("j")
        guard case .cancelRun? = state.press("x").first else { return #expect(Bool(false)) }
        state.press("j")
        state.press("x")
        #expect(state.toast?.text == "It has ended; only a running call, transfer or run can be stopped")
    }

    @Test func `pages are requested at the edges, and memory is limited`() {
        var state = AppState.withHistory(1_000)
        state.press("g")
        #expect(state.history.window.items.count == 200)
        for _ in 0..<25 { state.answering { $0.press("PgDn") } }
        #expect(state.history.window.items.count > 200)
        for _ in 0..<400 { state.answering { $0.press("PgDn") } }
        #expect(state.history.window.items.count <= HistoryWindow.limit)
        #expect(state.selectedItem?.number == 1)
        state.answering { $0.press("g") }
        #expect(state.selectedItem?.number == 1_000)
        state.answering { $0.press("G") }
        #expect(state.selectedItem?.number == 1)
        for _ in 0..<400 { state.answering { $0.press("PgUp") } }
        #expect(state.selectedItem?.number == 1_000)
        #expect(state.history.window.items.count <= HistoryWindow.limit)
    }

    @Test func `new exchanges do not move the selection`() {
        var state = AppState.withHistory(300)
        for _ in 0..<10 { state.answering { $0.press("j") } }
        #expect(state.selectedItem?.number == 290)
        state.store.add(50)
        state.answering { $0.update(.historyChanged) }
        #expect(state.selectedItem?.number == 290)
        #expect(state.history.window.items.first?.number == 350)
        state.store.add(5_000)
        state.answering { $0.update(.historyChanged) }
        #expect(state.selectedItem?.number == 290)
    }

    @Test func `the first row remains the newest`() {
        var state = AppState.withHistory(3)
        state.store.add(2)
        state.answering { $0.update(.historyChanged) }
        #expect(state.selectedItem?.number == 5)
        #expect(state.screen.contains(" 5 "), "the number of rows is updated")
    }

    @Test func `only the latest request counts`() {
        var state = AppState.withHistory(3)
        let first = state.press("/")
        #expect(state.type("status:5xx") == [], "nothing is asked while an answer is awaited")
        guard case .history(let id, .page)? = first.first else { return #expect(Bool(false), "\(first)") }
        let next = state.update(.history(id, .page(HistoryPage(), state.store.moment)))
        guard case .history(_, .page(let query))? = next.first else { return #expect(Bool(false), "\(next)") }
        #expect(query.filter.terms == [.init(.status(500...599)), .init(.workspace("/demo")), .init(.workspace("none"))])
        #expect(state.history.window.items.count == 3, "the answer to the older question is dropped")
    }

    @Test(arguments: ["Enter", "Ctrl-R"])
    func `a command that was given before the first page says that the history is empty`(key: String) {
        var bench = HistoryBench(state: .sample())
        let asked = bench.press("H")
        guard case .history(let id, .page)? = asked.first else { return #expect(Bool(false), "\(asked)") }
        bench.press(key)
        #expect(bench.history.deferred != nil)
        #expect(bench.update(.history(id, .page(HistoryPage(), bench.store.moment))).started(PlanReplayJob.self).isEmpty)
        #expect(bench.toast?.text == "The history is empty" && bench.history.deferred == nil)
    }

    @Test func `a time span moves with the clock, and the selection is kept`() {
        var state = AppState.withHistory(500)
        state.answering { $0.press("/") }
        state.answering { $0.type("since:1h") }
        state.press("Enter")
        for _ in 0..<30 { state.answering { $0.press("PgDn") } }
        let selected = state.selectedItem
        let first = state.history.window.items.first
        let filter = state.history.filter
        #expect(selected?.number != 500)
        state.store.moment.now += 3600
        state.store.add(1)
        state.answering { $0.update(.historyChanged) }
        #expect(state.history.filter != filter)
        #expect(state.selectedItem == selected)
        #expect(state.history.window.items.first?.number ?? 0 >= first?.number ?? 0)
        #expect(state.screen.contains("since:1h · 501"))
    }

    @Test func `f filters by names with blanks, and by URL without an endpoint`() {
        for (target, filter, term) in [
            ("shop/orders/a list", #"target:"shop/orders/a list""#, HistoryFilter.Test.target("shop/orders/a list")),
            (nil, #"url:"http://127.0.0.1:8080/orders""#, .words(#""http://127.0.0.1:8080/orders""#, .url)),
        ] {
            var state = AppState.withHistory(2) { ($0.target, $0.service) = (target, nil) }
            state.answering { $0.press("f") }
            #expect(state.history.filterText == filter)
            #expect(state.history.filter.terms == [.init(term)] && state.history.filterProblem == nil)
            state.answering { $0.press("f") }
            #expect(state.history.filterText.isEmpty)
        }
    }

    @Test func `the filter applies while typing, Esc clears it and Enter keeps it`() {
        var state = AppState.withHistory(20) { if $0.number % 2 == 0 { $0.status = 503 } }
        state.answering { $0.press("/") }
        state.answering { $0.type("status:5xx") }
        #expect(state.history.window.items.count == 10)
        #expect(state.screen.contains("status:5xx"))
        state.press("Enter")
        #expect(state.history.entry == nil)
        #expect(state.screen.contains("status:5xx · 10"))
        state.answering { $0.press("Esc") }
        #expect(state.history.window.items.count == 20)
        state.answering { $0.press("/") }
        state.answering { $0.type("status:2xx") }
        state.answering { $0.press("Esc") }
        #expect(state.history.filterText.isEmpty)
        #expect(state.history.window.items.count == 20)
    }

    @Test func `the exchanges of this workspace are displayed, those of all with a key, and of another one by a filter`() {
        var state = AppState.withHistory(4) {
            $0.workspace = ["/demo", "/other", nil, "/demo"][Int($0.number) - 1]
            $0.target = "shop/n\($0.number)"
        }
        #expect(state.history.window.items.map(\.number) == [4, 3, 1])
        state.answering { $0.press("a") }
        #expect(state.history.window.items.count == 4 && state.screen.contains("all workspaces · 4"), "\(state.screen)")
        state.answering { $0.press("a") }
        state.answering { $0.press("/") }
        state.answering { $0.type("workspace:/other") }
        #expect(state.history.window.items.map(\.number) == [2])
    }

    @Test func `a row has the path before the host, the clock time of another day, and the run of consecutive steps`() {
        var state = AppState.withHistory(5, size: Size(width: 140, height: 30)) { item in
            if item.number > 2 { item.run = "checkout" }
            if item.number == 1 { (item.target, item.service) = (nil, nil) }
            if item.number == 2 { item.startedAt -= 86_400 * 3 }
        }
        let rows = state.historyLines
        #expect(rows[0].contains("┌") && rows[0].contains("checkout: ") && !rows[1].contains("checkout: "))
        #expect(rows[2].contains("└") && rows[3].contains("09-18 14:00"), "\(rows)")
        #expect(rows[4].contains("/orders?page=1  http://127.0.0.1:8080"), "\(rows)")
        state.store.moment.now += 86_400 * 400
        state.answering { $0.update(.historyChanged) }
        #expect(state.historyLines[4].contains("2026-09-21"))
    }

    @Test func `an invalid filter displays the reason beside it`() {
        var state = AppState.withHistory(3)
        state.answering { $0.press("/") }
        state.answering { $0.type("status:abc") }
        #expect(state.history.filterProblem != nil)
        #expect(state.screen.contains("/status:abc"))
        #expect(state.screen.contains(String((state.history.filterProblem ?? "?").prefix(10))))
    }

    @Test func `a time span does not cause endless requests`() {
        var state = AppState.withHistory(3)
        state.press("/")
        let effects = state.answering { $0.type("since:1h") }
        #expect(effects < 40)
    }

    @Test func `marks and pins are stored, and a deletion requires confirmation`() {
        var state = AppState.withHistory(3)
        #expect(state.press("p").map(\.request) == [.pin([3], true)])
        state.press("Space")
        state.press("Space")
        #expect(state.history.marked.map(\.number) == [3, 2])
        #expect(state.screen.contains("2 marked"))
        state.press("d")
        #expect(state.popup != nil)
        #expect(state.press("Enter").map(\.request) == [.delete([2, 3])])
        state.press("t")
        state.type("slow #bad")
        #expect(state.press("Enter").map(\.request) == [.tag([1], ["slow", "bad"])])
        state.press("w")
        state.type("why?")
        #expect(state.press("Enter").map(\.request) == [.note(1, "why?")])
    }

    @Test func `an unusable store is reported in the pane and the log, once`() {
        var state = AppState.withHistory(1)
        for _ in 0..<3 { _ = state.update(.historyFailed("history.sqlite is read-only; nothing is kept")) }
        #expect(state.screen.contains("history.sqlite is read-only"))
        #expect(state.log.items.count { $0.entry.text.contains("read-only") } == 1)
        #expect(state.historyLines.contains { $0.contains("GET") }, "what can be read is shown")
    }

    @Test func `a long message about the store is complete where there is space, and otherwise in the Log`() {
        let sentence = String(repeating: "the disk is full and more ", count: 12) + "THE-END"
        var state = AppState.withHistory(0)
        _ = state.update(.historyFailed(sentence))
        #expect(state.screen.contains("THE-END"))
        state.store.add(3)
        state.answering { $0.update(.historyChanged) }
        #expect(state.screen.contains("(complete in Log)"))
        #expect(state.screen.contains("GET"))
    }

    @Test func `a failed page is not requested repeatedly`() {
        var state = AppState.sample()
        let effects = state.press("H")
        guard case .history(let id, .page)? = effects.first else { return #expect(Bool(false)) }
        #expect(state.update(.history(id, .failed("the disk is gone"))).count { if case .history(_, .page) = $0 { true } else { false } } == 0)
        #expect(state.screen.contains("the disk is gone"))
    }

    @Test func `without a history the pane displays that and requests nothing`() {
        var state = AppState(workspace: .sample, environment: nil, size: Size(width: 80, height: 24), keepsHistory: false)
        #expect(state.press("H") == [])
        #expect(state.screen.contains("started without the history"))
    }

    @Test func `runs of one name have brackets of their own, and a loop stays in one`() {
        // Two runs of two steps, and a loop that sends the last target again at once.
        let (targets, times) = (["login", "list", "login", "list", "list"], [0, 0.1, 20, 20.1, 20.2])
        var state = AppState.withHistory(5) { item in
            let index = Int(item.number) - 1
            (item.run, item.target) = ("checkout", "shop/\(targets[index])")
            item.startedAt = Date(timeIntervalSince1970: 1_789_999_200 + times[index])
        }
        state.press("z")
        let marks = state.historyLines.map { line in line.dropFirst().first { "┌│└»".contains($0) } }
        #expect(marks == ["┌", "│", "└", "┌", "└"], "\(state.screen)")
    }
}
