internal import Foundation
internal import Interchange
internal import SortieBase
internal import SortieHTTP
internal import SortieNetworking
internal import SortieStorage

/// The content of another tool's file, for the command and the workbench.
struct WorkspaceImport {
    /// What adding the content to a workspace changes.
    struct Plan {
        let target: ImportTarget
        let changes: ImportPlan
        /// What was imported, changed and omitted, with what the files cannot express.
        let report: ImportReport
    }

    let format: any ImportFormat.Type
    let imported: ImportedWorkspace
    /// The name of the source, whose bytes are not kept.
    private let name: String
    /// The folder in which relative paths of the source begin.
    private let folder: String
    private let folders: UserFolders

    /// Reads a file or a folder, or asks a server of gRPC.
    ///
    /// - Parameters:
    ///   - path: The file or the folder; `-` is standard input, and `grpc://HOST:PORT` a server.
    ///   - format: The name of the format; nil detects it by the content.
    ///   - readsResponses: Whether responses without an example are read as well, with values of their schemas.
    ///   - seed: The start of random values of schemas; nil for the simplest ones.
    init(path: String, format: String? = nil, readsResponses: Bool = false, seed: UInt64? = nil, in program: ProgramContext) throws {
        var (source, folder, problems) = try Self.opened(path, format: format, in: program)
        (source.readsResponses, source.sampleSeed) = (readsResponses, seed)
        try self.init(source, folder: folder, problems, format: format, isNamed: path != "-", program.folders)
    }

    /// Reads the description of a service with its responses.
    ///
    /// - Parameter seed: The start of random values of schemas; nil for the simplest ones.
    init(description: ImportSource, readingResponses seed: UInt64?, in program: ProgramContext) throws {
        var source = description
        (source.readsResponses, source.sampleSeed) = (true, seed)
        try self.init(source, folder: ImportFolder(path: ".", program.folders), format: nil, isNamed: true, program.folders)
    }

    /// Reads a file or a folder that is used in place.
    ///
    /// - Parameter change: A file of the source, and the bytes that it is going to have; nil for the source as it is.
    init(inPlace path: String, format: String, changing change: (file: String, bytes: [UInt8])? = nil, in program: ProgramContext) throws {
        var (source, folder, problems) = try Self.opened(path, format: format, in: program)
        if let change { source = source.replacing(change.file, by: change.bytes) }
        source.isInPlace = true
        try self.init(source, folder: folder, problems, format: format, isNamed: true, program.folders)
    }

    /// Reads text that was pasted in the working directory.
    init(pasted text: String, format: String, in program: ProgramContext) throws {
        let folder = ImportFolder(path: ".", program.folders)
        let source = ImportSource(
            name: "pasted text", bytes: Array(text.utf8), date: program.now(), yaml: YAMLSource.node, files: folder.bytes(of:))
        try self.init(source, folder: folder, format: format, isNamed: false, program.folders)
    }

    /// - Parameters:
    ///   - problems: Why some folders of the source were not read.
    ///   - isNamed: Whether a later import of the same name is the same source; standard input is another source each time.
    private init(
        _ source: ImportSource, folder: ImportFolder, _ problems: [Diagnostic] = [], format: String?, isNamed: Bool, _ folders: UserFolders
    ) throws {
        (self.name, self.folder, self.folders) = (source.name, folder.path, folders)
        do {
            let chosen = try Self.format(named: format, for: source)
            self.format = chosen
            var imported = try chosen.workspace(from: source)
            for problem in problems { imported.report.add(.omitted, problem.location.file, problem.message, place: problem.location) }
            for (path, other) in ImportFormats.otherFiles(in: source, than: chosen) {
                imported.report.add(
                    .omitted, path, "a folder is read in one format, here \(chosen.name); name this file to read it as \(other.name)",
                    place: SourceLocation(file: path))
            }
            guard !imported.isEmpty else { throw Self.nothing(in: imported, of: source.name) }
            if !isNamed { imported.isComplete = false }
            self.imported = imported
        } catch let problem as Diagnostic {
            throw CommandFailure(.file, name: "import", problem.programLine, workbench: problem.workbenchLine)
        }
    }

