internal import Foundation
internal import SortieBase

/// A state file: records in a versioned format, private to the user, replaced atomically.
///
/// What cannot be read is never lost: a file of a newer version is not replaced, and before another file that cannot be read completely is replaced, it is
/// kept beside the new one under a name that ends with `.damaged`.
struct StateFile<Record: StateRecord>: Sendable {
    /// The values of a file, and what of it cannot be read.
    struct Content: Sendable {
        var values: [Record.Value] = []
        var problems: [WorkspaceError] = []
    }

    let path: String
    private var format: StateFormat { Record.format }

    init(_ path: String) { self.path = path }

    /// The values; nil when there is no file.
    ///
    /// A record that cannot be read is a problem of the content, and the other records are read.
    ///
    /// - Throws: ``WorkspaceError/Code/unreadable`` where it is not a state file, ``WorkspaceError/Code/inaccessible`` where the system cannot read it,
    ///   ``WorkspaceError/Code/newer`` where a newer version wrote it. The file is not changed.
    func load() throws(WorkspaceError) -> Content? {
        try StateFolder.checkFile(path)
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        try StateFolder.check(FilePath.folder(of: path))
        let stored: StateFileContent<Record>
        do {
            let bytes = try self.bytes()
            try format.checkVersion(of: bytes)
            stored = try StoredJSON.decoder.decode(StateFileContent<Record>.self, from: Data(bytes))
        } catch {
            throw failure(error)
        }
        var content = Content()
        var problems: [String] = []
        for (number, part) in stored.records.enumerated() {
            var found: [String] = []
            if let value = part.value?.value(&found) { content.values.append(value) }
            problems += (found + [part.problem].compactMap(\.self)).map { "record \(number + 1): \($0)" }
        }
        guard !problems.isEmpty else { return content }
        let place = keepAside()
        content.problems = problems.map { problem in
            WorkspaceError(
                .unreadable, file: path,
                "a part of \(format.content) cannot be read, \(problem)" + (place.map { "; the file as it was is \($0) beside it" } ?? ""))
        }
        return content
    }

    /// Stores `values` in place of what the file holds; nil removes the file.
    ///
    /// - Throws: ``WorkspaceError/Code/newer`` where a newer version wrote the file; it is not replaced.
    func save(_ values: [Record.Value]?) throws(WorkspaceError) {
        try StateFolder.checkFile(path)
        if FileManager.default.fileExists(atPath: path) {
            do { try format.check(try bytes()) } catch StateFormat.Fault.newer(let version) {
                throw failure(StateFormat.Fault.newer(version))
            } catch let error as WorkspaceError {
                throw error
            } catch {
                guard keepAside() != nil else { throw unwritable("the file there cannot be read, nor kept under another name") }
            }
        }
        do {
            guard let values else {
                // They may have the values that are forgotten.
                AtomicFile.removeLeftovers(beside: path)
                guard FileManager.default.fileExists(atPath: path) else { return }
                try FileManager.default.removeItem(atPath: path)
                // After a crash of the system, a request that was sent would wait again, and a secret that was forgotten would be there.
                let code = FileRename.syncFolder(of: path)
                guard code == 0 else { throw WorkspaceError(.unwritable, file: path, "it cannot be removed: \(WriteRefusal(code: code))") }
                return
            }
            try StateFolder.make(FilePath.folder(of: path))
            try AtomicFile.write(StoredJSON.bytes(of: StateFileContent<Record>(values)), to: path, mode: 0o600)
        } catch {
            throw unwritable("\(error)")
        }
    }

    /// Acquires the lock of the file, without which two programs that change it at the same time could lose a change.
    ///
    /// - Parameter seconds: How long to wait for another program; this blocks the thread.
    func lock(within seconds: Double) throws(WorkspaceError) -> StateLock {
        do { try StateFolder.make(FilePath.folder(of: path)) } catch { throw unwritable("\(error)") }
        try StateFolder.checkFile(path + ".lock")
        if let lock = StateLock(path: path + ".lock", within: seconds) { return lock }
        let code = errno
        throw WorkspaceError(
            .unwritable, file: path,
            code == EWOULDBLOCK
                ? "another program is changing \(format.content); try again"
                : "\(format.content) cannot be changed: \(path).lock cannot be locked: \(String(cString: strerror(code)))")
    }

