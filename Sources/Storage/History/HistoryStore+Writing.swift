internal import Dispatch
internal import Foundation
internal import GRDB
internal import HistoryModel
internal import SortieHTTP
internal import Synchronization

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
        var rows = state.withLock { state in
            defer { state.unwritten = [] }
            return state.unwritten
        }
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
                tellOnce(HistoryTrouble.working(path, error, whileWriting: true))
            }
        }
        do {
            let numbers = try writer.write { db in try rows.map { try $0.insert(db) } }
            itWorks(path)
            if database.mode == .memory { forgetOldest() }
            if numbers.contains(where: { $0 % Self.tidyInterval == 0 }) { state.withLock { $0.isTidyDue = true } }
            for late in late { write(late, to: numbers[late.row]) }
            tell(.written)
        } catch {
            for late in late { rows[late.row].answerBody = .missing("it could not be written together with the exchange") }
            state.withLock { $0.unwritten = Array(rows.suffix(Self.unwrittenLimit)) }
            tellOnce(HistoryTrouble.working(path, error, whileWriting: true))
        }
        withExtendedLifetime(hold) {}
    }

    private func hold() -> BodyFolder.Hold? {
        guard keepsFiles else { return nil }
        do { return try bodies.holdForWriting() } catch {
            tellOnce(error)
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
            tellOnce(error)
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
                self.tell(.written)
            } catch { self.tellOnce(HistoryTrouble.working(self.path, error, whileWriting: true)) }
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
        } catch { tellOnce(HistoryTrouble.working(path, error, whileWriting: true)) }
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
