import Foundation
import GRDB
import HistoryModel
import SortieHTTP
import SortieStorage
import Synchronization
import WorkspaceModel

/// A finished call as reported by a client.
func finishedCall(
    _ url: String = "http://127.0.0.1:8080/orders?page=1", method: HTTPMethod = .get, status: Int? = 200, service: String? = "shop",
    target: String? = "shop/orders/list", environment: String? = "develop", requestBody: RequestBody = .none,
    body: [UInt8] = Array(#"{"items": []}"#.utf8), contentType: String? = "application/json", error: NetworkError? = nil,
    kind: Endpoint.Kind = .data, at seconds: Double = 1_700_000_000, change: (inout Exchange) -> Void = { _ in }
) throws -> CompletedCall {
    var request = Request(
        method: method, url: try HTTPURL(parsing: url), headers: [HeaderField("Accept", "*/*")], body: requestBody, target: target,
        service: service, environment: environment)
    request.options.version = .http2
    let number = lastCall.withLock { number in
        number += 1
        return number
    }
    var exchange = Exchange(id: RequestID(high: 0xab, low: number), request: request, startedAt: Date(timeIntervalSince1970: seconds))
    var attempt = Attempt(url: request.url, method: method, startedAt: exchange.startedAt)
    attempt.sentHeaders = request.headers
    attempt.body = requestBody
    attempt.address = "127.0.0.1"
    attempt.timing.total = 0.25
    exchange.duration = 0.25
    exchange.error = error
    if let status {
        var headers: Headers = []
        if let contentType { headers.append("Content-Type", contentType) }
        exchange.response = Response(
            status: status, reason: "OK", headers: headers, body: BodyBytes(body), wireBytes: Int64(body.count),
            remoteAddress: "127.0.0.1:8080")
    }
    attempt.response = exchange.response?.head
    exchange.attempts = [attempt]
    change(&exchange)
    return CompletedCall(exchange, kind: kind)
}

private let lastCall = Mutex<UInt64>(0)

extension HistoryStore {
    /// Records calls and waits until they are on the disk.
    func keep(_ calls: [CompletedCall], redaction: Redaction = .standard) {
        for call in calls { record(call, workspace: "/work/demo", redaction: redaction) }
        flush()
    }

    /// The newest exchange, complete.
    func newest() throws -> PastExchange? {
        try number(of: "last").flatMap { try past($0) }
    }

    /// The paths of the URLs of a filter's exchanges, newest first.
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
