internal import CLinux
internal import Foundation
internal import SortieBase
internal import WorkspaceModel

/// New services are written to a hidden folder of the workspace before they get their names.
///
/// A program that is killed, in the middle of a large import, leaves the hidden folder, which is no service, instead of half of one. The next change
/// that creates a service removes it.
struct StagedFolders {
    private static let prefix = ".sortie-new-"

    private let folder: WorkspaceFolder
    /// The name of the hidden folder, with the process for other programs.
    private let name = "\(Self.prefix)\(getpid())-\(UInt64.random(in: .min ... .max))"

    init(_ folder: WorkspaceFolder) { self.folder = folder }

    /// The changes, in which the files of each folder that does not exist yet are written to the hidden one, which is then renamed.
    ///
    /// The other changes stay in their order; those before the first file of a new folder are made first, the rest last.
    func steps(of changes: FileChanges) -> FileChanges {
        let moves = changes.changes.contains { if case .folder = $0 { true } else { false } }
        // The files after the move of a folder may be in it.
        guard !moves else { return changes }
        var first: [FileChanges.Change] = []
        var staged: [FileChanges.Change] = []
        var rest: [FileChanges.Change] = []
        var folders: [String] = []
        for change in changes.changes {
            if case .file(let file, before: nil, after: let after?) = change, let top = newFolder(of: file, known: folders) {
                if folders.last != top, !folders.contains(top) { folders.append(top) }
                staged.append(.file("\(name)/\(file)", before: nil, after: after))
            } else if folders.isEmpty {
                first.append(change)
            } else {
                rest.append(change)
            }
        }
        return FileChanges(first + staged + folders.map { .folder(from: "\(name)/\($0)", to: $0) } + rest)
    }

    /// Whether a path is in the hidden folder.
    func contains(_ file: String) -> Bool { file.hasPrefix(name + "/") }

    /// The path that a file in the hidden folder gets.
    func final(_ file: String) -> String {
        if contains(file) { return String(file.dropFirst(name.count + 1)) }
        let staged = FilePath.joining(folder.path, name) + "/"
        return file.hasPrefix(staged) ? FilePath.joining(folder.path, String(file.dropFirst(staged.count))) : file
    }

    /// Writes the files of the hidden folder to disk, all at once, because a large import has thousands of them.
    ///
    /// - Throws: ``WorkspaceError/Code/unwritable`` where the disk reports an error.
    func synchronize() throws(WorkspaceError) { try Self.synchronize(FilePath.joining(folder.path, name)) }

    /// Writes all files of the file system of a folder to disk.
    static func synchronize(_ path: String) throws(WorkspaceError) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        guard descriptor >= 0, clinux_sync_file_system(descriptor) == 0 else {
            throw WorkspaceError(.unwritable, file: path, "it cannot be written: \(WriteRefusal(code: errno))")
        }
    }

    /// The first folder of a path where it does not exist; nil for a file beside `workspace.yaml`, and for a path that leads elsewhere.
    private func newFolder(of file: String, known: [String]) -> String? {
        let parts = FilePath.components(of: file)
        guard parts.count > 1, let top = parts.first.map(String.init), FilePath.joining("", file) == "/" + file else { return nil }
        return known.contains(top) || !folder.exists(FilePath.joining(folder.path, top)) ? top : nil
    }

    /// Removes the hidden folders of programs that were killed; that of a program which still runs stays.
    ///
    /// - Throws: ``WorkspaceError/Code/unwritable`` with the folder that cannot be removed.
    func removeLeftovers() throws(WorkspaceError) {
        guard folder.exists(folder.path) else { return }
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: folder.path) } catch {
            throw WorkspaceError(.unreadable, file: folder.path, "the folder cannot be read: \(error.systemReason)")
        }
        for name in names where Self.isLeftover(name) {
            // Links are removed, and not what they lead to.
            do { try FileManager.default.removeItem(atPath: FilePath.joining(folder.path, name)) } catch {
                throw WorkspaceError(
                    .unwritable, file: name, "an interrupted change left this folder, and it cannot be removed: \(error.systemReason)")
            }
        }
    }

    /// Whether a name is that of a hidden folder whose program ended.
    ///
    /// The changes of one program follow each other, so that a folder with its own number is left over, too.
    private static func isLeftover(_ name: String) -> Bool {
        guard name.hasPrefix(prefix), let process = pid_t(name.dropFirst(prefix.count).prefix { $0 != "-" }), process > 0 else { return false }
        return process == getpid() || kill(process, 0) != 0 && errno == ESRCH
    }
}
