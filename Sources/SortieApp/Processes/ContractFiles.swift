internal import Foundation
internal import Interchange
internal import SortieBase
internal import SortieHTTP
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

    /// The place of a description, with what it may read.
    private struct Key: Hashable {
        let path: String
        let reach: ContractReach
    }

    private let entries = Mutex<[Key: Entry]>([:])

    /// The description in a file; may block.
    ///
    /// - Throws: Why it cannot be read.
    func contract(at path: String, _ reach: ContractReach, _ folders: UserFolders) throws(Diagnostic) -> OpenAPIContract {
        try contract(Key(path: path, reach: reach)) { (note) throws(Diagnostic) in try Self.source(path, reach, folders, reading: note) }
    }

    /// The description that was fetched from a URL; may block.
    ///
    /// - Throws: Why it cannot be read, or that it was not fetched.
    func contract(atURL url: String, in store: ContractStore) throws(Diagnostic) -> OpenAPIContract {
        let path = store.path(of: url)
        return try contract(Key(path: path, reach: .folder)) { (note) throws(Diagnostic) in try Self.source(atURL: url, in: store, reading: note) }
    }

    /// The description that was fetched from a URL, as a source.
    ///
    /// - Parameter note: Called with the path of each copy before it is read.
    /// - Throws: Why it cannot be read, or that it was not fetched.
    static func source(
        atURL url: String, in store: ContractStore, reading note: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(Diagnostic) -> ImportSource {
        note(store.path(of: url))
        let document: ContractStore.Document?
        do throws(WorkspaceError) { document = try store.document(at: url) } catch {
            throw Diagnostic(.wholeFile(error.file), error.message, remedy: error.remedy)
        }
        guard let document else { throw Diagnostic(.wholeFile(url), "the description was not fetched yet", remedy: .fetchedDescription) }
        return source(of: document.bytes, at: url) { other in
            note(store.path(of: other))
            do throws(WorkspaceError) { return try store.document(at: other)?.bytes } catch { return nil }
        }
    }

    private func contract(
        _ key: Key, _ source: (_ note: @escaping @Sendable (String) -> Void) throws(Diagnostic) -> ImportSource
    ) throws(Diagnostic) -> OpenAPIContract {
        // Under the lock, so that concurrent calls read a document once.
        let result = entries.withLock { entries in
            if let known = entries[key], known.read.areCurrent { return known.contract }
            let read = ReadFiles()
            let result = Result { () throws(Diagnostic) in try OpenAPIContract(source(read.note)) }.mapError { problem in
                guard let root = key.reach.root, problem.location.file == FilePath.name(of: key.path) else { return problem }
                // Many services have a description with the same name.
                var placed = problem
                placed.location.file = FilePath.relative(key.path, to: root, within: root)
                return placed
            }
            entries[key] = Entry(read: read, contract: result)
            return result
        }
        return try result.get()
    }

    /// A description that was fetched, as a source.
    ///
    /// - Parameter document: Returns the copy of another document of the origin by its URL; nil where there is none.
    static func source(
        of bytes: [UInt8], at url: String, _ document: @escaping @Sendable (_ url: String) -> [UInt8]? = { _ in nil }
    ) -> ImportSource {
        let path = url.prefix { !"?#".contains($0) }
        guard let base = HTTPURL(ifValid: url) else { return ImportSource(name: url, bytes: bytes, yaml: YAMLSource.node) }
        var source = ImportSource(name: path.split(separator: "/").last.map(String.init) ?? url, bytes: bytes, yaml: YAMLSource.node) { file in
            let reference = "./" + PercentEncoding.encode(file, allowed: .path)
            guard case .success(let other) = Result(catching: { () throws(HTTPURL.ParseError) in try base.resolving(reference: reference) })
            else { return nil }
            return document(other.description)
        }
        (source.url, source.readsParents) = (base, true)
        source.reasonForMissing = { _ in "the document was not fetched" }
        return source
    }

    /// The URLs of the other documents of its origin to which a document refers, and the references to other origins.
    static func references(of bytes: [UInt8], at url: String) -> (urls: [String], others: [String]) {
        guard let base = HTTPURL(ifValid: url) else { return ([], []) }
        var (urls, others): (Set<String>, [String]) = ([], [])
        for reference in ContractDocuments.references(in: bytes) {
            let text = HTTPURL.isAbsolute(reference) ? reference : PercentEncoding.encode(reference, allowed: .path)
            guard case .success(let target) = Result(catching: { () throws(HTTPURL.ParseError) in try base.resolving(reference: text) }),
                target.origin == base.origin
            else {
                others.append(reference)
                continue
            }
            if target.path != base.path { urls.insert(target.description) }
        }
        return (urls.sorted(), others.sorted())
    }

    /// A description as a source.
    ///
    /// - Parameter note: Called with the path of each file before it is read.
    /// - Throws: Why it cannot be read.
    static func source(
        _ path: String, _ reach: ContractReach, _ folders: UserFolders, reading note: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(Diagnostic) -> ImportSource {
        note(path)
        let bytes: [UInt8]
        do throws(WorkspaceError) { bytes = try ImportFolder.bytes(of: path) } catch {
            throw Diagnostic(.wholeFile(path), error.message)
        }
        let folder = ImportFolder(path: FilePath.folder(of: path), folders)
        let workspace = reach.root.flatMap { FilePath.isIn($0, path) ? ImportFolder(path: $0, folders) : nil }
        let others = PermittedReferences(reach.permitted, folders)
        let root = workspace ?? folder
        var source = ImportSource(name: FilePath.name(of: path), bytes: bytes, yaml: YAMLSource.node) { file in
            let place = FilePath.normalized(FilePath.joining(folder.path, file))
            note(place)
            if root.contains(place) { return root.bytes(of: FilePath.relative(place, to: root.path, within: root.path)) }
            return workspace == nil ? nil : others.bytes(of: place)
        }
        source.readsParents = true
        let name = workspace == nil ? "the folder of the description" : "the workspace"
        source.reasonForMissing = { file in
            let place = FilePath.normalized(FilePath.joining(folder.path, file))
            if root.contains(place) { return "there is no such file in \(name)" }
            guard RealPath.isFile(place) else { return "there is no such file" }
            if others.refused(place) { return "the file is not in the folder of the file outside of the workspace that refers to it; copy it there" }
            let remedy = workspace == nil ? "copy it into that folder" : "permit the workspace to read it, or copy it into the workspace"
            return "the file is outside of \(name); \(remedy)"
        }
        return source
    }
}
