internal import Foundation
internal import Interchange
internal import SortieBase
internal import SortieStorage
internal import Synchronization

/// Reads descriptions, and keeps them for the process until their files change; a change of a file that one refers to is not noticed.
final class ContractFiles: Sendable {
    private struct Entry {
        let stamp: Stamp
        let contract: Result<OpenAPIContract, Diagnostic>
    }

    /// What changes with the content of a file.
    private struct Stamp: Equatable {
        var date: Date?
        var size: UInt64?
        var number: UInt64?

        init(ofFile path: String) throws {
            let attributes = try FileManager.default.attributesOfItem(atPath: RealPath.of(path))
            date = attributes[.modificationDate] as? Date
            size = (attributes[.size] as? NSNumber)?.uint64Value
            number = (attributes[.systemFileNumber] as? NSNumber)?.uint64Value
        }
    }

    private let entries = Mutex<[String: Entry]>([:])

    /// The description in a file, which may refer to files in the same folder; may block.
    ///
    /// - Throws: Why it cannot be read.
    func contract(at path: String, _ folders: UserFolders) throws(Diagnostic) -> OpenAPIContract {
        let stamp: Stamp
        do { stamp = try Stamp(ofFile: path) } catch {
            throw Diagnostic(SourceLocation(file: path), "it cannot be read: \(error.localizedDescription)")
        }
        // Under the lock, so that concurrent calls read a document once.
        let result = entries.withLock { entries in
            if let known = entries[path], known.stamp == stamp { return known.contract }
            let result = Result { () throws(Diagnostic) in try OpenAPIContract(Self.source(path, folders)) }
            entries[path] = Entry(stamp: stamp, contract: result)
            return result
        }
        return try result.get()
    }

    /// A description as a source.
    ///
    /// - Throws: Why it cannot be read.
    static func source(_ path: String, _ folders: UserFolders) throws(Diagnostic) -> ImportSource {
        let bytes: [UInt8]
        do throws(WorkspaceError) { bytes = try ImportFolder.bytes(of: path) } catch {
            throw Diagnostic(SourceLocation(file: path), error.message)
        }
        let folder = ImportFolder(path: FilePath.folder(of: path), folders)
        return ImportSource(name: FilePath.name(of: path), bytes: bytes, yaml: YAMLSource.node, files: folder.bytes(of:))
    }
}
