internal import ArgumentParser
internal import Foundation
internal import Glibc
internal import Interchange
internal import SortieBase
internal import SortieDemoServer
internal import SortieGuide
internal import SortieNetworking
internal import SortieStorage
internal import SortieWorkbench
internal import WorkspaceModel

/// The command line; without a subcommand it opens the workbench.
struct SortieCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sortie", abstract: "A terminal workbench for HTTP.", version: VersionReport.line,
        subcommands: [
            OpenCommand.self, InitCommand.self, DemoCommand.self, ServeCommand.self, ListCommand.self, CheckCommand.self,
            SendCommand.self, DownloadCommand.self, UploadCommand.self, RunCommand.self, ListenCommand.self, BenchCommand.self, MockCommand.self,
            HistoryCommand.self, ContractCommand.self,
            ImportCommand.self, EnvironmentCommand.self, ExportCommand.self, BundleCommand.self, CacheCommand.self, TrustCommand.self,
            StoredSecretsCommand.self, TokenCommand.self, SchemaCommand.self,
            GuideCommand.self, ConfigCommand.self, SelfCommand.self, DecodeImageCommand.self, GenerateDocumentsCommand.self,
        ], defaultSubcommand: OpenCommand.self)
}

/// `sortie check`: prints every problem of a workspace on one line each.
struct CheckCommand: ProgramCommand {
    static let configuration = CommandConfiguration(commandName: "check", abstract: "Check the files of a workspace.")

    @Argument(help: "The folder of the workspace; by default the nearest one upward.", completion: .directory)
    var folder: String?

    @Flag(help: "Print one JSON record instead of lines.")
    var json = false

    @OptionGroup var source: WorkspaceOptions

    func run(in program: ProgramContext) throws {
        var workspace = try WorkspaceSource.load(named: try WorkspaceFolderOption.folder(folder, or: source.workspace), in: program)
        _ = try WorkspaceSource.environment(source.environment, of: workspace)
        workspace.problems += workspace.schemaProblems + workspace.protoProblems(compilingIn: program)
        workspace.problems += workspace.hookProblems + workspace.contractProblems(in: program)
        UnverifiedServers.report(workspace.services, of: workspace, environment: nil, to: program.errors)
        // Not a problem of the files: in a container the user often is not their owner.
        for problem in workspace.ownershipProblems { program.errors.line("sortie: warning: \(problem)") }
        for warning in workspace.contractWarnings(in: program) { program.errors.line(VisibleLine.of("sortie: warning: \(warning.programLine)")) }
        // Not problems either: a credential can be that of a test server.
        var places = CredentialPlaces(workspace: workspace.folder)
        let credentials = workspace.credentialWarnings { places.place(of: $0, in: $1) }
        for warning in credentials { program.errors.line(VisibleLine.of("sortie: warning: \(warning)")) }
        if json {
            program.output.write(record(of: workspace, credentials).text + "\n")
        } else {
            for problem in workspace.problems { program.output.write(VisibleLine.of(problem.programLine) + "\n") }
        }
        let count = workspace.problems.count
        guard count == 0 else {
            throw CommandFailure(.file, name: "workspace", "\(ItemCount.text(count, "problem")) in \(workspace.folder)")
        }
        if program.output.isTerminal {
            program.errors.line(
                "\(workspace.name): \(workspace.endpoints.count) endpoints, \(workspace.runs.count) runs, no problems")
        }
    }

    private func record(of workspace: Workspace, _ credentials: [Diagnostic]) -> JSONValue {
        func list(_ problems: [Diagnostic]) -> JSONValue {
            .array(
                problems.map { problem in
                    [
                        "file": .string(problem.location.file), "line": .integer(Int64(problem.location.line)),
                        "column": .integer(Int64(problem.location.column)), "severity": .string(problem.severity == .error ? "error" : "warning"),
                        "message": .string(problem.programSentence),
                    ]
                })
        }
        let unverified = UnverifiedServers.servers(of: workspace.services, in: workspace, environment: nil).map { server, file -> JSONValue in
            ["server": .string(server), "file": .string(file)]
        }
        return [
            "workspace": .string(workspace.name), "folder": .string(workspace.folder), "problems": list(workspace.problems),
            "insecure": .array(unverified), "credentials": list(credentials),
        ]
    }
}

