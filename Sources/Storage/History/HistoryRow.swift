internal import Foundation
internal import GRDB
package import HistoryModel
internal import SortieHTTP
internal import WorkspaceModel

/// One exchange, masked and split into columns, ready to be written.
struct HistoryRow {
    /// The columns of the list.
    ///
    /// The number is assigned on insertion.
    var item: HistoryItem
    var request: String
    var origin: String?
    var sentHeaders: String
    var answer: String?
    var attempts: String
    var timing: String
    var error: String?
    var value: String?
    var checks: String?
    var sentFiles: String?
    var file: String?
    var requestBody = StoredBody()
    var answerBody = StoredBody()
    /// The texts for the full-text search.
    var searchedHeaders: String
    var searchedBody = ""

    /// Splits a masked exchange into columns.
    ///
    /// Its bodies are set later.
    init(_ call: CompletedCall, workspace: String?, masked exchange: Exchange, url: String) throws {
        let encoder = StoredJSON.encoder
        func json(_ value: some Encodable) throws -> String { String(decoding: try encoder.encode(value), as: UTF8.self) }
        item = HistoryItem(call, workspace: workspace, masked: exchange, url: url)
        let masks = MaskedParts(of: call.exchange.request, in: exchange.request)
        request = try json(StoredRequest(exchange.request, masked: masks.request))
        origin = try exchange.request.origin.map { try json(StoredOrigin($0, masked: masks.endpoint)) }
        sentHeaders = try json(exchange.sentHeaders.pairs)
        answer = try exchange.response.map { try json(StoredResponse($0)) }
        let last = exchange.attempts.count - 1
        attempts = try json(
            exchange.attempts.enumerated().map { StoredAttempt($1, isLast: $0 == last, response: exchange.response) })
        timing = try json(StoredTiming(exchange.timing))
        error = try exchange.error.map { try json(StoredError($0)) }
        value = exchange.value?.text
        checks = exchange.reportedChecks.isEmpty ? nil : try json(exchange.reportedChecks.map(StoredCheck.init))
        let files = exchange.request.body.files.compactMap(StoredFile.init(at:))
        sentFiles = files.isEmpty ? nil : try json(files)
        let received = exchange.response.map { $0.informational.flatMap(\.headers.fields) + $0.headers.fields + $0.trailers.fields }
        let headers = exchange.sentHeaders.fields + (received ?? [])
        searchedHeaders = headers.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
    }

    /// Inserts the row and returns its number.
    func insert(_ db: Database) throws -> Int64 {
        for body in [requestBody, answerBody] {
            if case .file(let digest, let size) = body.content {
                try db.cachedStatement(sql: "INSERT OR IGNORE INTO body (digest, size) VALUES (?, ?)").execute(arguments: [digest, size])
            }
        }
        try db.cachedStatement(
            sql: """
                INSERT INTO exchange (id, startedAt, workspace, service, target, environment, run, kind, method, url, outcome, status, error,
                    duration, sentBytes, receivedBytes, attempts, requestDigest, answerDigest, inlineBytes)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            item.id.description, item.startedAt.timeIntervalSince1970, item.workspace, item.service, item.target, item.environment, item.run,
            item.kind.rawValue, item.method.rawValue, item.url, item.outcome.rawValue, item.status ?? 0, item.error, item.duration,
            item.sentBytes, item.receivedBytes, item.attempts, requestBody.digest, answerBody.digest,
            requestBody.inlineCount + answerBody.inlineCount,
        ])
        let number = db.lastInsertedRowID
        try db.cachedStatement(
            sql: """
                INSERT INTO detail (number, request, origin, sentHeaders, answer, attempts, timing, error, value, sentFiles, file,
                    requestBytes, answerBytes, missingRequestBody, missingBody, format, checks)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            number, request, origin, sentHeaders, answer, attempts, timing, error, value, sentFiles, file, requestBody.inlineData,
            answerBody.inlineData, requestBody.missing, answerBody.missing, StoredParts.format, checks,
        ])
        try db.cachedStatement(sql: "INSERT INTO search (rowid, url, headers, body) VALUES (?, ?, ?, ?)")
            .execute(arguments: [number, [item.url, item.target].compactMap(\.self).joined(separator: "\n"), searchedHeaders, searchedBody])
        return number
    }
}

