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

    /// The number of files of a folder from which on no further folder is searched for files of such a format.
    private static let mostFiles = 20_000

    private static let formats = ImportFormats.all.filter { $0.worksInPlace }

    /// The files at a path that a user named; nil where it is no file of such a format, and no folder with one.
    static func named(_ path: String, in program: ProgramContext) -> ForeignFiles? {
        let full = FilePath.joining(program.folders.current, program.path(path))
        if RealPath.isFolder(full) {
            // Its files are not those of a collection, and reading them would take a minute.
            guard RealPath.of(full) != "/" else { return nil }
            var count = 0
            let files = Self.in(full, program) {
                let paths = ImportFolder(path: full, program.folders).paths(limit: mostFiles).paths
                count = paths.count
                return paths
            }
            if files == nil, count >= mostFiles {
                program.errors.line(
                    "sortie: warning: \(path) has more than \(mostFiles) files, of which the first were searched for requests; name a folder in it")
            }
            return files
        }
        guard RealPath.isFile(full) else { return nil }
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

    /// The folder as a workspace that is read from these files instead of `workspace.yaml`.
    var workspaceFolder: WorkspaceFolder { WorkspaceFolder(path: folder, program.folders, format: self) }

    /// Reads the files.
    ///
    /// - Parameter change: The bytes that a file is going to have.
    func content(changing change: (file: String, bytes: [UInt8])? = nil) throws(CommandFailure) -> ForeignWorkspace {
        do {
            let path = file == "." ? folder : FilePath.joining(folder, file)
            let read = try WorkspaceImport(inPlace: path, format: format.name, changing: change, in: program)
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
        let folder = workspaceFolder
        let keys = (endpoint.target == original.target ? [] : ["its place"]) + EndpointKey.all.filter { !$0.isSame(endpoint, original) }.map(\.name)
        let refusal = folder.refusal(by: self, "this change of a request is not written into \(format.title): \(keys.joined(separator: ", "))")
        let before: ForeignWorkspace
        do throws(CommandFailure) { before = try content(changing: (file, bytes)) } catch { throw refusal }
        guard let index = before.requests.firstIndex(where: { $0.target == original.target }), endpoint.target == original.target else {
            throw refusal
        }
        guard let present = before.endpoint(at: index), present.isSame(as: original) else {
            throw WorkspaceError(.changedOnDisk, file: file, "the request was changed by another program since it was loaded")
        }
        let mark = bytes.prefix(bytes.count - FileText.withoutMark(bytes).count)
        let line = before.requests[index].place.line
        guard let text = String(validating: bytes.dropFirst(mark.count), as: UTF8.self),
            let changed = format.text(text, changing: line, from: original, to: endpoint)
                ?? YAMLSource.text(text, changing: { format.document($0, changing: line, from: original, to: endpoint) })
        else { throw refusal }
        let result = Array(mark) + Array(changed.utf8)
        // A format does not have everything: the file is written where it is read as the edited request, and all others stay.
        let after: ForeignWorkspace
        do throws(CommandFailure) { after = try content(changing: (file, result)) } catch { throw refusal }
        guard after.requests.count == before.requests.count else { throw refusal }
        for position in before.requests.indices {
            guard var read = after.endpoint(at: position), let expected = position == index ? endpoint : before.endpoint(at: position) else {
                throw refusal
            }
            // A request without a name is named by its URL.
            if position == index, endpoint.name == original.name { (read.name, read.target) = (endpoint.name, endpoint.target) }
            guard read.isSame(as: expected) else { throw refusal }
        }
        return result
    }
}

extension ForeignWorkspace {
    /// The endpoint of a request.
    fileprivate func endpoint(at index: Int) -> Endpoint? { workspace.endpoint(requests[index].target) }
}

extension Endpoint {
    /// Whether the files of both are the same, apart from the line.
    fileprivate func isSame(as other: Endpoint) -> Bool {
        var copy = self
        (copy.location, copy.promptValues) = (other.location, other.promptValues)
        return copy == other
    }
}

extension ForeignFiles {
    /// Whether a word without a scheme can only be the name of such a file; `.rest` is also a domain.
    static func isFileName(_ word: String) -> Bool {
        let endings = formats.flatMap { $0.endings }.filter { $0 != ".rest" }
        return !word.contains("://") && endings.contains(where: word.lowercased().hasSuffix)
    }

    /// A request of a file.
    typealias Request = (path: String, workspace: Workspace, target: String, warnings: [Diagnostic])

    /// The file, its workspace and the request of a target `FILE#NAME`, or `FILE` for a file with one request; nil for a target that names no such file.
    ///
    /// - Throws: A usage error that lists the requests, where the target names none of them.
    static func request(_ target: String, in program: ProgramContext) throws -> Request? {
        var (path, name) = (target, String?.none)
        if let mark = target.lastIndex(of: "#"), !FileManager.default.fileExists(atPath: program.path(target)) {
            (path, name) = (String(target[..<mark]), String(target[target.index(after: mark)...]))
        }
        guard !HTTPURL.isAbsolute(path) else { return nil }
        guard let files = named(path, in: program) else {
            guard isFileName(path) else { return nil }
            throw CommandFailure(.file, name: "workspace", "there is no file \(path)")
        }
        guard name != nil || files.file != "." else { return nil }
        let content = try files.content()
        let found = name.map { content.request(named: $0) } ?? (content.requests.count == 1 ? content.requests.first : nil)
        if let found { return (path, files.workspaceFolder.loaded(content.workspace), found.target, content.warnings(of: found.target)) }
        let names = content.requests.compactMap(\.names.first)
        let list = names.prefix(20).joined(separator: ", ") + (names.count > 20 ? ", …" : "")
        let word = ShellQuote.quoted(path)
        let nearest = name.flatMap { Suggestion.nearest(to: $0, in: names) }.map { "did you mean \(word)#\(ShellQuote.quoted($0))? " } ?? ""
        throw CommandFailure(
            .usage, name: "unknownTarget", name.map { "\(path) has no request \($0)" } ?? "\(path) has \(names.count) requests",
            hint: nearest + "write \(word)#NAME, or its number; it has: \(list)")
    }
}