/// `sortie config`: edits and checks the settings.
struct ConfigCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Edit and check the settings.",
        discussion: "Opens the settings file in the editor, creates it if there is none, and reports invalid lines afterwards.")

    @Flag(help: "Only report invalid lines, as FILE:LINE:COLUMN: message; exit 3 if there are any.")
    var check = false

    @Flag(help: "Only print the path of the file.")
    var path = false

    func validate() throws {
        if check && path { throw ValidationError("--check and --path exclude each other") }
    }

    func run(in program: ProgramContext) throws {
        let file = SettingsFile.path(program.folders)
        if path {
            program.output.write(file + "\n")
            return
        }
        if !check {
            guard program.output.isTerminal else {
                throw CommandFailure(
                    .usage, name: "terminal", "the editor needs a terminal", hint: "sortie config --path prints the path of the file")
            }
            try SettingsFile.create(file)
            if case .failed(let reason) = Editor.open(file: file, command: SettingsFile.load(program.folders).editor, in: program) {
                throw CommandFailure(.file, name: "editor", reason)
            }
        }
        let problems = AppState.problems(of: SettingsFile.load(program.folders))
        for problem in problems { program.output.write(VisibleLine.of(problem.description) + "\n") }
        guard problems.isEmpty else {
            throw CommandFailure(
                .file, name: "settings", "\(ItemCount.text(problems.count, "problem")) in \(file)",
                hint: "an invalid value has its default; the other values apply")
        }
    }
}

/// `sortie demo`: opens the demo workspace with the embedded server.
struct DemoCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Open the demo workspace on the embedded server.",
        discussion: "The demo is inside the program. Its copy in $XDG_DATA_HOME/sortie/demo can be changed; a newer version keeps the changes.")

    @Option(help: "The port of the server; by default \(usualPort), or a free one where that is in use.")
    var port: UInt16?

    @OptionGroup var source: WorkspaceOptions
    @OptionGroup var output: ScreenOptions

    func run(in program: ProgramContext) throws {
        let (folder, notice) = try EmbeddedDemo.copy(in: program)
        let (server, port) = try MainThread.wait { [port] in try await Self.listen(on: port) }
        var overrides = try source.layer(LocationOptions(isForced: false), in: program)
        overrides["port"] = overrides["port"] ?? String(port)
        let grpc = DemoGRPCServer()
        let grpcPort = Result { try MainThread.wait { try await grpc.start() } }
        var notices = [notice].compactMap(\.self)
        switch grpcPort {
        case .success(let port): overrides["grpcPort"] = overrides["grpcPort"] ?? String(port)
        case .failure(let error): notices.append("The demo has no gRPC server: \(error)")
        }
        let workbench = WorkbenchProgram(
            program: program, folder: folder, environment: try source.environment, overrides: overrides, usesColour: !output.noColor,
            keepsHistory: !output.noHistory, isTrusted: source.isTrusted,
            notices: notices + ["The demo's server listens on http://127.0.0.1:\(port)"], tour: "first-workspace#a-tour-of-the-demo")
        let ended = Result { try workbench.run() }
        try MainThread.wait {
            await grpc.stop()
            await server.stop()
        }
        if let next = try ended.get() { try NextWorkspace.open(next, output, in: program) }
    }

    /// The default port, because a download can be resumed in a later demo only with the same URL.
    private static let usualPort: UInt16 = 46101

    /// Starts a server on a port; for nil on the default port, or on a free one where that is in use.
    private static func listen(on port: UInt16?) async throws -> (DemoServer, UInt16) {
        if port == nil {
            let usual = DemoServer(port: usualPort)
            do { return (usual, try await usual.start()) } catch { await usual.stop() }
        }
        let server = DemoServer(port: port ?? 0)
        do { return (server, try await server.start()) } catch {
            throw CommandFailure(.network, name: "cannotListen", "the demo server: \(error)", hint: "choose another port with --port N")
        }
    }
}

/// `sortie generate-documents`: writes the pages of the manual and the completion scripts, for `make install` and the packages.
struct GenerateDocumentsCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate-documents", abstract: "Write the manual and the completion scripts.", shouldDisplay: false)

    @Argument(help: "The folder, which is created.")
    var folder: String

    func run(in program: ProgramContext) throws {
        let files = try ProgramDocuments.files()
        do {
            try FileManager.default.createDirectory(atPath: program.path(folder), withIntermediateDirectories: true)
        } catch {
            throw CommandFailure(.file, name: "documents", "\(folder) cannot be written: \(error.systemReason)")
        }
        for (name, text) in files { try OutputFile.write(text, to: FilePath.joining(folder, name), program.folders, program.outputWaits) }
    }
}

