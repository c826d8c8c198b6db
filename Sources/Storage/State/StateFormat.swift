internal import Foundation
internal import SortieBase

/// The format of a state file: a JSON object with the version of the format and a list of records.
struct StateFormat: Sendable {
    /// The key of the records.
    let key: String
    /// The content in messages, such as “the unsaved edits”.
    let content: String
    /// The version that is read and written.
    var version = 1

    /// Checks that `bytes` are a state file of this version; its records are not read.
    func check(_ bytes: [UInt8]) throws(Fault) {
        try checkVersion(of: bytes)
        do {
            if case .array? = try JSONValue(parsing: bytes)[key] { return }
        } catch {
            throw .unreadable
        }
        throw .unreadable
    }

    /// Checks the version of a state file.
    ///
    /// - Throws: ``Fault`` where it has no version, or another one.
    func checkVersion(of bytes: [UInt8]) throws(Fault) {
        let found: Int
        do { found = try StoredJSON.decoder.decode(Head.self, from: Data(bytes)).version } catch { throw .unreadable }
        guard found <= version else { throw .newer(found) }
        guard found == version else { throw .unreadable }
    }

    /// Why bytes are not a state file of this version.
    enum Fault: Error {
        /// They are damaged, of an older version, or another kind of file.
        case unreadable
        /// A newer version of the program wrote them.
        case newer(Int)
    }

    private struct Head: Decodable {
        var version: Int
    }
}
