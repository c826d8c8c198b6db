internal import Foundation
internal import SortieBase

/// The format of a state file: a JSON object with the version of the format and a list of records.
///
/// Version 1 of a format with migrations is the list alone, as 0.1.0 wrote it.
struct StateFormat: Sendable {
    /// Changes a record of one version to the next version.
    ///
    /// A value that is not understood is copied, so that reading the record reports it.
    typealias Migration = @Sendable (JSONValue) -> JSONValue

    /// The key of the records.
    let key: String
    /// The content in messages, such as “the unsaved edits”.
    let content: String
    /// The migrations in the order of versions; a released one is never edited.
    var migrations: [Migration] = []

    /// The version that is written.
    var version: Int { migrations.count + 1 }

    /// The state file `bytes` in the current version.
    ///
    /// - Throws: ``Fault`` where they are not a file of this format, or a file of a newer version.
    func current(_ bytes: [UInt8]) throws(Fault) -> [UInt8] {
        let found = try version(of: bytes)
        guard found < version else { return bytes }
        let file: JSONValue
        do { file = try JSONValue(parsing: bytes) } catch { throw .unreadable }
        guard case .array(var records)? = found == 1 ? file : file[key] else { throw .unreadable }
        for migration in migrations[(found - 1)...] { records = records.map(migration) }
        return Array(JSONValue.object([.init("version", .integer(version)), .init(key, .array(records))]).text.utf8)
    }

    /// Checks that `bytes` are a state file of this version or an older one; its records are not read.
    func check(_ bytes: [UInt8]) throws(Fault) {
        let found = try version(of: bytes)
        do {
            let file = try JSONValue(parsing: bytes)
            if case .array? = found == 1 && !migrations.isEmpty ? file : file[key] { return }
        } catch {
            throw .unreadable
        }
        throw .unreadable
    }

    /// The version of a state file.
    ///
    /// - Throws: ``Fault`` where it has no version, or a newer one.
    func version(of bytes: [UInt8]) throws(Fault) -> Int {
        guard let first = bytes.first(where: { $0 > 0x20 }) else { throw .unreadable }
        // An array with a fault is found when its records are read.
        if first == UInt8(ascii: "["), !migrations.isEmpty { return 1 }
        let found: Int
        do { found = try StoredJSON.decoder.decode(Head.self, from: Data(bytes)).version } catch { throw .unreadable }
        guard found <= version else { throw .newer(found) }
        guard found > (migrations.isEmpty ? 0 : 1) else { throw .unreadable }
        return found
    }

    /// Why bytes are not a state file of this version.
    enum Fault: Error {
        /// They are damaged, or another kind of file.
        case unreadable
        /// A newer version of the program wrote them.
        case newer(Int)
    }

    private struct Head: Decodable {
        var version: Int
    }
}
