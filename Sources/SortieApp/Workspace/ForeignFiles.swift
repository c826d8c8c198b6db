internal import Foundation
internal import Interchange
internal import SortieBase
internal import SortieHTTP
internal import SortieStorage
internal import WorkspaceModel

/// A file with requests of another tool, or a folder of such files without `workspace.yaml`, that is used as a workspace in place.
///
/// The importer of its format reads it; nothing is written to other files. The workspace that results is one like any other: ``RequestPreparation``
/// builds its requests, and its permission is compared with its capabilities.
struct ForeignFiles: WorkspaceFormat {
    let file: String
    private let folder: String
    private let format: any ImportFormat.Type
    private let program: ProgramContext

    private init(_ file: String, in folder: String, _ format: any ImportFormat.Type, _ program: ProgramContext) {
        (self.file, self.folder, self.format, self.program) = (file, folder, format, program)
    }

    /// The number of files of a folder from which on the rest is not read.
    private static let mostFiles = 20_000

    private static let formats = ImportFormats.all.filter { $0.worksInPlace }

    /// The files at a path that a user named; nil where it is no file of such a format, and no folder with one.
    static func named(_ path: String, in program: ProgramContext) -> ForeignFiles? {
        let full = FilePath.joining(program.folders.current, program.path(path))
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: full, isDirectory: &isFolder) else { return nil }
        guard !isFolder.boolValue else {
            return Self.in(full, program) { ImportFolder(path: full, program.folders).paths(limit: mostFiles) }
        }
        let name = FilePath.name(of: full)
        let format = formats.first { $0.endings.contains { name.lowercased().hasSuffix($0) } }
        return format.map { ForeignFiles(name, in: FilePath.folder(of: full), $0, program) }
    }

    /// The files directly in a folder that was not named; nil where there are none, and where other users can change them.
    static func found(in folder: String, _ program: ProgramContext) -> ForeignFiles? {
        guard WorkspaceOwnership.problem(of: folder) == nil else { return nil }
        return Self.in(folder, program) {
            do { return try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
                // A folder that cannot be listed is no workspace.
                return []
            }
        }
    }

    private static func `in`(_ folder: String, _ program: ProgramContext, paths: () -> [String]) -> ForeignFiles? {
        guard !FileManager.default.fileExists(atPath: FilePath.joining(folder, "workspace.yaml")) else { return nil }
        let source = ImportSource(name: FilePath.name(of: folder), bytes: [], paths: paths())
        return formats.first { $0.recognizes(source) }.map { ForeignFiles(".", in: folder, $0, program) }
    }

    /// The workspace, with these files in place of its own.
    var workspaceFolder: WorkspaceFolder { WorkspaceFolder(path: folder, program.folders, format: self) }

    /// Reads the files.
    func content() throws(CommandFailure) -> ForeignWorkspace {
        do {
            let path = file == "." ? folder : FilePath.joining(folder, file)
            let read = try WorkspaceImport(path: path, format: format.name, isInPlace: true, in: program)
            return ForeignWorkspace(read.imported, in: folder)
        } catch let failure as CommandFailure {
            throw CommandFailure(.file, name: "workspace", failure.message, details: failure.details)
        } catch {
            throw CommandFailure(.file, name: "workspace", "\(error)")
        }
    }

    func workspace() throws(WorkspaceError) -> Workspace {
        do throws(CommandFailure) { return try content().workspace } catch {
            throw WorkspaceError(.unreadable, file: file == "." ? folder : file, ([error.message] + error.details).joined(separator: "; "))
        }
    }

    func content(
        saving endpoint: Endpoint, replacing original: Endpoint, in bytes: [UInt8], of file: String
    ) throws(WorkspaceError) -> [UInt8] {
        throw workspaceFolder.refusal(by: self, "requests in \(format.title) are changed with an editor")
    }
}

extension ForeignFiles {
    /// The file and the request of a target `FILE#NAME`, or `FILE` for a file with one request; nil for a target that names no such file.
    ///
    /// - Throws: A usage error that lists the requests, where the target names none of them.
    static func request(_ target: String, in program: ProgramContext) throws -> (path: String, target: String, warnings: [Diagnostic])? {
        var (path, name) = (target, String?.none)
        if let mark = target.lastIndex(of: "#"), !FileManager.default.fileExists(atPath: program.path(target)) {
            (path, name) = (String(target[..<mark]), String(target[target.index(after: mark)...]))
        }
        guard !HTTPURL.isAbsolute(path), let files = named(path, in: program), name != nil || files.file != "." else { return nil }
        let content = try files.content()
        let found = name.map { content.request(named: $0) } ?? (content.requests.count == 1 ? content.requests.first : nil)
        if let found { return (path, found.target, content.warnings(of: found.target)) }
        let names = content.requests.compactMap(\.names.first)
        let list = names.prefix(20).joined(separator: ", ") + (names.count > 20 ? ", …" : "")
        let nearest = name.flatMap { Suggestion.nearest(to: $0, in: names) }.map { "did you mean \(path)#\($0)? " } ?? ""
        throw CommandFailure(
            .usage, name: "unknownTarget", name.map { "\(path) has no request \($0)" } ?? "\(path) has \(names.count) requests",
            hint: nearest + "write \(path)#NAME, or its number; it has: \(list)")
    }
}
