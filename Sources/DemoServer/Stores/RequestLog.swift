import Foundation

/// The most recent requests, oldest first, with which tests prove that no request was sent twice.
actor RequestLog {
    struct Entry: Sendable {
        let id: Int
        let method: String
        let path: String
        let query: String
        let time: String
        let trace: String?
    }

    private let capacity: Int
    private var nextID = 1
    private var entries: [Entry] = []

    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    func add(_ call: Call) {
        entries.append(
            Entry(
                id: nextID, method: call.method, path: call.rawPath, query: call.rawQuery, time: HTTPDate(Date()).iso8601,
                trace: call.header("X-Trace") ?? call.header("Idempotency-Key")))
        nextID += 1
        if entries.count > capacity { entries.removeFirst(entries.count - capacity) }
    }

    func recent(path: String?) -> [Entry] {
        guard let path else { return entries }
        return entries.filter { $0.path == path }
    }

    func clear() {
        entries = []
    }
}