extension HistoryItem {
    /// Creates the list item of a call.
    fileprivate init(_ call: CompletedCall, workspace: String?, masked exchange: Exchange, url: String) {
        let error = exchange.error
        let outcome: Outcome =
            switch error?.code {
            case nil: .answered
            // A response with an unexpected status is still a response; without one, that of another request was rejected, such as for a token. A
            // WebSocket connection needs 101.
            case .status: exchange.response == nil || call.kind == .webSocket ? .failed : .answered
            case .cancelled: .cancelled
            case .superseded: .superseded
            default: .failed
            }
        self.init(
            number: 0, id: exchange.id, startedAt: exchange.startedAt, workspace: workspace, service: exchange.request.service,
            target: exchange.request.target, environment: exchange.request.environment, run: exchange.request.origin?.run, kind: call.kind,
            method: exchange.request.method, url: call.kind == .webSocket ? WebSocketURL.webSocket(url) : url, outcome: outcome,
            status: exchange.response?.status, grpcStatus: exchange.response?.grpcStatus?.code, error: error?.code.rawValue,
            duration: exchange.duration.isFinite ? exchange.duration : 0, sentBytes: exchange.sentBodyBytes,
            receivedBytes: call.fileBytes ?? Int64(exchange.response?.body.count ?? 0), attempts: exchange.attempts.count)
    }

    /// The columns of `exchange` that an item is read from.
    static let columns = """
        exchange.number, exchange.id, exchange.startedAt, exchange.workspace, exchange.service, exchange.target, exchange.environment,
        exchange.run, exchange.kind, exchange.method, exchange.url, exchange.outcome, exchange.status, exchange.error, exchange.duration,
        exchange.sentBytes, exchange.receivedBytes, exchange.attempts, exchange.tags, exchange.note, exchange.isPinned,
        CASE WHEN exchange.status > 0 AND exchange.outcome <> 'answered' THEN \(field("content-length", in: "headers")) END AS announced,
        CASE WHEN exchange.status > 0 AND exchange.kind = 'grpc' THEN \(grpcStatus) END AS grpcStatus
        """

    /// The status of a gRPC call: in the trailer, or in the header of a response without a message.
    static let grpcStatus = "coalesce(\(field("grpc-status", in: "trailers")), \(field("grpc-status", in: "headers")))"

    /// The value of a field of the response.
    private static func field(_ name: String, in part: String) -> String {
        """
        (SELECT json_extract(field.value, '$[1]')
            FROM detail, json_each(CASE WHEN json_valid(CAST(detail.answer AS TEXT)) THEN CAST(detail.answer AS TEXT) ELSE '{}' END, '$.\(part)') AS field
            WHERE detail.number = exchange.number AND lower(json_extract(field.value, '$[0]')) = '\(name)' LIMIT 1)
        """
    }

