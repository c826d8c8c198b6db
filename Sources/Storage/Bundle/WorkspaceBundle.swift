internal import Foundation
package import SortieBase
internal import WorkspaceModel

/// A workspace in one archive: its files with a list of their SHA-256 digests, without credentials.
package struct WorkspaceBundle: Sendable {
    /// The largest size of the files together.
    package static let limit = 256 << 20
    /// The name of the list of digests in the archive, in the format of sha256sum(1).
    package static let listName = "SHA256SUMS"

    /// The bytes of the archive.
    package private(set) var archive: [UInt8] = []
    /// The paths of the files in the archive.
    package private(set) var files: [String] = []
    /// What the archive does not contain, with the reason.
    package private(set) var omitted: [Diagnostic] = []
    /// The places of credentials whose values are empty in the archive.
    package private(set) var blanked: [SourceLocation] = []
    /// Files that are not text, which were not searched for credentials.
    package private(set) var unsearched: [String] = []

    private let root: String
    private let kept: Set<String>
    private var entries: [TarArchive.Entry] = []
    private var paths = TarPaths()
    private var size = 0

    /// Packs the files of a folder.
    ///
    /// - Parameters:
    ///   - folder: The folder of a workspace.
    ///   - kept: The paths of files that are packed although they have credentials.
    /// - Throws: A diagnostic for a file that cannot be read or whose credentials cannot be emptied, and for a folder that is too large.
    package init(packing folder: String, keeping kept: Set<String> = []) throws(Diagnostic) {
        (root, self.kept) = (folder, kept)
        try add("")
        let list = entries.map { "\(Self.digest($0.bytes))  \($0.path)\n" }.joined()
        archive = try TarArchive.bytes(of: [.init(path: Self.listName, bytes: Array(list.utf8))] + entries)
    }

    private mutating func add(_ folder: String) throws(Diagnostic) {
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: FilePath.joining(root, folder)).sorted() } catch {
            throw Diagnostic(SourceLocation(file: folder.isEmpty ? root : folder), "the folder cannot be read")
        }
        for name in names {
            let path = folder.isEmpty ? name : "\(folder)/\(name)"
            if name.hasPrefix(".") {
                omitted.append(Diagnostic(SourceLocation(file: path), "hidden files and folders are not packed"))
                continue
            }
            var information = stat()
            guard lstat(FilePath.joining(root, path), &information) == 0 else {
                throw Diagnostic(SourceLocation(file: path), "the file cannot be read")
            }
            switch information.st_mode & S_IFMT {
            case S_IFDIR: try add(path)
            case S_IFREG: try addFile(path)
            case S_IFLNK: omitted.append(Diagnostic(SourceLocation(file: path), "symbolic links are not packed"))
            default: omitted.append(Diagnostic(SourceLocation(file: path), "this is not a file"))
            }
        }
    }

    private mutating func addFile(_ path: String) throws(Diagnostic) {
        guard path != Self.listName else {
            omitted.append(Diagnostic(SourceLocation(file: path), "the archive contains its own list of digests"))
            return
        }
        var bytes: [UInt8]
        do throws(WorkspaceError) { bytes = try WorkspaceFile.bytes(at: FilePath.joining(root, path), limit: Self.limit) } catch {
            throw Diagnostic(SourceLocation(file: path), error.message)
        }
        size += bytes.count
        guard size <= Self.limit, entries.count < WorkspaceLimits.files else {
            throw Diagnostic(
                SourceLocation(file: path),
                "the workspace has more than \(Self.limit >> 20) MiB or \(WorkspaceLimits.files) files; move large files out of it")
        }
        if path.hasSuffix(".yaml") || path.hasSuffix(".yml") {
            let blanking = try CredentialBlanking(bytes, file: path)
            if let failure = blanking.failures.first {
                throw Diagnostic(failure, "the value of this credential cannot be emptied; write it on one line, or use a secret")
            }
            bytes = blanking.bytes
            blanked += blanking.places
        } else if !kept.contains(path) {
            guard let text = String(validating: bytes, as: UTF8.self) else {
                unsearched.append(path)
                return try append(path, bytes)
            }
            // A file of another format could become invalid without the value.
            if let finding = CredentialSearch(text, hasLines: !path.hasSuffix(".md")).findings.first ?? CredentialColumns(text, of: path)?.finding {
                omitted.append(
                    Diagnostic(
                        SourceLocation(file: path, line: finding.line),
                        "the file has a credential (\(finding.name)); without it: remove the value; with it: --keep \(path)"))
                return
            }
        }
        try append(path, bytes)
    }

    private mutating func append(_ path: String, _ bytes: [UInt8]) throws(Diagnostic) {
        // The archive would not be unpacked.
        if let reason = paths.problem(adding: path) {
            throw Diagnostic(
                SourceLocation(file: path), "this path \(reason) in the archive, where names that differ only in case are one; rename it")
        }
        entries.append(TarArchive.Entry(path: path, bytes: bytes))
        files.append(path)
    }

    static func digest(_ bytes: [UInt8]) -> String { ImportRecord.digest(of: bytes) }

    // MARK: Unpacking

    /// Reads an archive, of at most twice ``limit``, which can be a pipe.
    package static func read(_ path: String) throws(WorkspaceError) -> [UInt8] { try InputFile.bytes(at: path, limit: 2 * limit) }

    /// Unpacks an archive into a folder that does not exist yet.
    ///
    /// Nothing is written before the complete archive is verified.
    ///
    /// - Parameters:
    ///   - archive: The bytes of the archive.
    ///   - file: The name of the archive in messages.
    ///   - folder: The path of the new folder.
    ///   - prepare: Called before the complete folder gets its name; if it throws, the folder is removed.
    /// - Returns: The paths of the files.
    /// - Throws: A diagnostic with the reason; the folder then does not exist.
    package static func unpack(
        _ archive: [UInt8], file: String, into folder: String, beforeRename prepare: () throws -> Void = {}
    ) throws(Diagnostic) -> [String] {
        let files = try verified(archive, file: file)
        func problem(_ message: String) -> Diagnostic { Diagnostic(SourceLocation(file: folder), message) }
        var status = stat()
        guard lstat(folder, &status) != 0 else { throw problem("the folder cannot be created: it exists; name a new folder") }
        // A program that is killed leaves the hidden folder instead of a part of the workspace.
        let staged = FilePath.temporary(beside: FilePath.normalized(folder))
        guard mkdir(staged, 0o700) == 0 else { throw problem("the folder cannot be created: \(String(cString: strerror(errno)))") }
        do {
            for entry in files {
                let path = FilePath.joining(staged, entry.path)
                try FileManager.default.createDirectory(
                    atPath: FilePath.folder(of: path), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
                try AtomicFile.create(entry.bytes, at: path, mode: 0o600, isSynchronized: false)
            }
            try StagedFolders.synchronize(staged)
            try prepare()
            let code = FileRename.withoutReplacing(staged, folder)
            guard code == 0 else { throw problem(String(cString: strerror(code))) }
        } catch {
            do { try FileManager.default.removeItem(atPath: staged) } catch {
                throw problem("the archive cannot be unpacked, and the incomplete folder \(staged) cannot be removed: \(error)")
            }
            throw problem("the archive cannot be unpacked: \(error)")
        }
        let code = FileRename.syncFolder(of: folder)
        guard code == 0 else { throw problem("it was unpacked, and may be lost in a power failure: \(String(cString: strerror(code)))") }
        return files.map(\.path)
    }

    /// The files of an archive, whose digests are compared with its list.
    static func verified(_ archive: [UInt8], file: String) throws(Diagnostic) -> [TarArchive.Entry] {
        func problem(_ message: String) -> Diagnostic { Diagnostic(SourceLocation(file: file), message + "; the archive is not unpacked") }
        let entries = try TarArchive.entries(of: archive, file: file)
        guard let list = entries.first, list.path == listName, String(validating: list.bytes, as: UTF8.self) != nil else {
            throw problem("the archive has no list \(listName), so that it is not a bundle of sortie")
        }
        let files = Array(entries.dropFirst())
        guard files.reduce(0, { $0 + $1.bytes.count }) <= limit, files.count <= WorkspaceLimits.files else {
            throw problem("the archive has more than \(limit >> 20) MiB or \(WorkspaceLimits.files) files")
        }
        // By bytes: a combining character at the start of a path forms one character with the space before it, and paths that differ in their
        // normalization only are equal as strings.
        var digests: [[UInt8]: String] = [:]
        for line in list.bytes.split(separator: 0x0A) {
            guard line.count > 66, line.dropFirst(64).starts(with: "  ".utf8) else { throw problem("\(listName) has a line that is no digest") }
            guard digests.updateValue(String(decoding: line.prefix(64), as: UTF8.self), forKey: Array(line.dropFirst(66))) == nil else {
                throw problem("\(listName) has two digests of one file")
            }
        }
        for entry in files {
            guard let digest = digests.removeValue(forKey: Array(entry.path.utf8)) else {
                throw problem("\(listName) has no digest of “\(entry.path)”")
            }
            guard digest == self.digest(entry.bytes) else { throw problem("the content of “\(entry.path)” does not match its digest") }
        }
        if let missing = digests.keys.map({ String(decoding: $0, as: UTF8.self) }).min() {
            throw problem("the archive lacks “\(missing.shortened)”")
        }
        guard files.contains(where: { $0.path == "workspace.yaml" }) else { throw problem("the archive has no workspace.yaml") }
        return files
    }
}