/// `sortie guide`: the guide, which is inside the program.
struct GuideCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "guide", abstract: "Read and search the guide.",
        discussion: """
            Without words it lists the articles. One word that is a topic, its beginning, or a word of a title displays that article. Other words are \
            searched in all articles: the best part is displayed, followed by a list of others, each of which TOPIC#HEADING displays.

            sortie guide runs · sortie guide follow redirects · sortie guide addresses#proxies

            The text is wrapped to the width of the terminal, in a pipe to 80 columns. On a terminal, one that is longer than the screen is shown in \
            $PAGER, else in less. The exit code is 1 where nothing is found.
            """)

    @Argument(
        help: ArgumentHelp("An article, TOPIC#HEADING, or words to search.", valueName: "word"), completion: .list(Guide.articles.map(\.topic)))
    var words: [String] = []

    @Flag(name: .customLong("no-pager"), help: "Print a long text instead of showing it in a pager.")
    var isPrinted = false

    func run(in program: ProgramContext) throws {
        let text = words.joined(separator: " ")
        guard words.isEmpty || !text.trimmingBlanks.isEmpty else {
            throw ValidationError("the words to search are empty; sortie guide lists the articles")
        }
        guard let article = words.isEmpty ? Guide.contents : Guide.part(text) ?? Guide.answer(to: text) else {
            let topics = Guide.articles.map(\.topic)
            throw CommandFailure(
                .response, name: "notFound", "the guide has nothing about “\(text)”",
                hint: Suggestion.hint(for: text, in: topics + Guide.search.words.sorted(), "it has: \(topics.joined(separator: ", "))"))
        }
        show(article, in: program)
    }

    private func show(_ article: GuideArticle, in program: ProgramContext) {
        let text = article.text(width: program.output.columns)
        if isPrinted || !Pager.show(text, in: program) { program.output.write(text) }
    }
}

/// `sortie init`: creates a workspace.
struct InitCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Create a workspace.",
        discussion: "It has one service with one endpoint, and comments that explain the files. Existing files are never replaced.")

    @Argument(help: "The folder of the workspace; by default the current one.", completion: .directory)
    var folder: String?

    @OptionGroup var workspace: WorkspaceFolderOption

    @Flag(help: "Permit a protected location, such as a dot folder of the home folder.")
    var force = false

    func run(in program: ProgramContext) throws {
        let folder = try workspace.folder(or: folder) ?? "."
        try WorkspaceSource.checkFolder(folder)
        if !FilePath.isAbsolute(program.folders.expanding(folder)), !RealPath.isFolder(program.folders.current) {
            throw CommandFailure(
                .file, name: "workspace", "the working directory was removed", hint: "change to another one, or name a folder that begins with /")
        }
        do throws(WorkspaceError) {
            let (created, files) = try WorkspaceFolder.create(at: folder, program.folders, isForced: force)
            for file in files { program.output.write(VisibleLine.of(FilePath.joining(created.path, file)) + "\n") }
        } catch {
            if error.code == .protected { throw CommandFailure(.file, name: "protected", error.description, hint: "to write there anyway: --force") }
            throw CommandFailure(error)
        }
        let place = folder == "." ? "" : " \(ShellQuote.quoted(folder))"
        program.errors.line("sortie\(place) opens it; its endpoint works with the server of: sortie serve")
    }
}

/// `sortie listen`: prints the messages of a WebSocket connection or the events of an event stream.
struct ListenCommand: RequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "listen", abstract: "Print the messages of a WebSocket connection or of an event stream.",
        discussion: """
            A ws:// or wss:// URL, and an endpoint with kind: webSocket, opens a WebSocket connection; other targets request server-sent \
            events. Each received message is one line, in which line breaks are displayed as ␊; a binary message is base64. With --json each message is one JSON object with direction, \
            time and type; sent messages are printed too.

            Lines of standard input are sent as text messages when it is a file or a pipe, or with -i. At its end the connection stays open. The exit \
            code is 0 when the connection was closed with 1000 or 1001, or by --for or --count, and 1 for another code.
            """)

    @Argument(help: "SERVICE/ENDPOINT of the workspace, or a ws://, wss://, http:// or https:// URL.", completion: .target)
    var target: String

    @OptionGroup(title: "Listening") var options: ListenOptions
    @OptionGroup(title: "Request") var parts: RequestPartOptions
    @OptionGroup(title: "Sending") var sending: SendingOptions
    @OptionGroup(title: "Trust") var trust: TrustOptions
    @OptionGroup(title: "Workspace") var source: WorkspaceOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run(in program: ProgramContext) async throws {
        let duration = try options.duration()
        try options.checkCount()
        var command = CommandRequest(
            program: program, target: WebSocketURL.http(target), options: request, source: source, output: output)
        command.opensWebSocket = true
        var isWebSocket = WebSocketURL.isWebSocket(target)
        let call = try await CommandCall(command, output: output) { endpoint in
            if isWebSocket { endpoint.kind = .webSocket } else { isWebSocket = endpoint.opensWebSocket }
            // The body is the first message, and the handshake is a GET.
            if isWebSocket, parts.hasBody, parts.method == nil { endpoint.method = .get }
            // Its request accepts a stream of events, in a dry run as well.
            if !isWebSocket, endpoint.kind == .data { endpoint.kind = .events }
        }
        if sending.dryRun { return try await call.showDryRun(of: call.prepared, output: output) }
        call.history?.prepare()
        let listening = Listening(
            program: program, client: call.client, prepared: call.prepared, duration: duration, count: options.count,
            sendsInput: options.interactive || !program.input.isTerminal, asJSON: output.json, redaction: call.redaction,
            onEvent: call.verboseObserver(output))
        // Writing to a slow reader blocks.
        let work = Task(executorPreference: BlockingExecutor.shared) { [isWebSocket] in
            if isWebSocket { try await listening.webSocket() } else { try await listening.serverSentEvents() }
        }
        let interruption = Interruption(in: program) { work.cancel() }
        let result = await work.result
        withExtendedLifetime(interruption) {}
        try await call.end {
            do { try result.get() } catch let error as NetworkError { throw CommandFailure(call.redaction.current.masked(error)) }
        }
    }
}

