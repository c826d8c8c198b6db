internal import ArgumentParser
internal import Foundation
internal import Interchange
internal import SortieBase
internal import SortieDemoServer
internal import SortieStorage
internal import WorkspaceModel

/// `sortie mock`: serves the endpoints of a workspace on the loopback interface, without their servers.
struct MockCommand: AsyncProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "mock", abstract: "Serve the endpoints of a workspace or of an OpenAPI file locally, without their servers.",
        discussion: """
            A response is the newest one in the history of the endpoint, else one that meets its expect:, else an empty JSON object with status 200. \
            Variables in a path match one segment. A request with "Prefer: code=404" gets the newest recorded response with this status, if there is one.

            Those of an OpenAPI file are its examples, or values that its schemas describe: by default those of the first success, with "Prefer: \
            code=404" those of that status, with "Prefer: example=NAME" the example of that name, in a type that Accept permits. With --strict, a \
            request that the file does not permit gets the status 400 and a list of what differs.

            It listens on 127.0.0.1 and sends nothing; the workspace's commands, secrets and files are not used. Pages of this \
            machine (localhost) can read the responses; --allow-origin permits other origins, --no-cors permits none. Each request is one line. Ctrl-C ends it.
            """)

    @Argument(
        help: ArgumentHelp(
            "The folder of the workspace, by default the nearest one upward, or an OpenAPI file or another one that import reads.",
            valueName: "workspace|file"), completion: .file())
    var folder: String?

    @OptionGroup var source: WorkspaceFolderOption

    @Option(help: "The port; 0 takes a free one.")
    var port: UInt16 = 0

    @Option(help: ArgumentHelp("The time before each response, such as 200ms.", valueName: "time"))
    var delay: String?

    @Option(help: ArgumentHelp("The share of requests that fail, such as 10%.", valueName: "share"))
    var fail: String?

    @Option(
        help: ArgumentHelp(
            "How they fail: status:N, reset (no response) or slow (ten times the delay, at least 5 s); by default status:503.", valueName: "fault"))
    var fault: String?

    @Option(help: ArgumentHelp("The start of the random sequence of failures.", valueName: "number"))
    var seed: UInt64 = 1

    @Option(
        name: .customLong("allow-origin"),
        help: ArgumentHelp("An origin whose pages may read the responses, beside those of this machine (repeat).", valueName: "origin"))
    var allowedOrigins: [String] = []

    @Flag(name: .customLong("no-cors"), help: "Do not permit pages of other origins to read the responses.")
    var noCORS = false

    @Flag(name: .customLong("no-history"), help: "Do not use recorded responses.")
    var noHistory = false

    @Flag(help: "Refuse requests that differ from the OpenAPI file, with the status 400 and the violations.")
    var strict = false

    @Flag(help: "Print one JSON object for each request.")
    var json = false

    @Option(
        name: [.short, .customLong("environment")], help: "The environment whose servers give the paths' beginnings.", completion: .environment)
    var environment: String?

    func run(in program: ProgramContext) async throws {
        let delay = try self.delay.map { text in
            guard let delay = DurationText.parse(text) else {
                throw CommandFailure(.usage, "--delay \(text) is not a time", hint: DurationText.form)
            }
            return delay
        }
        guard let share = MockFaults.share(fail ?? "0") else {
            throw CommandFailure(.usage, "--fail \(fail ?? "") is not a share of the requests", hint: "write a percentage from 0% to 100%, as in 10%")
        }
        let fault = fault ?? "status:503"
        guard let kind = MockFaults.Kind(fault) else {
            throw CommandFailure(.usage, "--fault \(fault) is not a fault", hint: "there are status:N with N from 200 to 599, reset and slow")
        }
        if self.fault != nil, fail == nil {
            throw CommandFailure(
                .usage, "--fault \(fault) is given without --fail", hint: "write the share of the requests that fail, as in --fail 10%")
        }
        let responder = try responder(origins: MockOrigins(permitsOthers: !noCORS, more: Set(allowedOrigins)), in: program)
        let contract = try strict ? MockContract(file: try source.folder(or: folder), in: program) : nil
        let faults = MockFaults(kind, share: share, seed: seed)
        let json = json
        let server = DemoServer(port: port) { request in
            let start = ContinuousClock.now
            let fault = faults.next()
            var choice = responder.choice(request, in: program)
            if choice.target != nil, let refusal = await contract?.refusal(of: request) {
                choice.reply.status = 400
                choice.reply.headers.removeAll { !$0.0.lowercased().hasPrefix("access-control-") }
                choice.reply.headers.append(("Content-Type", "application/json"))
                choice.reply.body = Data((refusal.text + "\n").utf8)
                choice.source = "contract"
            }
            var wait = delay ?? .zero
            switch fault {
            case .status(let status)?:
                choice.reply.status = status
                choice.reply.headers.removeAll { !$0.0.lowercased().hasPrefix("access-control-") }
                choice.reply.headers.append(("Content-Type", "application/json"))
                choice.reply.body = Data("{\"error\":\"a fault of sortie mock --fail\"}\n".utf8)
            case .reset?: choice.reply.closesWithoutResponse = true
            case .slow?: wait = max(wait * 10, .seconds(5))
            case nil: break
            }
            // A cancelled wait is the end of the server, which closes the connection.
            if wait > .zero { do { try await Task.sleep(for: wait) } catch { choice.reply.closesWithoutResponse = true } }
            let line = MockLine(request: request, choice: choice, hasFault: fault != nil, duration: ContinuousClock.now - start)
            program.output.write((json ? line.record.text : line.text) + "\n")
            return choice.reply
        }
        let listening: UInt16
        do { listening = try await server.start() } catch {
            throw CommandFailure(.network, name: "cannotListen", "\(error)", hint: "choose another port with --port N")
        }
        await Interruption.wait(in: program) { program.output.write("listening on http://127.0.0.1:\(listening)\n") }
        await server.stop()
    }

    private func responder(origins: MockOrigins, in program: ProgramContext) throws -> MockResponder {
        let folder = try source.folder(or: folder)
        var isFolder: ObjCBool = false
        let exists = folder.map { FileManager.default.fileExists(atPath: program.path($0), isDirectory: &isFolder) } ?? false
        if let folder, !exists { throw CommandFailure(.file, name: "workspace", "there is no folder and no file \(folder)") }
        guard let folder, !isFolder.boolValue else {
            let workspace = try WorkspaceSource.load(named: folder, in: program)
            let selected = try WorkspaceSource.environment(environment, of: workspace)
            return MockResponder(
                routes: MockRoutes(workspace, environment: selected, variables: [:]), folder: workspace.folder,
                store: noHistory ? nil : HistoryStore.open(stateFolder: program.folders.state), origins: origins)
        }
        let imported = try WorkspaceImport(path: folder, readsResponses: true, in: program).imported
        let names = imported.environments.map(\.name)
        if let environment, !names.contains(environment) {
            throw CommandFailure(
                .usage, "\(folder) has no environment \(environment)", hint: "it has: \(names.isEmpty ? "none" : names.joined(separator: ", "))")
        }
        let routes = MockRoutes(imported, environment: environment)
        guard !routes.routes.isEmpty else { throw CommandFailure(.file, name: "import", "\(folder) has no requests to serve") }
        return MockResponder(routes: routes, folder: folder, store: nil, origins: origins)
    }
}
