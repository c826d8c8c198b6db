internal import Foundation
internal import Model

/// Finds the files of a workspace in a stable order, without following a link in a circle.
struct FolderWalk {
    /// The most files that a workspace may have.
    static let maximumFiles = WorkspaceLimits.files
    /// How deep folders may nest.
    static let maximumDepth = WorkspaceLimits.directoryDepth

    /// The workspace's folder, absolute.
    let root: String
    /// What is wrong so far.
    var problems: [Problem] = []
    private var fileCount = 0
    /// How many entries were looked at, YAML files or not.
    private var entryCount = 0
    private let entryLimit: Int
    /// The folder with every link in its path followed.
    private let realRoot: String

    /// - Parameter entryLimit: how many directory entries are looked at.
    init(root: String, entryLimit: Int = WorkspaceLimits.directoryEntries) {
        self.root = root
        self.entryLimit = entryLimit
        realRoot = RealPath.of(root)
    }

    /// The names in a folder, those that begin with `.` left out, in the order of their bytes.
    mutating func names(in folder: String) -> [String] {
        guard entryCount <= entryLimit else { return [] }
        do {
            let all = try FileManager.default.contentsOfDirectory(atPath: FilePath.joining(root, folder))
            entryCount += all.count
            guard entryCount <= entryLimit else {
                problems.append(
                    Problem(
                        SourceLocation(file: folder),
                        "the workspace has more than \(entryLimit) files and folders; the rest is not read; move other files out of it"))
                return []
            }
            return all.filter { !$0.hasPrefix(".") }.sorted()
        } catch {
            problems.append(Problem(SourceLocation(file: folder), "the folder cannot be read; check its permissions"))
            return []
        }
    }

    /// Whether a path below the root is a folder.
    func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: FilePath.joining(root, path), isDirectory: &isFolder) && isFolder.boolValue
    }

    /// The YAML files in a folder and below it, relative to the root.
    mutating func yamlFiles(in folder: String) -> [String] {
        yamlFiles(in: folder, trail: [realPath(folder)], depth: 0)
    }

    private mutating func yamlFiles(in folder: String, trail: [String], depth: Int) -> [String] {
        guard depth <= FolderWalk.maximumDepth else {
            problems.append(
                Problem(SourceLocation(file: folder), "folders are nested deeper than \(FolderWalk.maximumDepth) levels"))
            return []
        }
        var files: [String] = []
        for name in names(in: folder) {
            let path = "\(folder)/\(name)"
            let isFolder = isFolder(path)
            guard isFolder || FilePath.yamlStem(name) != nil else { continue }
            let real = realPath(path)
            guard isInside(real) else {
                problems.append(Problem(SourceLocation(file: path), Self.leadsOut(to: real)))
                continue
            }
            if isFolder {
                if trail.contains(real) {
                    problems.append(Problem(SourceLocation(file: path), "this link leads to a folder that contains it; remove the link"))
                } else {
                    files += yamlFiles(in: path, trail: trail + [real], depth: depth + 1)
                }
            } else {
                fileCount += 1
                guard fileCount <= FolderWalk.maximumFiles else {
                    if fileCount == FolderWalk.maximumFiles + 1 {
                        problems.append(
                            Problem(SourceLocation(file: path), "the workspace has more than \(FolderWalk.maximumFiles) files"))
                    }
                    continue
                }
                files.append(path)
            }
        }
        return files
    }

    /// Why a link is not followed: opening a workspace reads nothing outside it (`Security.md` 1).
    private static func leadsOut(to real: String) -> String {
        "this link leads out of the workspace, to \(real), and is not read; copy what it leads to into the workspace"
    }

    /// Whether a file or a folder is in the workspace once every link in its path is followed; a problem is noted for one that is not.
    mutating func mayRead(_ path: String) -> Bool {
        let real = realPath(path)
        if isInside(real) { return true }
        problems.append(Problem(SourceLocation(file: path), Self.leadsOut(to: real)))
        return false
    }

    /// Whether an absolute path is in the workspace once every link in it is followed.
    func isInside(path: String) -> Bool { isInside(RealPath.of(path)) }

    private func isInside(_ real: String) -> Bool { real == realRoot || real.hasPrefix(realRoot == "/" ? "/" : realRoot + "/") }

    private func realPath(_ path: String) -> String { RealPath.of(FilePath.joining(root, path)) }
}
