internal import Foundation
internal import SortieBase

/// The files that imports wrote, with the items of their sources: `.sortie-imports.json` in a workspace.
///
/// It is part of the workspace and meant to be shared, so that others can update an import, too. It has names of files and digests, no values.
struct ImportRecord: Codable {
    /// A source and its files.
    struct Origin: Codable {
        var format: String
        var name: String
        /// By the path of the file.
        var files: [String: File]
        /// The files that an import is writing; nil after its end.
        ///
        /// A killed import leaves them, and each counts once it has its content.
        var unfinished: [String: File]?
    }

    /// A file that was written.
    struct File: Codable {
        /// The identity of the item in the source; nil for a file that belongs to another one, such as that of a body.
        var item: String?
        /// The SHA-256 of the written bytes.
        var sha256: String
        /// Digests of the members and of the values within them by path, for ``FileMerge``; nil for a file that is no mapping, and in records of
        /// earlier versions.
        var members: [String: String]?
        /// The SHA-256 of a later version in the source that was skipped; nil for none, and for a file that is merged.
        var skipped: String?

        /// The SHA-256 of the version in the source that was imported or skipped last.
        var source: String { skipped ?? sha256 }
    }

    /// The version of the format.
    var version = 1
    /// The sources in the order of their first import.
    var sources: [Origin] = []

    static let fileName = ".sortie-imports.json"

    /// The record of a workspace; an empty one where it has none.
    ///
    /// - Throws: ``WorkspaceError/Code/unreadable`` for a damaged record, ``WorkspaceError/Code/newer`` for one of a later version.
    static func read(in folder: WorkspaceFolder) throws(WorkspaceError) -> ImportRecord {
        // It is written after the import, so that a link out of the workspace is refused before anything is read through it.
        let path = try folder.writable(fileName).path
        guard FileManager.default.fileExists(atPath: path) else { return ImportRecord() }
        let bytes = try WorkspaceFile.bytes(at: path, limit: 64 << 20)
        var record: ImportRecord
        do { record = try JSONDecoder().decode(ImportRecord.self, from: Data(bytes)) } catch {
            throw WorkspaceError(.unreadable, file: path, "the record of imports is damaged; restore it, or remove it to import everything anew")
        }
        guard record.version == 1 else {
            throw WorkspaceError(.newer, file: path, "a newer version of Sortie wrote it; use that version")
        }
        try record.finish(in: folder)
        return record
    }

    /// Adds the files that killed imports wrote to those of their sources.
    private mutating func finish(in folder: WorkspaceFolder) throws(WorkspaceError) {
        for index in sources.indices {
            for (file, entry) in sources[index].unfinished ?? [:] {
                let path = try folder.writable(file).path
                guard folder.exists(path) else { continue }
                // A file that cannot be read is not the one that was written.
                do throws(WorkspaceError) {
                    let bytes = try WorkspaceFile.bytes(at: path, limit: WorkspaceFolder.largestChange)
                    if Self.digest(of: bytes) == entry.sha256 { sources[index].files[file] = entry }
                } catch { continue }
            }
            sources[index].unfinished = nil
        }
    }

    /// The record while an import writes files of a source.
    func writing(_ files: [String: File], of identity: ImportIdentity) -> ImportRecord {
        var record = self
        // A source without files gets its place.
        let earlier = record[identity]
        record[identity] = earlier
        for index in record.sources.indices where record.sources[index].format == identity.format && record.sources[index].name == identity.name {
            record.sources[index].unfinished = files
        }
        return record
    }

    /// The bytes of the file, the same for the same content.
    func bytes() throws(WorkspaceError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do { return JSONText.escapingControls(in: Array(try encoder.encode(self))) + [0x0a] } catch {
            throw WorkspaceError(.cannotExpress, file: Self.fileName, "the record cannot be written: \(error.systemReason)")
        }
    }

    /// The files of a source.
    subscript(identity: ImportIdentity) -> [String: File] {
        get { sources.first { $0.format == identity.format && $0.name == identity.name }?.files ?? [:] }
        set {
            if let index = sources.firstIndex(where: { $0.format == identity.format && $0.name == identity.name }) {
                sources[index].files = newValue
            } else {
                sources.append(Origin(format: identity.format, name: identity.name, files: newValue))
            }
        }
    }

    static func digest(of bytes: [UInt8]) -> String {
        HexDigits.text(HashFunction.sha256.digest(of: bytes))
    }
}

extension WorkspaceFolder {
    /// The identities of the items of an imported source whose files are missing, because the user deleted them.
    ///
    /// - Parameter document: The path of the copy of the source that `contract:` names, absolute or relative to the workspace.
    /// - Throws: ``WorkspaceError/Code/unreadable`` for a damaged record, ``WorkspaceError/Code/newer`` for one of a later version.
    package func deletedItems(ofImportWith document: String) throws(WorkspaceError) -> Set<String> {
        let copy = FilePath.relative(FilePath.joining(path, document), to: path, within: path)
        var result: Set<String> = []
        for origin in try ImportRecord.read(in: self).sources where origin.files[copy] != nil {
            for (file, entry) in origin.files {
                guard let item = entry.item else { continue }
                if !exists(try writable(file).path) { result.insert(item) }
            }
        }
        return result
    }
}
