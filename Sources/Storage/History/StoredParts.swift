internal import Foundation
internal import GRDB
internal import HistoryModel
internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Reads the JSON columns of a row of `detail`, in the format of this version.
///
/// A part that cannot be read is left out and named in ``unreadable``.
struct StoredParts {
    /// The format of rows that this version reads and writes.
    static let format = 3

    private let row: Row
    private let number: Int64
    /// The columns that cannot be read.
    private(set) var unreadable: [String] = []
    /// The stored names of the masked parts of the origin's endpoint.
    private var maskedOrigin: [String]?

    /// - Throws: Where another version wrote the row.
    init(_ row: Row, of number: Int64) throws(DamagedRow) {
        self.row = row
        self.number = number
        let format: Int = try row.optional("format", of: number) ?? 0
        guard format == Self.format else {
            throw DamagedRow(number, "\(format > Self.format ? "a newer" : "an older") version of Sortie wrote it (format \(format))")
        }
    }

    /// The request, without which there is no exchange.
    func request() throws(DamagedRow) -> StoredRequest {
        guard let text = try row.optional("request", of: number, as: String.self) else { throw DamagedRow(number, "it has no request") }
        do { return try StoredJSON.decoder.decode(StoredRequest.self, from: Data(text.utf8)) } catch {
            throw DamagedRow(number, "the column request does not hold what Sortie writes")
        }
    }

    /// The text of a column.
    mutating func text(_ column: String, as name: String? = nil) -> String? {
        do throws(DamagedRow) { return try row.optional(name ?? column, of: number) } catch {
            unreadable.append(column)
            return nil
        }
    }

    /// The value of a column with JSON.
    ///
    /// - Parameter name: The name of the column in the query, where it differs.
    mutating func value<Value: Decodable>(_ type: Value.Type, _ column: String, as name: String? = nil) -> Value? {
        guard let text = text(column, as: name) else { return nil }
        do { return try StoredJSON.decoder.decode(type, from: Data(text.utf8)) } catch {
            unreadable.append(column)
            return nil
        }
    }

    /// What the request was made of.
    mutating func origin() -> RequestOrigin? {
        guard let text = text("origin") else { return nil }
        do {
            let stored = try StoredJSON.decoder.decode(StoredOrigin.self, from: Data(text.utf8))
            maskedOrigin = stored.masked
            let origin = stored.origin
            if origin == nil { unreadable.append("origin") }
            return origin
        } catch {
            unreadable.append("origin")
            return nil
        }
    }

    /// The masked parts of a request of this row, and of its origin.
    ///
    /// Where they are not readable, they are the parts that contain the text of a mask.
    func masks(_ stored: StoredRequest, in request: Request) -> MaskedParts {
        if let parts = StoredMasks.parts(named: stored.masked), let endpoint = StoredMasks.parts(named: maskedOrigin) {
            return MaskedParts(request: parts, endpoint: endpoint)
        }
        return MaskedParts(
            request: StoredMasks.parts(searching: request), endpoint: request.origin.map { StoredMasks.parts(searching: $0.endpoint) } ?? [])
    }

    /// The value that a plugin or the business envelope made of the body.
    mutating func json(_ column: String) -> JSONValue? {
        guard let text = text(column) else { return nil }
        do { return try JSONValue(parsing: text) } catch {
            unreadable.append(column)
            return nil
        }
    }

    /// The bytes of a column.
    mutating func data(_ column: String) -> Data? {
        do throws(DamagedRow) { return try row.optional(column, of: number) } catch {
            unreadable.append(column)
            return nil
        }
    }

    /// The size of a body; nil where it cannot be read, too, because the body is then missing.
    func size(_ column: String) -> Int64? {
        do throws(DamagedRow) { return try row.optional(column, of: number) } catch { return nil }
    }
}
