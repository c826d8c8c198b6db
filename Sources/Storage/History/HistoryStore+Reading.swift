internal import Foundation
internal import GRDB
package import HistoryModel
internal import SortieHTTP
package import WorkspaceModel

extension HistoryStore {
    /// Returns a page of the list, newest first.
    ///
    /// - Throws: `unreadable` when the history cannot be read.
    package func page(_ query: HistoryQuery) throws(WorkspaceError) -> HistoryPage {
        try searching(query.filter, otherwise: HistoryPage()) { db in try HistoryReader(db, query.filter).page(query) }
    }

    /// Returns the number of exchanges that match a filter, at most `limit`.
    ///
    /// - Throws: `unreadable` when the history cannot be read.
    package func count(_ filter: HistoryFilter, upTo limit: Int) throws(WorkspaceError) -> Int {
        try searching(filter, otherwise: 0) { db in try HistoryReader(db, filter).count(upTo: limit) }
    }

    /// Resolves a reference to an exchange: its number, the ID of its call, `last` or `last-1`.
    ///
    /// - Returns: The number; nil when no exchange matches.
    /// - Throws: `unreadable` when the history cannot be read.
    package func number(of reference: String) throws(WorkspaceError) -> Int64? {
        try reading { db in
            if reference == "last" || reference.hasPrefix("last-") {
                guard let back = reference == "last" ? 0 : Int(reference.dropFirst(5)), back >= 0 else { return nil }
                return try Int64.fetchOne(db, sql: "SELECT number FROM exchange ORDER BY number DESC LIMIT 1 OFFSET ?", arguments: [back])
            }
            if let number = Int64(reference) {
                return try Int64.fetchOne(db, sql: "SELECT number FROM exchange WHERE number = ?", arguments: [number])
            }
            guard let id = RequestID(reference) else { return nil }
            return try Int64.fetchOne(
                db, sql: "SELECT number FROM exchange WHERE id = ? ORDER BY number DESC LIMIT 1", arguments: [id.description])
        }
    }

    /// Returns the last exchange of an endpoint in a workspace; nil when it was never sent with the method and the path that it has now.
    ///
    /// The latest ``earlierRequests`` exchanges of its target are considered.
    ///
    /// - Throws: `unreadable` when the history cannot be read.
    package func past(ofLast endpoint: Endpoint, in workspace: String) throws(WorkspaceError) -> PastExchange? {
        let number = try reading { db -> Int64? in
            // The index of targets has the order of the numbers; that of workspaces would have to be sorted.
            let sql = """
                SELECT exchange.number, detail.origin, detail.format
                FROM exchange CROSS JOIN detail ON detail.number = exchange.number
                WHERE target = ? AND +workspace = ? ORDER BY exchange.number DESC LIMIT ?
                """
            let rows = try Row.fetchCursor(db, sql: sql, arguments: [endpoint.target, workspace, Self.earlierRequests])
            while let row = try rows.next() {
                guard let number = Int64.fromDatabaseValue(row["number"]) else { continue }
                var parts: StoredParts
                // A row of another version does not hide the ones before it.
                do throws(DamagedRow) { parts = try StoredParts(row, of: number) } catch { continue }
                if !RequestChange(from: parts.origin()?.endpoint, to: endpoint).isOtherRequest { return number }
            }
            return nil
        }
        guard let number else { return nil }
        return try past(number)
    }

    private static let earlierRequests = 50

    /// Returns the number of the last exchange with a response of each step of a run in an environment, by the name of the step.
    ///
    /// - Parameter end: The number of an exchange that is later than all of them; nil for the newest ones.
    ///
    /// - Throws: `unreadable` when the history cannot be read.
    package func numbers(
        ofLastStepsOf run: String, in workspace: String?, environment: String?, before end: Int64? = nil
    ) throws(WorkspaceError) -> [String: Int64] {
        try reading { db in
            let sql = "SELECT step, MAX(number) AS number FROM (\(Self.steps)) WHERE step IS NOT NULL AND number < ?4 GROUP BY step"
            let rows = try Row.fetchAll(db, sql: sql, arguments: [run, workspace, environment, end ?? .max])
            let numbers = rows.compactMap { row -> (String, Int64)? in
                guard let step = String.fromDatabaseValue(row["step"]), let number = Int64.fromDatabaseValue(row["number"]) else { return nil }
                return (step, number)
            }
            return Dictionary(numbers) { max($0, $1) }
        }
    }

    /// Returns the numbers of the last exchanges with a response of a step of a run in an environment, the newest first.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of exchanges.
    ///   - end: The number of an exchange that is later than all of them; nil for the newest ones.
    /// - Throws: `unreadable` when the history cannot be read.
    package func numbers(
        ofLast step: String, of run: String, in workspace: String?, environment: String?, before end: Int64? = nil, limit: Int
    ) throws(WorkspaceError) -> [Int64] {
        try reading { db in
            let sql = "SELECT number FROM (\(Self.steps)) WHERE step = ?4 AND number < ?5 ORDER BY number DESC LIMIT ?6"
            return try Int64.fetchAll(db, sql: sql, arguments: [run, workspace, environment, step, end ?? .max, limit])
        }
    }