    /// An item of a row with these ``columns``.
    ///
    /// - Throws: where a value is not what Sortie writes.
    init(_ row: Row) throws(DamagedRow) {
        let number = try row.value(0, "number", of: 0, as: Int64.self)
        func text(_ index: Int, _ column: String) throws(DamagedRow) -> String { try row.value(index, column, of: number) }
        func optionalText(_ index: Int, _ column: String) throws(DamagedRow) -> String? { try row.optional(index, column, of: number) }
        func count<Value: DatabaseValueConvertible & BinaryInteger>(_ index: Int, _ column: String) throws(DamagedRow) -> Value {
            let value = try row.value(index, column, of: number, as: Value.self)
            guard value >= 0 else { throw DamagedRow(number, "the column \(column) is below 0") }
            return value
        }
        let start = try row.value(2, "startedAt", of: number, as: Double.self)
        guard Self.moments.contains(start) else { throw DamagedRow(number, "the column startedAt is not a time") }
        let duration = try row.value(14, "duration", of: number, as: Double.self)
        guard duration.isFinite else { throw DamagedRow(number, "the column duration is not a duration") }
        let status: Int = try count(12, "status")
        self.init(
            number: number, id: RequestID(try text(1, "id")) ?? RequestID(high: 0, low: 0), startedAt: Date(timeIntervalSince1970: start),
            workspace: try optionalText(3, "workspace"), service: try optionalText(4, "service"), target: try optionalText(5, "target"),
            environment: try optionalText(6, "environment"), run: try optionalText(7, "run"),
            kind: Endpoint.Kind(rawValue: try text(8, "kind")) ?? .data, method: HTTPMethod(try text(9, "method")) ?? .get,
            url: try text(10, "url"), outcome: Outcome(rawValue: try text(11, "outcome")) ?? .failed, status: status == 0 ? nil : status,
            grpcStatus: String.fromDatabaseValue(row[22]).flatMap { GRPCStatus(Headers([HeaderField("grpc-status", $0)]))?.code },
            error: try optionalText(13, "error"), duration: duration, sentBytes: try count(15, "sentBytes"),
            receivedBytes: try count(16, "receivedBytes"), announcedBytes: Self.announced(row, status: status), attempts: try count(17, "attempts"),
            tags: try text(18, "tags").split(separator: " ").map(String.init), note: try text(19, "note"),
            isPinned: try row.value(20, "isPinned", of: number))
    }

    /// The announced size of a body that is larger than what arrived.
    ///
    /// A value of a server that is not a size is ignored.
    private static func announced(_ row: Row, status: Int) -> Int64? {
        guard status > 0, let announced = String.fromDatabaseValue(row[21]).flatMap({ Int64($0) }),
            let received = Int64.fromDatabaseValue(row[16])
        else { return nil }
        return announced > received ? announced : nil
    }

    /// The years 1 to 9999, in seconds since 1970.
    private static let moments = -62_135_596_800.0...253_402_300_799.0

    /// The placeholder in the list for a row that cannot be read, so that the other rows are displayed and this one can be deleted.
    init(damaged row: DamagedRow) {
        self.init(
            number: row.number, id: RequestID(high: 0, low: 0), startedAt: Date(timeIntervalSince1970: 0), url: "(damaged: \(row.problem))",
            outcome: .failed, error: Self.damaged, attempts: 0, note: row.description)
    }

    private static let damaged = "damaged"

    /// Whether this is the placeholder of a row that cannot be read, with the reason in its note.
    package var isDamaged: Bool { outcome == .failed && error == Self.damaged }
}

/// A file that was sent, as stored in the history.
struct StoredFile: Codable {
    var path: String
    var size: Int64
    /// When it was changed last, in seconds since 1970.
    var modified: Double

    /// Describes the file at `path`; nil when it is no regular file, or missing.
    fileprivate init?(at path: String) {
        var information = stat()
        guard stat(path, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { return nil }
        let moment = information.st_mtim
        self.path = path
        size = Int64(information.st_size)
        modified = Double(moment.tv_sec) + Double(moment.tv_nsec) / 1e9
    }

    /// The restored file.
    var file: PastExchange.SentFile { PastExchange.SentFile(path: path, size: size, modified: modified) }
}

extension PastExchange.SentFile {
    /// The size and the time of the last change of a file; nil when it is no regular file, or cannot be read.
    package init?(readableAt path: String) {
        guard access(path, R_OK) == 0, let stored = StoredFile(at: path) else { return nil }
        self = stored.file
    }
}
