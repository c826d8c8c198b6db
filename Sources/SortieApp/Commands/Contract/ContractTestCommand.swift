internal import ArgumentParser
internal import HistoryModel
internal import Interchange
internal import SortieBase
internal import SortieHTTP
internal import SortieStorage
internal import WorkspaceModel

/// `sortie contract test`: sends generated requests, and reports what may not happen.
struct ContractTestCommand: RequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Send valid, boundary and invalid requests that the description of a service gives, and check the responses.",
        discussion: """
            A failure is a status of 500 or above, a response that the description does not have, a success after an invalid request, the refusal of \
            a valid one (400, 415 or 422), a success without credentials or with other ones where they are required, and a success of a method that \
            the path does not have. Each is printed with the curl command of the smallest request that shows it; --json prints all of them. Requests \
            are those of endpoints, with their servers, fields and authentication, and are sent one after the other. Only safe methods are sent \
            without --unsafe. With it, what a POST creates is read, changed, deleted and read again, as links and paths of the description show.
            """)

    @Argument(help: "The target of a service, a folder or an endpoint.", completion: .target)
    var target: String

    @Option(help: ArgumentHelp("Chooses among the requests; the same number gives the same ones.", valueName: "number"))
    var seed: UInt64 = 1

    @Option(name: .customLong("max"), help: ArgumentHelp("The most requests for each operation.", valueName: "n"))
    var limit = 100

    @Flag(name: .customLong("unsafe"), help: "Also send POST, PUT, PATCH and DELETE, which change data of the server.")
    var sendsUnsafe = false

    @Flag(help: "Save the request of each failure as an endpoint, in the folder findings of its service.")
    var save = false

    @Option(help: ArgumentHelp("Write a JUnit report; - is stdout, the other lines go to stderr then.", valueName: "file"), completion: .file())
    var junit: String?

    @OptionGroup(title: "Request") var parts: RequestPartOptions
    @OptionGroup(title: "Sending") var sending: SendingOptions
    @OptionGroup(title: "Trust") var trust: TrustOptions
    @OptionGroup(title: "Workspace") var source: WorkspaceOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        guard limit > 0 else { throw ValidationError("--max \(limit) is not a number of requests from 1 on") }
    }

    func run(in program: ProgramContext) async throws {
        try sending.refuseDryRun(of: "contract test", hint: "sortie send TARGET --dry-run shows the request of an endpoint")
        let workspace = try WorkspaceSource.load(named: source.workspace, in: program)
        let described = try described(in: workspace, program)
        let cancellation = Cancellation()
        let interruption = Interruption(in: program) { cancellation.cancel() }
        if let junit { try sending.locations.check(junit, .writing, in: program) }
        if junit == "-", output.json { throw CommandFailure(.usage, "--junit - and --json both write to stdout; name a file with --junit") }
        var report = ContractTestReport(target, seed: seed, output: output, junit: junit, in: program)
        if save { report.saved = ContractTestEndpoints(of: workspace, in: program) }
        var session = ContractTestSession(
            seed: seed, limit: limit, sendsUnsafe: sendsUnsafe, cancellation: cancellation, report: report)
        for (endpoint, contract) in described where !cancellation.isCancelled {
            guard endpoint.kind == .data, endpoint.grpc == nil else { continue }
            let description: OpenAPIContract
            do throws(Diagnostic) { description = try contract.description() } catch { throw CommandFailure(error) }
            let command = CommandRequest(
                program: program, target: endpoint.target, options: request, source: source, workspace: workspace, output: output)
            let call = try await CommandCall(command, output: output)
            let failure = await session.test(endpoint, call, contract, description)
            // Also after a failure, so that the history has what was sent.
            try await call.end { if let failure { throw failure } }
        }
        withExtendedLifetime(interruption) {}
        try session.report.finish(isCancelled: cancellation.isCancelled)
    }

    /// The endpoints of the target that have a description.
    private func described(in workspace: Workspace, _ program: ProgramContext) throws -> [(Endpoint, EndpointContract)] {
        let permission = try WorkspacePermission.ofCommand(
            workspace, in: program, isTrusted: source.isTrusted, isForced: sending.locations.isForced)
        // What an earlier test saved repeats failures; it is no endpoint to test.
        let endpoints = workspace.endpoints.filter { endpoint in
            endpoint.target == target || endpoint.target.hasPrefix(target + "/") && !ContractTestEndpoints.hasSaved(endpoint.target)
        }
        guard !endpoints.isEmpty else {
            throw CommandFailure(.usage, name: "unknownEndpoint", "there is no endpoint, folder or service \(target)", hint: "sortie list shows all")
        }
        let described = endpoints.compactMap { endpoint in
            EndpointContract(of: endpoint, in: workspace, permission, isStrict: true).map { (endpoint, $0) }
        }
        guard !described.isEmpty else { throw CommandFailure.missingContract(of: target) }
        return described
    }
}
