import Foundation
import HistoryModel
import SortieHTTP
import SortieStorage
import WorkspaceModel

/// Measures a history of many exchanges: storing them, and finding one of them.
struct HistoryBenchmark {
    let count: Int
    /// The folder of the history; an existing history is used unchanged.
    let folder: String

    private let clock = ContinuousClock()

    func run() throws {
        if !FileManager.default.fileExists(atPath: "\(folder)/sortie/history.sqlite") { try fill() }
        var store: HistoryStore?
        once("open") { store = HistoryStore.open(stateFolder: folder) }
        guard let store else { return }
        if let problem = store.problem { print(problem) }
        try show("first page") { try rows(store, []) }
        try show("page at the end") { try store.page(HistoryQuery(at: .oldest)).items.count }
        try show("page in the middle") { try store.page(HistoryQuery(at: .olderThan(Int64(count / 2)))).items.count }
        try show("status:5xx") { try rows(store, [.status(500...599)]) }
        try show("status:418, one of them, the oldest") { try rows(store, [.status(418...418)]) }
        try show("service:shop") { try rows(store, [.service("shop")]) }
        try show("service, method and since") { try rows(store, [.service("search"), .method("POST"), .since(Date(timeIntervalSinceNow: -3600))]) }
        try show("target:nowhere, none") { try rows(store, [.target("nowhere")]) }
        try show("until the first day, the oldest tenth") { try rows(store, [.until(Date(timeIntervalSinceNow: Double(-count) * 0.9))]) }
        for word in ["o", "or", "ord", "orde", "orders", "zebra", "zebra orders", "/orders/77", "json application"] {
            try show("words: \(word)") { try rows(store, [.words(word, .anywhere)]) }
        }
        try show("a word that is everywhere, a status that no exchange has") { try rows(store, [.words("json", .anywhere), .status(299...299)]) }
        try show("a word that is everywhere, a status that one exchange has") { try rows(store, [.words("json", .anywhere), .status(418...418)]) }
        try show("a word that is everywhere, a target that no exchange has") { try rows(store, [.words("json", .anywhere), .target("nowhere")]) }
        try show("two words that no exchange has together") { try rows(store, [.words("zebra nobody", .anywhere)]) }
        try show("body:customer77") { try rows(store, [.words("customer77", .body)]) }
        try show("body: a word that is everywhere") { try rows(store, [.words("customer", .body)]) }
        try show("without a word that is everywhere") {
            try store.page(HistoryQuery(HistoryFilter([.init(.words("json", .anywhere), isNegated: true)]))).items.count
        }
        try show("count of all") { try store.count(HistoryFilter(), upTo: .max) }
        try show("count of status:5xx") { try store.count(HistoryFilter([.init(.status(500...599))]), upTo: .max) }
        try show("count of a word that is everywhere") { try store.count(HistoryFilter([.init(.words("json", .anywhere))]), upTo: .max) }
        try show("count of a word that is everywhere, up to 1000") { try store.count(HistoryFilter([.init(.words("json", .anywhere))]), upTo: 1000) }
        try show("past") { try store.past(Int64(count / 2)) == nil ? 0 : 1 }
        let calls = try (0..<1000).map { try call($0 + count) }
        once("record, each of 1000", parts: 1000) { for call in calls { store.record(call, workspace: nil, redaction: .standard) } }
        once("flush of them") { store.flush() }
        print("peak memory: \(peakMegabytes) MB")
        try keepLarge(store)
    }

