internal import Dispatch
internal import Foundation
internal import GRDB
package import HistoryModel
internal import SortieHTTP
internal import Synchronization
package import WorkspaceModel

/// Writing, on the store's queue.
extension HistoryStore {
    /// The size in bytes from which the engine spools a response body to a file.
    static let spooledSize = 1 << 20
    /// The size in bytes from which a response body is written after its row, so that rows are committed soon.
    static let lateSize = 128 << 10

    /// A body that is written after its row.
    private struct LateBody {
        var row: Int
        var body: BodyBytes
        var contentType: String?
        var redaction: Redaction
    }

    /// Writes the pending exchanges in one transaction.
    func write() {
        dispatchPrecondition(condition: .onQueue(queue))
        guard let writer = database.writer else { return }
        let batch = state.withLock { state in
            defer { state.pending = [] }
            state.isScheduled = false
            return state.pending
        }
        var rows = state.withLock { Swift.exchange(&$0.unwritten, with: []) }
        guard !batch.isEmpty || !rows.isEmpty else { return }
        defer {
            state.withLock { state in
                state.count -= batch.count
                state.bytes -= batch.reduce(0) { $0 + $1.bytes }
                state.spooled -= batch.reduce(0) { $0 + $1.spooled }
            }
        }
        // Held until the rows refer to the files.
        let hold = hold()
        for index in rows.indices { forgetLostFiles(&rows[index]) }
        var late: [LateBody] = []
        for pending in batch {
            do { try rows.append(row(pending, canWriteFiles: hold != nil, row: rows.count, late: &late)) } catch {
                notifyOnce(HistoryTrouble.working(path, error, whileWriting: true))
            }
        }
        do {
            let numbers = try writer.write { db in try rows.map { try $0.insert(db) } }
            itWorks(path)
            if database.mode == .memory { forgetOldest() }
            if numbers.contains(where: { $0 % Self.tidyInterval == 0 }) { state.withLock { $0.isTidyDue = true } }
            for late in late { write(late, to: numbers[late.row]) }
            notify(.written)
        } catch {
            for late in late { rows[late.row].answerBody = .missing("it could not be written together with the exchange") }
            state.withLock { $0.unwritten = Array(rows.suffix(Self.unwrittenLimit)) }
            notifyOnce(HistoryTrouble.working(path, error, whileWriting: true))
        }
        withExtendedLifetime(hold) {}
    }

    private func hold() -> BodyFolder.Hold? {
        guard keepsFiles else { return nil }
        do { return try bodies.holdForWriting() } catch {
            notifyOnce(error)
            return nil
        }
    }

    /// Masks a call and writes its bodies.
    private func row(_ pending: Pending, canWriteFiles: Bool, row number: Int, late: inout [LateBody]) throws -> HistoryRow {
        let call = pending.call
        let redaction = pending.redaction
        let exchange = call.exchange.masked(by: redaction)
        var row = try HistoryRow(call, workspace: pending.workspace, masked: exchange, url: exchange.request.url.description)
        // Only a download that ended without an error has its file.
        row.file = call.exchange.error == nil ? call.file.map { redaction.masked($0) } : nil
        if call.fileBytes == nil { row.item.receivedBytes += Int64(pending.leftOutAnswer) }
        let requestType = call.exchange.sentHeaders["Content-Type"] ?? call.exchange.request.body.contentType
        var searched: [String] = []
        let bytes = BodyBytes(StoredRequestBody.bytes(of: exchange.request.body))
        // The body was masked with the rest of the exchange.
        row.requestBody = keep(bytes, contentType: requestType, redaction: .none, canWriteFiles: canWriteFiles) { start in
            searched.append(Self.searchedText(start, contentType: requestType))
        }
        if pending.leftOutRequest > 0 { row.requestBody.missing = pending.leftOut }
        if let response = call.exchange.response {
            let type = response.contentType
            if response.body.count > BodyFolder.limit {
                let size = ByteCount(Int64(response.body.count)).text
                row.answerBody = .missing("it has \(size), more than the limit of \(ByteCount(Int64(BodyFolder.limit)).text) for stored bodies")
            } else if response.body.isEmpty, let file = call.file {
                let fate = call.exchange.error == nil ? "it was saved to the file \(file)" : "its download to the file \(file) did not finish"
                row.answerBody = .missing(redaction.masked(fate))
            } else if let reason = pending.leftOut, pending.leftOutAnswer > 0 {
                row.answerBody = .missing(reason)
            } else if response.body.count > Self.lateSize, canWriteFiles {
                row.answerBody = .missing("it is still being written, or the program ended before it was written")
                let start = redaction.maskedStart(of: response.body, count: Self.searchedBytes, contentType: type)
                searched.append(Self.searchedText(start, contentType: type))
                late.append(LateBody(row: number, body: response.body, contentType: type, redaction: redaction))
            } else {
                row.answerBody = keep(response.body, contentType: type, redaction: redaction, canWriteFiles: canWriteFiles) { start in
                    searched.append(Self.searchedText(start, contentType: type))
                }
            }
        }
        row.searchedBody = searched.filter { !$0.isEmpty }.joined(separator: "\n")
        return row
    }