    /// The error for a source without requests, with the reasons why parts were omitted.
    private static func nothing(in imported: ImportedWorkspace, of name: String) -> CommandFailure {
        let reasons = imported.report.entries.filter { $0.outcome == .omitted }.prefix(5).map(\.text)
        return CommandFailure(.file, name: "import", "\(name) has no requests; nothing was written", details: reasons)
    }

    /// Reads a source that is a stream: `-`, or such as the path that a shell makes of `<(curl URL)`; nil for another path.
    ///
    /// - Parameter reader: The command.
    static func stream(_ path: String, for reader: String, in program: ProgramContext) throws -> ImportSource? {
        let place = program.folders.absolute(path)
        guard let stream = path == "-" ? STDIN_FILENO : ProtectedLocation.descriptor(of: place) else { return nil }
        let (isInput, name) = (stream == STDIN_FILENO, stream == STDIN_FILENO ? "standard input" : path)
        let bytes = isInput ? Array(try program.input.all(for: reader)) : []
        do throws(WorkspaceError) {
            try ImportFolder.requireSize(of: bytes, from: name)
            // The folder of a stream is not known, so that no other file is read.
            return ImportSource(name: name, bytes: isInput ? bytes : try InputFile.bytes(at: place), date: program.now(), yaml: YAMLSource.node)
        } catch { throw CommandFailure(error) }
    }

    private static func opened(_ path: String, format: String?, in program: ProgramContext) throws -> (ImportSource, ImportFolder, [Diagnostic]) {
        guard !path.isEmpty else { throw CommandFailure.emptyFileName }
        if let stream = try stream(path, for: "import", in: program) { return (stream, ImportFolder(path: ".", program.folders), []) }
        if let server = GRPCImport.server(path) {
            let bytes = try GRPCSource.descriptorSet(ofServer: server, in: program)
            return (ImportSource(name: path, bytes: bytes, date: program.now()), ImportFolder(path: ".", program.folders), [])
        }
        if path.hasSuffix(".proto"), format == nil || format == GRPCImport.name {
            let bytes = try GRPCSource.descriptorSet(ofFile: path, in: program)
            return (
                ImportSource(name: FilePath.name(of: path), bytes: bytes, date: program.now()),
                ImportFolder(path: FilePath.folder(of: path), program.folders), []
            )
        }
        if HTTPURL.isAbsolute(path) {
            throw CommandFailure(
                .usage, "import reads files, and fetches nothing", hint: "sortie send URL | sortie import -",
                workbench: "import reads files, and fetches nothing; save the response of the URL to a file, and import that")
        }
        let path = program.path(path)
        if RealPath.isFolder(path) {
            let folder = ImportFolder(path: path, program.folders)
            let (paths, problems) = folder.paths()
            return (
                ImportSource(
                    name: FilePath.name(of: folder.path), bytes: [], date: program.now(), paths: paths, yaml: YAMLSource.node,
                    files: folder.bytes(of:)), folder, problems
            )
        }
        let folder = ImportFolder(path: FilePath.folder(of: path), program.folders)
        do throws(WorkspaceError) {
            if let (start, pieces) = try ImportFolder.pieces(of: path) {
                let name = FilePath.name(of: path)
                let reader: SourceJSON.PieceReader = { (offset) throws(Diagnostic) in
                    do throws(WorkspaceError) { return try pieces(offset) } catch { throw Diagnostic(.wholeFile(name), error.message) }
                }
                let source = ImportSource(name: name, bytes: start, date: program.now(), pieces: reader)
                if format == HARImport.name || format == nil && HARImport.recognizes(source) { return (source, folder, []) }
            }
            return (
                ImportSource(
                    name: FilePath.name(of: path), bytes: try ImportFolder.bytes(of: path), date: program.now(), yaml: YAMLSource.node,
                    files: folder.bytes(of:)), folder, []
            )
        } catch {
            throw CommandFailure(error)
        }
    }

