internal import ArgumentParser
internal import SortieNetworking
internal import SortieStorage

/// `sortie download`: downloads a file completely, or resumes it later.
struct DownloadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "download", abstract: "Download a file, or resume a partial download.",
        discussion: """
            During the download, FILE.part contains the bytes and FILE.part.json describes them. Run the same command again after an interruption to \
            resume it. If the file has changed on the server, the download restarts from the first byte.
            """)

    @Argument(help: "SERVICE/ENDPOINT of the workspace, or a URL.")
    var target: String

    @OptionGroup(title: "Download") var options: DownloadOptions
    @OptionGroup(title: "Request") var parts: RequestPartOptions
    @OptionGroup(title: "Sending") var sending: SendingOptions
    @OptionGroup(title: "Trust") var trust: TrustOptions
    @OptionGroup(title: "Workspace") var source: WorkspaceOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
        try sending.locations.check(options.output ?? ".", .writing)
        let command = CommandRequest(target: target, parts: parts, sending: sending, trust: trust, source: source)
        let call = try await CommandCall(command, output: output)
        guard call.request.method == .get, call.request.body == .none else {
            throw CommandFailure(.usage, "only a GET without a body can be downloaded", hint: "sortie send -o FILE works with every request")
        }
        var download = try options.download(call.request)
        download.wantsDigest = output.json
        if let retry = sending.retry { download.retryLimit = retry }
        if sending.dryRun { return try await call.showDryRun(of: call.request, output: output) }
        try await call.run(download, output: output)
    }
}