    /// Writes a body, or returns the reason why it is missing.
    private func keep(
        _ body: BodyBytes, contentType: String?, redaction: Redaction, canWriteFiles: Bool, seen: ([UInt8]) -> Void
    ) -> StoredBody {
        let inline = keepsFiles ? BodyFolder.inlineLimit : 64 << 10
        if !canWriteFiles, body.count > inline {
            return .missing(
                keepsFiles ? "the folder of bodies cannot be written" : "in memory, only bodies up to \(ByteCount(Int64(inline)).text) are stored")
        }
        do {
            let kept = try bodies.write(body, contentType: contentType, redaction: redaction, inlineLimit: inline, seen: seen)
            if kept.digest != nil { itWorks(bodies.path) }
            return kept
        } catch {
            notifyOnce(error)
            return .missing(error.message)
        }
    }

    /// Writes a body whose row exists.
    private func write(_ late: LateBody, to number: Int64) {
        let count = late.body.count
        let isSpooled = count > Self.spooledSize
        state.withLock { state in
            if isSpooled { state.spooled += count } else { state.bytes += count }
        }
        bodyQueue.async {
            let hold = self.hold()
            let kept = self.keep(late.body, contentType: late.contentType, redaction: late.redaction, canWriteFiles: hold != nil) { _ in }
            self.state.withLock { state in
                if isSpooled { state.spooled -= count } else { state.bytes -= count }
            }
            do {
                try self.database.writer?.write { db in
                    if case .file(let digest, let size) = kept.content {
                        try db.execute(sql: "INSERT OR IGNORE INTO body (digest, size) VALUES (?, ?)", arguments: [digest, size])
                    }
                    try db.execute(sql: "UPDATE exchange SET answerDigest = ? WHERE number = ?", arguments: [kept.digest, number])
                    try db.execute(
                        sql: "UPDATE detail SET answerBytes = ?, missingBody = ? WHERE number = ?",
                        arguments: [kept.inlineData, kept.missing, number])
                }
                self.notify(.written)
            } catch { self.notifyOnce(HistoryTrouble.working(self.path, error, whileWriting: true)) }
            withExtendedLifetime(hold) {}
        }
    }

    /// Marks bodies as missing whose files disappeared while their row waited.
    private func forgetLostFiles(_ row: inout HistoryRow) {
        func look(_ body: inout StoredBody) {
            if case .file(let digest, let size) = body.content, !bodies.has(digest, size: size) { body = .missing("its file is missing") }
        }
        look(&row.requestBody)
        look(&row.answerBody)
    }

    /// Keeps the newest 1000 exchanges of a database in memory.
    private func forgetOldest() {
        do {
            try database.writer?.write { db in
                try db.execute(sql: "DELETE FROM search WHERE rowid <= (SELECT max(number) - 1000 FROM exchange)")
                try db.execute(sql: "DELETE FROM exchange WHERE number <= (SELECT max(number) - 1000 FROM exchange)")
            }
        } catch { notifyOnce(HistoryTrouble.working(path, error, whileWriting: true)) }
    }

    // MARK: Search

    /// The number of bytes of a body that are searched.
    static let searchedBytes = 32 << 10

    /// The text of the first bytes of a body; empty when they are none.
    private static func searchedText(_ start: [UInt8], contentType: String?) -> String {
        DecodedBody(BodyBytes(Array(start.prefix(searchedBytes))), contentType: contentType)?.text ?? ""
    }
}

extension StoredRequestBody {
    /// The number of bytes of a body that are in memory.
    static func count(of body: RequestBody) -> Int {
        switch body {
        case .none, .file: 0
        case .bytes(let bytes, _): bytes.count
        case .multipart(let parts):
            parts.reduce(0) { count, part in
                if case .bytes(let bytes) = part.content { count + bytes.count } else { count }
            }
        }
    }
}

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
        let (requestBody, missing) = body(&parts, "request", missing: "missingRequestBody")
        let request = stored.request(bytes: requestBody.bytes(in: 0..<requestBody.count), origin: parts.origin())
        // A file of this name contains something else in each process.
        let isInput = request.body.files.contains(Request.standardInput)
        let missingRequestBody = isInput ? "it was sent while it was read from standard input" : missing
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
