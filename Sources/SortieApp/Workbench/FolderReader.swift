internal import Glibc
internal import SortieStorage
internal import SortieWorkbench

/// Reads folders and inspects files for the workbench.
enum FolderReader {
    /// The maximum number of entries read from a folder.
    static let entryLimit = 200_000

    /// The entries of a folder, folders first, then by name without regard to case.
    static func list(_ path: String, in program: ProgramContext) -> FolderListing {
        let absolute = program.folders.expanding(path)
        guard let directory = opendir(absolute) else {
            let reason = String(cString: strerror(errno)).lowercased()
            return .failed("The folder \(absolute) cannot be read: \(reason). ← goes up.")
        }
        defer { closedir(directory) }
        var entries: [FolderEntry] = []
        var isCut = false
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            guard name != ".", name != ".." else { continue }
            guard entries.count < entryLimit else {
                isCut = true
                break
            }
            entries.append(FolderEntry(name: name, kind: kind(of: entry, in: directory)))
        }
        let keyed = entries.map { (key: $0.name.lowercased(), entry: $0) }
        let sorted = keyed.sorted { left, right in
            let leftIsFolder = left.entry.kind == .folder
            if leftIsFolder != (right.entry.kind == .folder) { return leftIsFolder }
            return (left.key, left.entry.name) < (right.key, right.entry.name)
        }
        return .entries(sorted.map(\.entry), of: absolute, isCut: isCut)
    }

    /// The facts about files, by path.
    ///
    /// - Parameter text: The path of a file whose text is read where it is one that can be edited in place.
    static func inspect(_ paths: [String], readingText text: String?, in workspace: WorkspaceFolder) -> [String: FileFact] {
        var facts = Dictionary(uniqueKeysWithValues: Set(paths).map { ($0, fact(of: $0)) })
        if let text, case .file(let bytes, _, _)? = facts[text] {
            facts[text] =
                switch workspace.bodyText(at: text) {
                case .text(let content): .file(bytes: bytes, text: content)
                case .notEdited(let reason): .file(bytes: bytes, notEdited: reason)
                }
        }
        return facts
    }

    private static func fact(of path: String) -> FileFact {
        var status = stat()
        guard stat(path, &status) == 0 else { return .unusable(String(cString: strerror(errno)).lowercased()) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            return .unusable(status.st_mode & S_IFMT == S_IFDIR ? "a folder, not a file" : "not a file that can be sent")
        }
        guard access(path, R_OK) == 0 else { return .unusable(String(cString: strerror(errno)).lowercased()) }
        return .file(bytes: Int64(status.st_size))
    }

    private static func kind(of entry: UnsafeMutablePointer<dirent>, in directory: OpaquePointer) -> FolderEntry.Kind {
        var status = stat()
        let found = withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { fstatat(dirfd(directory), $0, &status, 0) }
        }
        guard found == 0 else { return .other }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return .folder
        case S_IFREG: return .file(bytes: Int64(status.st_size))
        default: return .other
        }
    }
}