    private static func format(named name: String?, for source: ImportSource) throws -> any ImportFormat.Type {
        guard let name else { return try ImportFormats.format(of: source) }
        if let known = ImportFormats.named(name) { return known }
        let names = ImportFormats.all.map { $0.name }
        throw CommandFailure(
            .usage, "there is no format \(name)", hint: Suggestion.hint(for: name, in: names, "the formats are: \(names.joined(separator: ", "))"))
    }

    // MARK: Adding to a workspace

    /// The content with the names of its files in a workspace, which need not exist.
    ///
    /// - Parameters:
    ///   - keepsSecrets: Whether credentials stay in the content.
    ///   - usesHooks: Whether scripts that are not translated become hooks.
    func placed(in target: ImportTarget, keepsSecrets: Bool, usesHooks: Bool = false) -> PlacedImport {
        PlacedImport(
            imported, into: target.workspace, folder: target.folder.path, sourceFolder: folder, known: target.known, taken: target.taken,
            keepsCredentials: keepsSecrets, usesHooks: usesHooks, hasFile: { FileManager.default.fileExists(atPath: $0) })
    }

    /// The state of the workspace that the content is added to.
    func target(at path: String, isForced: Bool = false) throws(WorkspaceError) -> ImportTarget {
        try ImportTarget(path: path, source: identity, folders, isForced: isForced)
    }

    private var identity: ImportIdentity { ImportIdentity(format: format.name, name: imported.isComplete ? name : "") }

    /// Determines what adding the content to the workspace of a folder changes; writes nothing.
    ///
    /// The content is released when its files have names, because they need as much memory.
    ///
    /// - Parameters:
    ///   - path: The folder, which need not exist.
    ///   - isForced: Whether files that were changed or removed since an earlier import are written again, also in a protected location.
    ///   - keepsSecrets: Whether credentials are written.
    ///   - usesHooks: Whether scripts that are not translated become hooks.
    ///   - decide: Decides about what the source changed since its last import, by file; nil makes all changes and removes no file.
    consuming func plan(
        for path: String, isForced: Bool = false, keepsSecrets: Bool = false, usesHooks: Bool = false,
        deciding decide: (([ImportChange]) -> [String: ImportDecision])? = nil
    ) throws(WorkspaceError) -> Plan {
        let target = try target(at: path, isForced: isForced)
        let placed = placed(in: target, keepsSecrets: keepsSecrets, usesHooks: usesHooks)
        let isComplete = imported.isComplete
        _ = consume self
        func plan(_ decisions: [String: ImportDecision]?) throws(WorkspaceError) -> ImportPlan {
            try ImportPlan(adding: placed.addition, to: target, isForced: isForced, reportsMissing: isComplete, decisions: decisions)
        }
        var decisions: [String: ImportDecision]?
        if let decide {
            let open = try plan([:])
            decisions = open.isFirst ? [:] : decide(open.sourceChanges.map(\.change))
        }
        let changes = try plan(decisions)
        return Plan(target: target, changes: changes, report: Self.completed(placed.report, with: changes))
    }