/// Empties the values of credentials in a YAML file of a workspace; all other bytes stay.
struct CredentialBlanking {
    /// The bytes of the new file.
    private(set) var bytes: [UInt8]
    /// The places of the emptied values.
    private(set) var places: [SourceLocation] = []
    /// The places of values that cannot be emptied in place.
    private(set) var failures: [SourceLocation] = []

    private let file: String

    /// Keys below which values describe responses or are names of secrets.
    private static let descriptions: Set<String> = ["capture", "expect", "secrets", "rules", "reform", "redact", "answer", "envelope", "page"]

    /// - Throws: A diagnostic for a file that is not YAML.
    init(_ bytes: [UInt8], file: String) throws(Diagnostic) {
        self.bytes = bytes
        self.file = file
        let document = try YAMLDocument(bytes: bytes, file: file)
        guard let root = document.root else { return }
        var patch = YAMLPatch(source: document.source)
        visit(root, indentation: 0, &patch)
        guard !places.isEmpty else { return }
        do { self.bytes = try patch.applied() } catch { failures += places }
    }

    /// - Parameter parent: the key of the value; the names of `variables:` are chosen by people, so their ends count.
    private mutating func visit(_ node: YAMLNode, of parent: String? = nil, indentation: Int, _ patch: inout YAMLPatch) {
        switch node.content {
        case .scalar: blankPart(node, indentation: indentation, &patch)
        case .sequence(let items): for item in items { visit(item, indentation: node.column - 1, &patch) }
        case .mapping(let entries):
            let name = entries.first { $0.key.text == "name" }?.value.text
            for entry in entries {
                guard let key = entry.key.text, !Self.descriptions.contains(key) else { continue }
                let isValue = key == "value" && name.map(CredentialNames.contains) == true
                let isCredential = parent == "variables" ? CredentialNames.ends(key) : CredentialNames.contains(key)
                if entry.value.text != nil, isValue || isCredential {
                    blank(entry.value, indentation: node.column - 1, &patch)
                } else {
                    visit(entry.value, of: key, indentation: node.column - 1, &patch)
                }
            }
        }
    }

