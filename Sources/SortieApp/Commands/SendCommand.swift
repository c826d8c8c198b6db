internal import ArgumentParser
internal import SortieStorage

/// `sortie send`: sends one request, for scripts.
struct SendCommand: RequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "send", abstract: "Send an endpoint of the workspace, or a request to a URL.",
        discussion:
            "Prints the body unchanged on stdout. With --json, prints one record with request, response and timing instead."
    ).parsedAlone

    @Argument(help: "SERVICE/ENDPOINT of the workspace, FILE#REQUEST of another tool such as api.http#login, or a URL.", completion: .target)
    var target: String

    @Flag(help: "Record the body as the snapshot of the endpoint (expect: {snapshot: true}) instead of comparing it.")
    var updateSnapshots = false

    @Flag(help: "Exit with 1 when the request or the response differs from the description of the service (contract:).")
    var contract = false

    @OptionGroup(title: "Request") var parts: RequestPartOptions
    @OptionGroup(title: "Sending") var sending: SendingOptions
    @OptionGroup(title: "Trust") var trust: TrustOptions
    @OptionGroup(title: "Result") var result: ResultOptions
    @OptionGroup(title: "Workspace") var source: WorkspaceOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run(in program: ProgramContext) async throws {
        try sending.locations.check(result.output, .writing, in: program)
        // An unknown field is an error before anything is sent.
        _ = try result.template(output)
        var command = CommandRequest(program: program, target: target, options: request, source: source, output: output)
        command.recordsSnapshots = updateSnapshots
        command.failsByContract = contract
        let call = try await CommandCall(command, output: output)
        if sending.dryRun { return try await call.showDryRun(of: call.prepared, output: output) }
        try await call.send(result: result, output: output)
    }
}