    /// The report with what the files cannot express.
    private static func completed(_ report: ImportReport, with plan: ImportPlan) -> ImportReport {
        var report = report
        let omitted = Set(plan.omissions.map(\.target))
        if !omitted.isEmpty { report.entries.removeAll { $0.outcome == .imported && $0.target.map(omitted.contains) ?? false } }
        for (target, reason) in plan.omissions { report.add(.omitted, target, reason) }
        // A file that was not written is no new import.
        let outcomes = Dictionary(plan.files.map { ($0.file, $0.outcome) }) { first, _ in first }
        report.entries = report.entries.compactMap { entry in
            guard entry.outcome == .imported, let target = entry.target, let outcome = outcomes["\(target).yaml"] ?? outcomes["runs/\(target).yaml"]
            else {
                return entry
            }
            var entry = entry
            if outcome == .unchanged { entry.outcome = .unchanged }
            return outcome == .kept ? nil : entry
        }
        for file in plan.files { if let reason = file.reason { report.add(.omitted, file.file, ImportReason(reason, remedy: file.remedy)) } }
        let removed = Set(
            plan.sourceChanges.filter { $0.change.kind == .removed && $0.change.isComplete && $0.decision == .accept }.map(\.change.file))
        for file in plan.missing {
            report.add(.changed, file, "the source no longer has it; \(removed.contains(file) ? "the file is removed" : "the file stays")")
        }
        return report
    }
}

/// Obtains the sets of descriptors that are imported.
enum GRPCSource {
    /// The longest time for a server, in seconds.
    private static let limit = Duration.seconds(30)

    /// What a `.proto` file and its imports describe.
    static func descriptorSet(ofFile path: String, in program: ProgramContext) throws(CommandFailure) -> [UInt8] {
        let file = FilePath.normalized(FilePath.joining(program.folders.current, path))
        guard FileManager.default.fileExists(atPath: file) else { throw CommandFailure(.file, name: "import", "there is no file \(path)") }
        return try wait { () async throws(NetworkError) in
            try await ProtocCompiler(program: program).descriptorSet(of: file, in: FilePath.folder(of: file))
        } failure: { error in
            CommandFailure(.file, name: "import", error.message, hint: error.hint)
        }
    }

    /// What a server describes by reflection.
    static func descriptorSet(ofServer url: String, in program: ProgramContext) throws(CommandFailure) -> [UInt8] {
        let server: HTTPURL
        do { server = try HTTPURL(parsing: url) } catch { throw CommandFailure(.usage, "\(error)", hint: "write grpc://HOST:PORT") }
        guard server.credentials == nil else {
            throw CommandFailure(
                .usage, "the address of a gRPC server has credentials, which would be written into the workspace",
                hint: "write grpc://\(server.authority), and auth: of the service afterwards")
        }
        guard ["", "/"].contains(server.path), server.query == nil else {
            throw CommandFailure(.usage, "the address of a gRPC server has no path", hint: "write grpc://\(server.authority)")
        }
        var request = Request(url: server)
        request.options.timeouts.total = limit
        return try wait { [request] () async throws(NetworkError) in
            var configuration = ClientConfiguration(spoolFolder: program.spoolFolder)
            configuration.options.environmentProxies = EnvironmentProxies(program.environment)
            return try await Client(configuration).describedServices(request)
        } failure: { error in
            let failure = CommandFailure(error)
            return CommandFailure(failure.kind, name: failure.name, failure.message, hint: hint(of: error))
        }
    }

    /// The hint for the error of a server, for a command without options for connections.
    private static func hint(of error: NetworkError) -> String? {
        switch error.remedy {
        // The schemes are those of the argument.
        case .text(let text)?: text.replacing("https://", with: "grpcs://").replacing("http://", with: "grpc://")
        case .spellingOrAddress?: "check the spelling of the host"
        case .resolverOrAddress?: "check the resolver of this machine"
        case .connectTimeout?: "check that the host is reachable"
        case .handshakeTimeout?: "check that the port uses TLS, or try grpc://"
        case nil: nil
        default: "import the .proto file of the services instead"
        }
    }

    private static func wait(
        _ work: @escaping @Sendable () async throws(NetworkError) -> [UInt8], failure: (NetworkError) -> CommandFailure
    ) throws(CommandFailure) -> [UInt8] {
        do { return try MainThread.wait { try await work() } } catch let error as NetworkError {
            throw failure(error)
        } catch {
            throw CommandFailure(.file, name: "import", "\(error)")
        }
    }
}
