import Foundation
import GRDB
import Model
import Storage
import Synchronization

/// A call as a client tells of it.
func finishedCall(
    _ url: String = "http://127.0.0.1:8080/orders?page=1", method: HTTPMethod = .get, status: Int? = 200, service: String? = "shop",
    target: String? = "shop/orders/list", environment: String? = "develop", requestBody: RequestBody = .none,
    body: [UInt8] = Array(#"{"items": []}"#.utf8), contentType: String? = "application/json", error: NetworkError? = nil,
    kind: Endpoint.Kind = .data, at seconds: Double = 1_700_000_000, change: (inout Exchange) -> Void = { _ in }
) throws -> FinishedCall {
    var request = Request(
        method: method, url: try HTTPURL(parsing: url), headers: [HeaderField("Accept", "*/*")], body: requestBody, target: target,
        service: service, environment: environment)
    request.options.version = .http2
    let number = lastCall.withLock { number in
        number += 1
        return number
    }
    var exchange = Exchange(id: RequestID(high: 0xab, low: number), request: request, startedAt: Date(timeIntervalSince1970: seconds))
    var attempt = Attempt(url: request.url, method: method)
    attempt.status = status
    attempt.address = "127.0.0.1"
    attempt.timing.total = 0.25
    exchange.attempts = [attempt]
    exchange.timing.total = 0.25
    exchange.duration = 0.25
    exchange.error = error
    if let status {
        var headers: Headers = []
        if let contentType { headers.append("Content-Type", contentType) }
        exchange.response = Response(
            status: status, reason: "OK", headers: headers, body: BodyBytes(body), wireBytes: Int64(body.count),
            remoteAddress: "127.0.0.1:8080")
    }
    change(&exchange)
    return FinishedCall(exchange, kind: kind)
}

private let lastCall = Mutex<UInt64>(0)

extension HistoryStore {
    /// Records calls and waits until they are on the disk.
    func keep(_ calls: [FinishedCall], redaction: Redaction = .standard) {
        for call in calls { record(call, workspace: "/work/demo", redaction: redaction) }
        flush()
    }

    /// The newest exchange, whole.
    func newest() throws -> PastExchange? {
        try number(of: "last").flatMap { try past($0) }
    }

    /// The URLs of a filter's exchanges, newest first, without what stands before the path.
    func paths(_ terms: HistoryFilter.Term...) throws -> [String] {
        try page(HistoryQuery(HistoryFilter(terms))).items.map { String($0.url.dropFirst("http://127.0.0.1:8080".count)) }
    }
}

extension BodyBytes {
    /// All bytes as text.
    var text: String { string(in: 0..<count) }
}

/// The database at `path` as another program opens it.
///
/// It waits for locks, because a store that was released closes its file up to 200 ms later.
func otherProgram(_ path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    return try DatabaseQueue(path: path, configuration: configuration)
}