/// `sortie schema`: prints the JSON Schema of workspace files, for editors.
struct SchemaCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Print the JSON Schema of workspace files, for editors.",
        discussion: """
            An editor with yaml-language-server completes and checks the keys of a file that begins with a line such as: \
            # yaml-language-server: $schema=../.schema/endpoint.schema.json
            """)

    @Argument(
        help: ArgumentHelp(
            "The kind of file: \(WorkspaceSchema.Kind.allCases.map(\.rawValue).joined(separator: ", ")); without it, a schema of all kinds.",
            valueName: "kind"))
    var kind: String?

    @Option(name: .shortAndLong, help: ArgumentHelp("Write the schema of each kind to a folder, as KIND.schema.json.", valueName: "folder"))
    var output: String?

    @Flag(help: "Permit protected locations.")
    var force = false

    func run(in program: ProgramContext) throws {
        let chosen = try kind.map { name throws(CommandFailure) in
            guard let kind = WorkspaceSchema.Kind(rawValue: name) else {
                let names = WorkspaceSchema.Kind.allCases.map(\.rawValue)
                throw CommandFailure(
                    .usage, "there is no kind \(name)", hint: Suggestion.hint(for: name, in: names, "the kinds are: \(names.joined(separator: ", "))")
                )
            }
            return kind
        }
        guard let output else { return program.output.write(Self.text(chosen)) }
        if !force, let protected = ProtectedLocation(FilePath.joining(output, "endpoint.schema.json"), .writing, program.folders) {
            throw CommandFailure(protected)
        }
        do { try FileManager.default.createDirectory(atPath: program.path(output), withIntermediateDirectories: true) } catch {
            throw CommandFailure(.file, name: "schema", "\(output) cannot be written: \(error.systemReason)")
        }
        for kind in chosen.map({ [$0] }) ?? WorkspaceSchema.Kind.allCases {
            try OutputFile.write(Self.text(kind), to: FilePath.joining(output, "\(kind.rawValue).schema.json"), program.folders, program.outputWaits)
        }
    }

    private static func text(_ kind: WorkspaceSchema.Kind?) -> String { WorkspaceSchema.schema(of: kind).text + "\n" }
}

/// `sortie serve`: starts only the embedded server.
struct ServeCommand: AsyncProgramCommand {
    static let configuration = CommandConfiguration(commandName: "serve", abstract: "Run the demo's server until interrupted.")

    @Option(help: "The port; 0 takes a free one.")
    var port: UInt16 = 8080

    @Option(help: "Also run the demo's gRPC server on this port; 0 takes a free one.")
    var grpcPort: UInt16?

    func run(in program: ProgramContext) async throws {
        let server = DemoServer(port: port)
        let listening: UInt16
        do { listening = try await server.start() } catch {
            throw CommandFailure(.network, name: "cannotListen", "\(error)", hint: "choose another port with --port N")
        }
        var text = "listening on http://127.0.0.1:\(listening)\n"
        let grpc = grpcPort.map { DemoGRPCServer(port: $0) }
        do {
            if let port = try await grpc?.start() { text += "gRPC on http://127.0.0.1:\(port)\n" }
        } catch {
            await server.stop()
            throw CommandFailure(.network, name: "cannotListen", "gRPC: \(error)")
        }
        await Interruption.wait(in: program) { [text] in program.output.write(text, isEndless: true) }
        await grpc?.stop()
        await server.stop()
        throw ExitCode(CommandFailure.Kind.interrupted.exitCode)
    }
}
