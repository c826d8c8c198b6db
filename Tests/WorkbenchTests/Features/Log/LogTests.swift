import Foundation
import SortieHTTP
import SortieTerminal
import Testing

@testable import SortieWorkbench

/// Tests the Log pane: calls with their events, filters, search, copying, saving.
@Suite struct LogTests {
    /// The log with a finished call of each kind, in a pane of the usual size.
    private func logged(size: Size = Size(width: 80, height: 24)) -> AppState {
        var state = AppState.sample(size: size)
        state.open("shop/orders/list")
        let id = state.sendOpen()
        _ = state.update(.call(id, .decided(Decision(.address, "127.0.0.1: written in the URL", time: 0.001))))
        var request = Request(method: .get, url: HTTPURL(scheme: .http, host: "127.0.0.1", port: 8080, path: "/orders"))
        request.url.query = "token=s3cret"
        let record = DebugLogRecord(request, original: request, attempt: 1, headers: [HeaderField("Accept", "*/*")], time: 0.002)
        _ = state.update(.call(id, .logged(record)))
        let response = Response(
            status: 200, headers: [HeaderField("Content-Type", "application/json")], body: BodyBytes(Array(#"{"needle": 1}"#.utf8)))
        _ = state.update(.call(id, .logged(record.ended(response, error: nil, time: 0.03))))
        state.answer(id)
        state.open("shop/orders/create")
        let failing = state.sendOpen()
        var exchange = Exchange.sample(error: NetworkError(.connectionRefused, "nobody listens there"))
        exchange.duration = 0.002
        _ = state.update(.call(failing, .finished(exchange)))
        state.press("L")
        return state
    }

    /// The text that `y` copies.
    private func copied(_ state: inout AppState) -> String? {
        if case .copy(_, let text) = state.press("y").first { text } else { nil }
    }

    @Test func `each call is one line with target, status, size and time`() {
        let lines = logged().screen.split(separator: "\n").map(String.init)
        #expect(lines.contains { $0.contains("▸ GET  shop/orders/list") && $0.contains("200     12 B    34 ms") })
        #expect(lines.contains { $0.contains("✗ ▸ POST shop/orders/create") && $0.contains("connection refused   2.0 ms") })
    }

    @Test func `a call has the time of day of its start, in the zone of the machine`() {
        var state = logged()
        let offset = HistoryMoment.Offset(since: Date(timeIntervalSince1970: 0), seconds: 7200)
        state.startMoment = HistoryMoment(now: Date(timeIntervalSince1970: 1_789_999_200), offsets: [offset])
        _ = state.update(.tick(now: 71))
        #expect(state.screen.contains("16:01:11   ▸ GET  shop/orders/list"))
        state.press("g")
        #expect(copied(&state)?.contains(" 16:01:11  ") == true)
    }

    @Test func `Enter expands a call and a block, left collapses them`() {
        var state = logged(size: Size(width: 100, height: 60))
        state.press("g", "Enter")
        #expect(state.screen.contains("address    127.0.0.1: written in the URL"))
        #expect(state.screen.contains("▸ request 1  GET http://127.0.0.1:8080/orders?token=••••"))
        #expect(!state.screen.contains("SSRequest"))
        state.press("↓", "↓", "→")
        #expect(state.screen.contains("SSRequest Request Start"))
        #expect(state.screen.contains("FullRequest:"))
        state.press("↓", "↓", "↓", "←")
        #expect(!state.screen.contains("SSRequest") && state.screen.contains("▸ request 1"))
        state.press("←", "←")
        #expect(!state.screen.contains("request 1"))
    }

    @Test func `a call of a run or of a page is one line with its blocks and its error (S0.33)`() {
        var state = AppState.sample(size: Size(width: 100, height: 60))
        let request = Request(method: .put, url: HTTPURL(scheme: .http, host: "127.0.0.1", port: 8080, path: "/orders"))
        let record = DebugLogRecord(request, original: request, attempt: 1, headers: [], time: 0.002)
        var exchange = Exchange.sample(error: NetworkError(.timedOut, "no response within 2 s"))
        exchange.request = request
        let decision = Decision(.address, "written in the URL", time: 0.001)
        _ = state.update(.callEnded("shop/orders/list", [.decided(decision), .logged(record), .finished(exchange)]))
        state.press("L", "g", "Enter")
        #expect(state.screen.contains("✗ ▾ PUT  shop/orders/list") && state.screen.contains("address    written in the URL"))
        #expect(state.screen.contains("▸ request 1  PUT http://127.0.0.1:8080/orders") && state.screen.contains("no response within 2 s"))
    }

    @Test func `S displays the secrets of an expanded call`() {
        var state = logged(size: Size(width: 100, height: 60))
        state.press("g", "Enter")
        #expect(!state.screen.contains("s3cret"))
        state.press("S")
        #expect(state.screen.contains("token=s3cret"))
    }

    @Test func `v hides less important entries, and the border displays this`() {
        var state = logged()
        state.press("v", "v")
        #expect(state.screen.contains("warnings, errors ┐"))
        #expect(!state.screen.contains("▸ GET  shop/orders/list") && state.screen.contains("shop/orders/create"))
        state.press("v", "v")
        #expect(state.screen.contains("▸ GET  shop/orders/list"))
    }

    @Test func `f filters by a service, or by none`() {
        var state = logged()
        _ = state.update(.log(LogEntry(.info, "a line of the program")))
        state.press("f")
        state.press("↓", "Enter")
        #expect(state.screen.contains("shop/orders/create") && !state.screen.contains("a line of the program"))
        state.press("f")
        state.press("G", "Enter")
        #expect(!state.screen.contains("▸ POST") && state.screen.contains("a line of the program"))
    }

    @Test func `a filter without matches displays how to change it`() {
        var state = AppState.sample()
        _ = state.update(.log(LogEntry(.info, "a line")))
        state.press("L", "v", "v")
        #expect(state.screen.contains("Nothing in the log matches"))
    }

    @Test func `a search finds collapsed text, expands it and continues with n`() {
        var state = logged(size: Size(width: 100, height: 60))
        state.press("/")
        state.type("needle")
        state.press("Enter")
        #expect(state.screen.contains(#"{"needle": 1}"#))
        state.press("/")
        state.type("nobody listens")
        #expect(state.screen.contains("connection refused  nobody listens there"))
    }

    @Test func `y copies the call, or the selected block, masked as displayed`() throws {
        var state = logged(size: Size(width: 100, height: 60))
        state.press("g")
        let call = try #require(copied(&state))
        #expect(call.contains("GET 200") && call.contains("SSRequest Response Start") && !call.contains("s3cret"))
        state.press("Enter", "↓", "↓")
        let block = try #require(copied(&state))
        #expect(block.hasPrefix("***") && block.contains("SSRequest Request Start") && !block.contains("Response Start"))
    }

    @Test func `s prompts for a path and saves the displayed entries, always masked`() throws {
        var state = logged()
        state.press("S", "s", "^U")
        state.type("/tmp/x.log")
        guard let (job, save) = state.press("Enter").started(SaveFileJob.self).first, case .log(let log) = save.content else {
            Issue.record("does not save")
            return
        }
        #expect(save.path == "/tmp/x.log" && !save.overwrites)
        #expect(log.text.contains("needle") && log.text.contains("token=••••") && !log.text.contains("s3cret"))
        _ = state.end(SaveFileJob.self, job, .failed("/tmp/x.log cannot be written: permission denied"))
        #expect(state.screen.contains("/tmp/x.log cannot be written"))
    }

    @Test(arguments: ["Enter", "→", "l"]) func `a long line is marked, and can be read completely at 80 columns`(key: String) {
        var state = AppState.sample()
        let sentence = (1...30).map { "word\($0)" }.joined(separator: " ")
        _ = state.update(.log(LogEntry(.error, source: "shop/orders/list", sentence)))
        state.press("L", "g")
        #expect(state.screen.contains("✗ ▸ shop/orders/list  word1") && state.screen.contains("… │"))
        #expect(!state.screen.contains("word30"))
        state.press(key, "G")
        let words = Set(state.screen.split { $0.isWhitespace }.map(String.init))
        #expect((1...30).allSatisfy { words.contains("word\($0)") })
        #expect(state.screen.contains("✗ ▾ shop/orders/list"))
        state.press("←", "←")
        #expect(!state.screen.contains("word30"))
    }

    @Test func `a line that fits is not collapsed, and a wider terminal expands what fits`() {
        var state = AppState.sample()
        _ = state.update(.log(LogEntry(.info, "short")))
        _ = state.update(.log(LogEntry(.info, String(repeating: "x", count: 100))))
        state.press("L", "g", "Enter")
        #expect(state.toast?.text == "This line has nothing to unfold")
        state.press("↓", "Enter")
        #expect(state.states[LogState.self].unfolded.count == 1)
        _ = state.update(.input(.resize(Size(width: 160, height: 24))))
        #expect(state.states[LogState.self].unfolded.isEmpty)
        #expect(!state.screen.contains("▸"))
    }

    @Test func `a call with a target truncated in its head line displays it completely below`() {
        var state = AppState.sample()
        let target = "shop/" + String(repeating: "deep/", count: 12) + "end"
        _ = state.log.begin(LoggedCall(target: target, method: .get))
        state.press("L", "g")
        #expect(!state.screen.contains(target))
        state.press("Enter")
        #expect(state.screen.contains(target))
    }

    @Test func `a replaced earlier send ends in the log, too`() {
        var state = AppState.sample()
        state.open("shop/orders/list")
        _ = state.sendOpen()
        _ = state.sendOpen()
        #expect(state.log.entries.map(\.text) == ["GET cancelled · 0.0 ms", "GET in flight"])
    }

    @Test func `the log keeps its limits of number and bytes, and reports what was removed`() {
        var log = Log()
        let text = String(repeating: "x", count: 100_000)
        var numbers: [Int] = []
        for _ in 1...1000 {
            let number = log.begin(LoggedCall(target: "a/b", method: .get))
            log.append(.decision(Decision(.body, text, time: 0)), to: number)
            numbers.append(number)
        }
        #expect(log.items.count < 250 && log.dropped > 750)
        #expect(numbers == Array(0..<1000) && !log.numbers.contains(0) && log.numbers.contains(999))
        log.append(.problem("late"), to: 0)
        log.end(0, .cancelled, duration: 0)
        #expect(log.entries.last?.text == "GET in flight")
    }

    @Test func `a selected line keeps its position while others are added, and is deselected when it is removed`() {
        var state = AppState.sample()
        state.press("L")
        for number in 1...100 { _ = state.update(.log(LogEntry(.info, "entry \(number)."))) }
        state.press("↑", "↑")
        for number in 101...200 { _ = state.update(.log(LogEntry(.info, "entry \(number)."))) }
        #expect(state.screen.contains("entry 98.") && state.screen.contains("G follows"))
        for number in 201...9000 { _ = state.update(.log(LogEntry(.info, "entry \(number)."))) }
        #expect(!state.screen.contains("entry 98.") && state.screen.contains("entry "))
    }

    @Test func `parts that are not kept take no room from other lines`() {
        var log = Log()
        log.append(LogEntry(.info, "first"))
        let call = log.begin(LoggedCall(target: "shop/a", method: .get))
        for _ in 0..<LoggedCall.partLimit { log.append(.problem("kept"), to: call) }
        let large = LoggedCall.Part.problem(String(repeating: "x", count: 1 << 20))
        for _ in 0..<40 {
            log.append(large, to: call)
            log.append(large, to: call + 1)
        }
        log.append(LogEntry(.info, "last"))
        #expect(log.entries.first?.text == "first" && log.dropped == 0)
    }
}
