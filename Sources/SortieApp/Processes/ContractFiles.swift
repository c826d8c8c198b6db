internal import Foundation
internal import Interchange
internal import SortieBase
internal import SortieStorage
internal import Synchronization

/// Reads descriptions, and keeps them for the process until their files change, also those to which they refer.
final class ContractFiles: Sendable {
    private struct Entry {
        let read: ReadFiles
        let contract: Result<OpenAPIContract, Diagnostic>
    }

    /// The files of a description that were read, with what changes with their content; references are followed when a value reaches them.
    private final class ReadFiles: Sendable {
        private struct Stamp: Equatable {
            var date: Date?
            var size: UInt64?
            var number: UInt64?

            /// The stamp of a file; empty for one that cannot be read.
            init(ofFile path: String) {
                do {
                    let attributes = try FileManager.default.attributesOfItem(atPath: RealPath.of(path))
                    date = attributes[.modificationDate] as? Date
                    size = (attributes[.size] as? NSNumber)?.uint64Value
                    number = (attributes[.systemFileNumber] as? NSNumber)?.uint64Value
                } catch {
                    // The reader of the file reports why; it is read again when it can be.
                }
            }
        }

        private let stamps = Mutex<[String: Stamp]>([:])

        /// Notes a file, before it is read.
        func note(_ path: String) { stamps.withLock { $0[path] = $0[path] ?? Stamp(ofFile: path) } }

        /// Whether no file has changed since it was read.
        var areCurrent: Bool { stamps.withLock { $0.allSatisfy { Stamp(ofFile: $0.key) == $0.value } } }
    }

    private let entries = Mutex<[String: Entry]>([:])

    /// The description in a file, which may refer to files in the same folder; may block.
    ///
    /// - Throws: Why it cannot be read.
    func contract(at path: String, _ folders: UserFolders) throws(Diagnostic) -> OpenAPIContract {
        try contract(ofFile: path) { (note) throws(Diagnostic) in try Self.source(path, folders, reading: note) }
    }

    /// The description that was fetched from a URL; may block.
    ///
    /// - Throws: Why it cannot be read, or that it was not fetched.
    func contract(atURL url: String, in store: ContractStore) throws(Diagnostic) -> OpenAPIContract {
        let path = store.path(of: url)
        return try contract(ofFile: path) { (note) throws(Diagnostic) in
            note(path)
            let document: ContractStore.Document?
            do throws(WorkspaceError) { document = try store.document(at: url) } catch {
                throw Diagnostic(SourceLocation(file: error.file), error.message)
            }
            guard let document else {
                throw Diagnostic(SourceLocation(file: url), "the description was not fetched yet; sortie contract update fetches it")
            }
            return Self.source(of: document.bytes, at: url)
        }
    }

    private func contract(
        ofFile path: String, _ source: (_ note: @escaping @Sendable (String) -> Void) throws(Diagnostic) -> ImportSource
    ) throws(Diagnostic) -> OpenAPIContract {
        // Under the lock, so that concurrent calls read a document once.
        let result = entries.withLock { entries in
            if let known = entries[path], known.read.areCurrent { return known.contract }
            let read = ReadFiles()
            let result = Result { () throws(Diagnostic) in try OpenAPIContract(source(read.note)) }
            entries[path] = Entry(read: read, contract: result)
            return result
        }
        return try result.get()
    }

    /// A description that was fetched, as a source; it refers to no other documents.
    static func source(of bytes: [UInt8], at url: String) -> ImportSource {
        let path = url.prefix { !"?#".contains($0) }
        return ImportSource(name: path.split(separator: "/").last.map(String.init) ?? url, bytes: bytes, yaml: YAMLSource.node)
    }

    /// A description as a source.
    ///
    /// - Parameter note: Called with the path of each file before it is read.
    /// - Throws: Why it cannot be read.
    static func source(_ path: String, _ folders: UserFolders, reading note: @escaping @Sendable (String) -> Void = { _ in })
        throws(Diagnostic) -> ImportSource
    {
        note(path)
        let bytes: [UInt8]
        do throws(WorkspaceError) { bytes = try ImportFolder.bytes(of: path) } catch {
            throw Diagnostic(SourceLocation(file: path), error.message)
        }
        let folder = ImportFolder(path: FilePath.folder(of: path), folders)
        return ImportSource(name: FilePath.name(of: path), bytes: bytes, yaml: YAMLSource.node) { file in
            note(FilePath.joining(folder.path, file))
            return folder.bytes(of: file)
        }
    }
}