    /// The numbers and the steps of the exchanges with a response of the run ?1 in the workspace ?2 and the environment ?3.
    ///
    /// The condition is that of `HistoryModel/HistoryItem/hasResponse`. The index of runs has the order of the numbers; those of the other
    /// columns would have to be sorted.
    private static let steps = """
        SELECT number, CASE WHEN json_valid(detail.origin) THEN json_extract(detail.origin, '$.step') END AS step
        FROM exchange JOIN detail USING (number)
        WHERE exchange.run = ?1 AND exchange.run = ?1 COLLATE BINARY AND +workspace IS ?2 AND +environment IS ?3 COLLATE BINARY
            AND +exchange.status > 0 AND (+exchange.outcome = 'answered' OR +exchange.outcome = 'failed' AND exchange.error IN (\(rejections)))
        """

    /// The codes of errors that reject a complete response, as a list of SQL.
    private static let rejections = HistoryItem.rejections.sorted().map { "'\($0)'" }.joined(separator: ", ")

    /// Returns a complete exchange; nil when none has this number.
    ///
    /// The body of its response is a mapped view of its file, whatever its size.
    ///
    /// - Throws: `unreadable` when the history cannot be read.
    package func past(_ number: Int64) throws(WorkspaceError) -> PastExchange? {
        try reading { db in
            let sql = """
                SELECT \(HistoryItem.columns), detail.request, detail.origin, detail.sentHeaders, detail.answer, detail.attempts AS tries, detail.timing,
                    detail.error AS failure, detail.value, detail.sentFiles, detail.file, detail.requestBytes, detail.answerBytes,
                    detail.missingRequestBody, detail.missingBody, exchange.requestDigest, exchange.answerDigest, detail.format, detail.checks,
                    (SELECT size FROM body WHERE digest = exchange.requestDigest) AS requestSize,
                    (SELECT size FROM body WHERE digest = exchange.answerDigest) AS answerSize
                FROM exchange JOIN detail USING (number) WHERE exchange.number = ?
                """
            return try Row.fetchOne(db, sql: sql, arguments: [number]).map { try self.past($0) }
        }
    }

    private func past(_ row: Row) throws -> PastExchange {
        let item = try HistoryItem(row)
        var parts = try StoredParts(row, of: item.number)
        let stored = try parts.request()
        let (requestBody, missingRequestBody) = body(&parts, "request", missing: "missingRequestBody")
        let request = stored.request(bytes: requestBody.bytes(in: 0..<requestBody.count), origin: parts.origin())
        var exchange = Exchange(id: item.id, request: request, startedAt: item.startedAt)
        var missingBody: String?
        if let response = parts.value(StoredResponse.self, "answer") {
            let (body, missing) = body(&parts, "answer", missing: "missingBody")
            exchange.response = response.response(body: body)
            missingBody = missing
        } else {
            missingBody = parts.unreadable.contains("answer") ? "the stored response cannot be read" : parts.text("missingBody")
        }
        let attempts = parts.value([StoredAttempt].self, "attempts", as: "tries") ?? []
        exchange.attempts = attempts.enumerated().map { $1.attempt(isLast: $0 == attempts.count - 1, of: exchange) }
        let timing = parts.value(StoredTiming.self, "timing")?.timing ?? Timing()
        if exchange.attempts.isEmpty, item.attempts > 0 {
            // The list of attempts cannot be read; the columns have what is known of the last one.
            var attempt = Attempt(url: request.url, method: request.method, startedAt: item.startedAt)
            attempt.response = exchange.response?.head
            attempt.timing = timing
            exchange.attempts = [attempt]
        }
        let sentHeaders = Headers(pairs: parts.value([[String]].self, "sentHeaders") ?? [])
        if let last = exchange.attempts.indices.last {
            exchange.attempts[last].sentHeaders = sentHeaders
            exchange.attempts[last].sentBodyBytes = item.sentBytes
        }
        exchange.duration = item.duration
        exchange.otherQueued = max(0, timing.queued - exchange.timing.queued)
        exchange.error = parts.value(StoredError.self, "error", as: "failure")?.error
        exchange.value = parts.json("value")
        exchange.reportedChecks = parts.value([StoredCheck].self, "checks")?.map(\.check) ?? []
        let sentFiles = parts.value([StoredFile].self, "sentFiles")?.map(\.file) ?? []
        let file = parts.text("file")
        return PastExchange(
            item: item, exchange: exchange, masks: parts.masks(stored, in: request), missingBody: missingBody,
            missingRequestBody: missingRequestBody, sentFiles: sentFiles, file: file, unreadable: parts.unreadable)
    }

    /// A body of a row, and the reason why it is missing.
    private func body(_ parts: inout StoredParts, _ name: String, missing column: String) -> (BodyBytes, String?) {
        let missing = parts.text(column)
        if let data = parts.data("\(name)Bytes") { return (BodyBytes(Array(data)), missing) }
        guard let digest = parts.text("\(name)Digest") else { return (.empty, missing) }
        guard let size = parts.size("\(name)Size"), let body = bodies.body(digest, size: size) else {
            return (.empty, "its file \(bodies.file(digest)) is missing or was changed")
        }
        return (body, missing)
    }

    /// Runs a search with words that the user typed.
    ///
    /// When FTS5 rejects them because its tokenizer splits them in another way, there is no match.
    private func searching<Value>(
        _ filter: HistoryFilter, otherwise nothing: Value, _ work: (Database) throws -> Value
    ) throws(WorkspaceError) -> Value {
        try reading { db in
            do { return try work(db) } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
                guard try HistorySelection(filter).isRejected(by: db) else { throw error }
                return nothing
            }
        }
    }

    private func reading<Value>(_ work: (Database) throws -> Value) throws(WorkspaceError) -> Value {
        do { return try database.reader.read(work) } catch { throw HistoryTrouble.working(path, error, whileWriting: false) }
    }
}