    /// Empties credentials inside of a text: in JSON, in a form, and in a URL.
    private mutating func blankPart(_ node: YAMLNode, indentation: Int, _ patch: inout YAMLPatch) {
        guard let text = node.text, let blanked = CredentialSearch(text, hasLines: false).blanked else { return }
        replace(node, with: YAMLText.scalar(.string(blanked), style: .doubleQuoted, inFlow: true), indentation: indentation, &patch)
    }

    private mutating func blank(_ node: YAMLNode, indentation: Int, _ patch: inout YAMLPatch) {
        guard let text = node.text, !text.isEmpty, !node.isNull, Template(text).isPlain, !text.hasPrefix("$.") else { return }
        replace(node, with: "\"\"", indentation: indentation, &patch)
    }

    private mutating func replace(_ node: YAMLNode, with text: String, indentation: Int, _ patch: inout YAMLPatch) {
        let place = SourceLocation(file: file, line: node.line, column: node.column)
        do {
            let end = try patch.source.end(of: node, parentIndentation: indentation)
            patch.add(node.start..<end, text)
            places.append(place)
        } catch { failures.append(place) }
    }
}

/// The first column of a CSV file that has the name of a credential and values.
struct CredentialColumns {
    let finding: CredentialSearch.Finding

    /// Searches a file; nil for a file of another kind, and without such a column.
    init?(_ text: String, of path: String) {
        guard path.hasSuffix(".csv") || path.hasSuffix(".tsv") else { return nil }
        let lines = text.split(whereSeparator: \.isNewline)
        guard let head = lines.first, lines.count > 1 else { return nil }
        let names = head.split { ",;\t".contains($0) }.map { $0.filter { $0 != "\"" && $0 != " " && $0 != "\u{feff}" } }
        guard let name = names.first(where: { CredentialNames.contains($0) }) else { return nil }
        finding = CredentialSearch.Finding(range: 0..<0, name: "column \(name)", line: 1)
    }
}