    /// Stores bodies of the maximum size, in mapped files like those of the engine.
    private func keepLarge(_ store: HistoryStore) throws {
        let path = "\(folder)/large.json"
        let row = #"{"id": 12345, "customer": "somebody", "token": "abc", "note": "a line of some length, as they are"},"#
        let rows = Array(String(repeating: row, count: 1000).utf8)
        let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
        defer { unlink(path) }
        _ = write(descriptor, "[", 1)
        for _ in 0..<950 { _ = rows.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) } }
        _ = write(descriptor, "{}]", 3)
        let size = Int(lseek(descriptor, 0, SEEK_END))
        guard let start = mmap(nil, size, PROT_READ, Int32(MAP_SHARED), descriptor, 0), start != MAP_FAILED else { return }
        var large = try call(count)
        large.exchange.response?.body = BodyBytes(owner: Mapping(start: start, count: size), pointer: UnsafeRawPointer(start), count: size)
        store.record(large, workspace: nil, redaction: Redaction(values: ["s3cret-value"]))
        once("a body of \(size / 1_000_000) MB of JSON, until it is kept") { store.flush() }
        print("peak memory: \(peakMegabytes) MB")
        let last = try store.number(of: "last") ?? 0
        try show("past with it") { try store.past(last)?.exchange.response?.body.count ?? 0 }
    }

    /// Stores exchanges with bodies of all sizes until the process is killed, and reports each one that was recorded.
    func keep() throws {
        let store = HistoryStore.open(stateFolder: folder)
        store.watch { change in if case .failed(let error) = change { print(error) } }
        let process = UInt64(getpid())
        for number in 0... {
            var call = try call(number)
            call.exchange.id = RequestID(high: process, low: UInt64(number))
            let size = [100, 5000, 100_000, 2_000_000, 300][number % 5] + Int.random(in: 0..<1000)
            call.exchange.response?.headers = [HeaderField("Content-Type", "text/plain")]
            call.exchange.response?.body = BodyBytes(Array("\(process) \(number) ".utf8) + Array(repeating: 65, count: size))
            store.record(call, workspace: nil, redaction: .standard)
            print(call.exchange.id)
            fflush(nil)
            usleep(5000)
        }
    }

    private var peakMegabytes: Int { ProcessMemory.peak / 1024 }

    private func rows(_ store: HistoryStore, _ tests: [HistoryFilter.Test]) throws -> Int {
        try store.page(HistoryQuery(HistoryFilter(tests.map { .init($0) }))).items.count
    }

    /// Prints the best and the worst time of several runs.
    private func show(_ name: String, times: Int = 5, parts: Double = 1, _ work: () throws -> Int) rethrows {
        var found = 0
        let all = try (0..<times).map { _ in try clock.measure { found = try work() } }.map { milliseconds($0) / parts }.sorted()
        print("\(name): \(text(all[0])) to \(text(all[all.count - 1])) ms (\(found))")
    }

    private func once(_ name: String, parts: Double = 1, _ work: () -> Void) {
        print("\(name): \(text(milliseconds(clock.measure(work)) / parts)) ms")
    }

    private func milliseconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) * 1e3 + Double(duration.components.attoseconds) / 1e15
    }

    private func text(_ value: Double) -> String { String((value * 1000).rounded() / 1000) }

    private func fill() throws {
        let store = HistoryStore.open(stateFolder: folder)
        let took = try clock.measure {
            for number in 0..<count {
                store.record(try call(number), workspace: "/work/\(number % 3)", redaction: .standard)
                // Flushed regularly, so that no body is left out.
                if number % 1000 == 999 { store.flush() }
            }
            store.flush()
        }
        print("written: \(count) in \(Int(milliseconds(took))) ms, peak memory \(peakMegabytes) MB")
    }

    private func call(_ number: Int) throws -> CompletedCall {
        let service = ["shop", "search", "account", "files"][number % 4]
        let method: HTTPMethod = [.get, .get, .post, .put, .delete][number % 5]
        let items = (0..<8).map { #"{"id": \#(number + $0), "customer": "customer\#(number % 1000)", "sum": \#(number % 97).5}"# }
        var body = #"{"code": 200, "items": [\#(items.joined(separator: ", "))]"#
        if number % 5000 == 17 { body += #", "note": "zebra""# }
        var exchange = Exchange(
            id: RequestID(high: 1, low: UInt64(number)),
            request: Request(
                method: method, url: try HTTPURL(parsing: "https://api.example/\(service)/orders/\(number)?page=\(number % 9)&token=abc"),
                headers: [HeaderField("Accept", "application/json")],
                body: method == .post ? .text(#"{"name": "order \#(number)"}"#, contentType: "application/json") : .none,
                target: "\(service)/orders/list", service: service, environment: number % 2 == 0 ? "develop" : "production"),
            startedAt: Date(timeIntervalSinceNow: Double(number - count)))
        exchange.response = Response(
            status: number == 0 ? 418 : number % 50 == 0 ? 503 : number % 20 == 0 ? 404 : 200,
            headers: [HeaderField("Content-Type", "application/json"), HeaderField("Date", "Sat, 01 Nov 2025 10:00:00 GMT")],
            body: BodyBytes(Array((body + "}").utf8)), remoteAddress: "127.0.0.1:443")
        var attempt = Attempt(url: exchange.request.url, method: method, startedAt: exchange.startedAt)
        attempt.sentHeaders = [
            HeaderField("Host", "api.example"), HeaderField("Accept", "application/json"), HeaderField("Authorization", "Bearer abc"),
        ]
        attempt.body = exchange.request.body
        attempt.response = exchange.response?.head
        exchange.attempts = [attempt]
        exchange.request.origin = RequestOrigin(endpoint: Endpoint(target: "\(service)/orders/list", name: "List", path: "/orders"))
        return CompletedCall(exchange, kind: .data)
    }
}

/// A memory-mapped file, like the large bodies of the engine.
private final class Mapping: ReleasesMemory, @unchecked Sendable {
    // Safe to share, because both are set once.
    private let start: UnsafeMutableRawPointer
    private let count: Int

    init(start: UnsafeMutableRawPointer, count: Int) {
        self.start = start
        self.count = count
    }

    func releaseMemory() { madvise(start, count, MADV_DONTNEED) }
}