    /// Removes a file that cannot be read, and keeps it under another name; returns that name.
    func putAside() throws(WorkspaceError) -> String {
        guard let name = keepAside() else { throw unwritable("the file there cannot be read, nor kept under another name") }
        try save(nil)
        return name
    }

    private func bytes() throws -> [UInt8] {
        do throws(WholeFile.Failure) { return try WholeFile.bytes(at: path, limit: StateFolder.largestFile) } catch {
            // A file that the system cannot read now, for example without free descriptors, is not damaged.
            guard case .system(let code) = error else { throw error }
            throw WorkspaceError(.inaccessible, file: path, "\(format.content) cannot be read: \(String(cString: strerror(code)))")
        }
    }

    /// Gives the file a second name, which it keeps when it is replaced; returns that name, nil where there is none.
    private func keepAside() -> String? {
        var ours = stat()
        guard stat(path, &ours) == 0 else { return nil }
        for number in 1...1000 {
            let place = number == 1 ? "\(path).damaged" : "\(path).damaged-\(number)"
            if link(path, place) == 0 { return FilePath.name(of: place) }
            var theirs = stat()
            if errno == EEXIST {
                if stat(place, &theirs) == 0, theirs.st_ino == ours.st_ino, theirs.st_dev == ours.st_dev { return FilePath.name(of: place) }
                continue
            }
            // The file system has no hard links.
            do { try FileManager.default.copyItem(atPath: path, toPath: place) } catch { return nil }
            return FilePath.name(of: place)
        }
        return nil
    }

    private func failure(_ error: any Error) -> WorkspaceError {
        switch error {
        case StateFormat.Fault.newer(let version):
            WorkspaceError(
                .newer, file: path,
                "\(format.content) were written by a newer version of Sortie (format \(version)) and are not changed; use that version, "
                    + "or move the file to another place to start again")
        case let error as WorkspaceError: error
        default:
            WorkspaceError(
                .unreadable, file: path, "\(format.content) cannot be read; this file is not changed, move it to another place to start again")
        }
    }

    private func unwritable(_ reason: String) -> WorkspaceError {
        WorkspaceError(.unwritable, file: path, "\(format.content) cannot be kept: \(reason)")
    }
}

/// The format of a state file: a JSON object with the version of the format and a list of records.
package struct StateFormat: Sendable {
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

/// A record of a state file: the stored form of a value.
///
/// Its keys belong to the version of the format; they do not follow from the types of the model. A type that exists in order to be stored is its own record.
package protocol StateRecord: Codable {
    associatedtype Value: Sendable

    /// The format of the file.
    static var format: StateFormat { get }

    init(_ value: Value)

    /// The value; nil where nothing of it can be used.
    ///
    /// - Parameter problems: Receives what of the record cannot be read.
    func value(_ problems: inout [String]) -> Value?
}

extension StateRecord where Value == Self {
    package init(_ value: Self) { self = value }

    package func value(_ problems: inout [String]) -> Self? { self }
}

/// The content of a state file of the current version; a record that cannot be decoded does not affect the others.
struct StateFileContent<Record: StateRecord>: Codable {
    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    var records: [StoredPart<Record>]

    init(_ values: [Record.Value]) {
        records = values.map { StoredPart(Record($0)) }
    }

    init(from decoder: any Decoder) throws {
        records = try decoder.container(keyedBy: Key.self).decode([StoredPart<Record>].self, forKey: Key(stringValue: Record.format.key))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(Record.format.version, forKey: Key(stringValue: "version"))
        try container.encode(records, forKey: Key(stringValue: Record.format.key))
    }
}
