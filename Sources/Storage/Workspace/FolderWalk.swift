internal import Foundation
internal import SortieBase
internal import WorkspaceModel

/// Finds the files of a workspace in a stable order, without following cycles of links.
struct FolderWalk {
    /// The maximum number of files of a workspace.
    static let maximumFiles = WorkspaceLimits.files
    /// The maximum depth of nested folders.
    static let maximumDepth = WorkspaceLimits.directoryDepth

    /// The absolute folder of the workspace.
    let root: String
    /// The problems found so far.
    var problems: [Diagnostic] = []
    private var fileCount = 0
    /// The number of examined directory entries, YAML files or not.
    private var entryCount = 0
    private let entryLimit: Int
    /// The folder with all symbolic links resolved.
    private let realRoot: String

    /// - Parameter entryLimit: the maximum number of directory entries that are examined.
    init(root: String, entryLimit: Int = WorkspaceLimits.directoryEntries) {
        self.root = root
        self.entryLimit = entryLimit
        realRoot = RealPath.of(root)
    }

    /// The names in a folder in byte order, without those that begin with `.`.
    mutating func names(in folder: String) -> [String] {
        guard entryCount <= entryLimit else { return [] }
        do {
            let all = try FileManager.default.contentsOfDirectory(atPath: FilePath.joining(root, folder))
            entryCount += all.count
            guard entryCount <= entryLimit else {
                problems.append(
                    Diagnostic(
                        SourceLocation(file: folder),
                        "the workspace has more than \(entryLimit) files and folders; the rest is not read; move other files out of it"))
                return []
            }
            return all.filter { !$0.hasPrefix(".") }.sorted()
        } catch {
            problems.append(Diagnostic(SourceLocation(file: folder), "the folder cannot be read; check its permissions"))
            return []
        }
    }

    /// Whether a path below the root is a folder.
    func isFolder(_ path: String) -> Bool { RealPath.isFolder(FilePath.joining(root, path)) }

    /// The YAML files in a folder and its subfolders, relative to the root.
    mutating func yamlFiles(in folder: String) -> [String] {
        yamlFiles(in: folder, trail: [realPath(folder)], depth: 0)
    }

    private mutating func yamlFiles(in folder: String, trail: [String], depth: Int) -> [String] {
        guard depth <= FolderWalk.maximumDepth else {
            problems.append(
                Diagnostic(SourceLocation(file: folder), "folders are nested deeper than \(FolderWalk.maximumDepth) levels"))
            return []
        }
        var files: [String] = []
        for name in names(in: folder) {
            let path = "\(folder)/\(name)"
            let isFolder = isFolder(path)
            guard isFolder || FilePath.yamlStem(name) != nil else { continue }
            let real = realPath(path)
            guard isInside(real) else {
                problems.append(Diagnostic(SourceLocation(file: path), Self.leadsOut(to: real)))
                continue
            }
            if isFolder {
                if trail.contains(real) {
                    problems.append(Diagnostic(SourceLocation(file: path), "this link leads to a folder that contains it; remove the link"))
                } else {
                    files += yamlFiles(in: path, trail: trail + [real], depth: depth + 1)
                }
            } else {
                fileCount += 1
                guard fileCount <= FolderWalk.maximumFiles else {
                    if fileCount == FolderWalk.maximumFiles + 1 {
                        problems.append(
                            Diagnostic(SourceLocation(file: path), "the workspace has more than \(FolderWalk.maximumFiles) files"))
                    }
                    continue
                }
                files.append(path)
            }
        }
        return files
    }

    /// The reason why a link is not followed: opening a workspace reads nothing outside it (`Security.md` 1).
    private static func leadsOut(to real: String) -> String {
        "this link leads out of the workspace, to \(real), and is not read; copy what it leads to into the workspace"
    }

    /// Whether a file or a folder is inside the workspace with all links resolved; a problem is recorded for one that is not.
    mutating func mayRead(_ path: String) -> Bool {
        let real = realPath(path)
        if isInside(real) { return true }
        problems.append(Diagnostic(SourceLocation(file: path), Self.leadsOut(to: real)))
        return false
    }

    /// Whether an absolute path is inside the workspace with all links resolved.
    func isInside(path: String) -> Bool { isInside(RealPath.of(path)) }

    private func isInside(_ real: String) -> Bool { FilePath.isIn(realRoot, real) }

    private func realPath(_ path: String) -> String { RealPath.of(FilePath.joining(root, path)) }
}
