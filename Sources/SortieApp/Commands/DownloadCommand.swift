internal import ArgumentParser
internal import SortieBase
internal import SortieNetworking
internal import SortieStorage
internal import WorkspaceModel

/// `sortie download`: downloads a file completely, or resumes it later.
struct DownloadCommand: RequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "download", abstract: "Download a file, or resume a partial download.",
        discussion: """
            During the download, FILE.part contains the bytes and FILE.part.json describes them. Run the same command again after an interruption to \
            resume it. If the file has changed on the server, the download restarts from the first byte.

            With --detach, the download continues in a separate process after the command has returned, also after the end of the terminal. The \
            command prints its number. sortie download list lists these downloads, sortie download attach NUMBER displays the progress of one and \
            ends as it does, and sortie download stop NUMBER stops it and keeps its part.
            """
    ).parsedAlone

    @Argument(help: "SERVICE/ENDPOINT of the workspace, or a URL; not with --discard-parts. Or list, attach or stop.", completion: .target)
    var target: String?

    @Argument(help: "The number or the file of a detached download, for attach and stop.", completion: .file())
    var detached: String?

    @Flag(name: .customLong("left"), help: ArgumentHelp("Read the download of a workbench that was left from standard input.", visibility: .hidden))
    var isLeft = false

    @OptionGroup(title: "Download") var options: DownloadOptions
    @OptionGroup(title: "Request") var parts: RequestPartOptions
    @OptionGroup(title: "Sending") var sending: SendingOptions
    @OptionGroup(title: "Trust") var trust: TrustOptions
    @OptionGroup(title: "Workspace") var source: WorkspaceOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        if target == nil, !options.discardsParts { throw ValidationError("Missing expected argument '<target>'") }
        if target != nil, options.discardsParts { throw ValidationError("--discard-parts needs no target; -o names the folder") }
        switch (detachedCommand, detached) {
        case (nil, let other?): throw ValidationError("Unexpected argument '\(other)'")
        case (.list, _?): throw ValidationError("sortie download list lists all detached downloads, and takes no further argument")
        case (.attach?, nil), (.stop?, nil):
            throw ValidationError("name the download by its number or its file; sortie download list prints them")
        default: break
        }
        if options.detach, output.showSecrets {
            throw ValidationError("--show-secrets cannot be used with --detach, because the messages of a detached download are stored")
        }
        if options.detach, detachedCommand != nil || options.discardsParts { throw ValidationError("--detach needs the target of a download") }
    }

    /// What is done with detached downloads instead of a download.
    private var detachedCommand: DetachedDownloads.Command? { target.flatMap { DetachedDownloads.Command(rawValue: $0) } }

    func run(in program: ProgramContext) async throws {
        if let detachedCommand {
            let downloads = DetachedDownloads(in: program, output: output)
            switch detachedCommand {
            case .list: try downloads.list()
            case .attach: try await downloads.attach(detached ?? "")
            case .stop: try await downloads.stop(detached ?? "")
            }
            return
        }
        // As a variable of a script that is not set.
        guard options.output != "" else { throw CommandFailure(.file, "the file to write has no name", hint: "name a file or a folder with -o") }
        try sending.locations.check(options.output ?? ".", .writing, in: program)
        guard let typed = target else { return try discardParts(in: program) }
        let target = typed.hasPrefix("./") ? String(typed.dropFirst(2)) : typed
        let stream = StreamedDownload.path(options.output, in: program)
        if let stream, options.detach {
            throw CommandFailure(.usage, "\(stream) is no file, and a detached download needs one", hint: "name a file with -o")
        }
        if options.output == "-", output.json {
            throw CommandFailure(.usage, "-o - and --json both write to stdout", hint: "name a file with -o")
        }
        var command = CommandRequest(program: program, target: target, options: request, source: source, output: output)
        if isLeft {
            guard let left = LeftDownload(Array(try program.input.all(for: "--left"))) else {
                throw CommandFailure(.usage, "--left reads what the workbench writes", hint: "download the target without it")
            }
            command.left = left
        }
        let call = try await CommandCall(command, output: output)
        guard call.request.method == .get, call.request.body == .none else {
            throw CommandFailure(.usage, "only a GET without a body can be downloaded", hint: "sortie send -o FILE works with every request")
        }
        var settings = call.download
        var created: String?
        if options.output == nil, settings?.to == nil, let folder = try call.permittedDownloadFolder() {
            try sending.locations.check(folder, .writing, in: program, createsFolder: true)
            settings = settings ?? DownloadSettings()
            settings?.to = folder + "/"
            created = folder
        }
        var download = try options.download(call.request, settings, in: program)
        download.wantsDigest = output.json
        if let retry = sending.retry { download.retryLimit = retry }
        if options.output == nil, let to = call.download?.to { try sending.locations.check(to, .writing, in: program) }
        if sending.dryRun { return try await call.showDryRun(of: call.prepared, output: output) }
        if let created { try DownloadFolder.create(created) }
        let streamed = try stream.map { try StreamedDownload(to: $0, in: program) }
        if let streamed {
            streamed.configure(&download)
            if output.verbose {
                program.errors.line(
                    "* download: \(streamed.path) is no file: it gets the whole body at its end, without a part file, and is not resumed")
            }
        }
        let detachment = options.detach ? try DownloadDetachment(of: target, in: program, output: output, hiding: call.redaction) : nil
        try await call.run(download, to: options.destination(call.download), output: output, detachment: detachment, streamed: streamed)
    }

    /// Removes the partial files of the folder; those of running downloads are reported and stay.
    private func discardParts(in program: ProgramContext) throws {
        let folder = program.path(options.output ?? ".")
        let (discarded, failures) = try Downloads.discardAll(in: folder)
        if output.json {
            let record: JSONValue = ["discarded": .array(discarded.map { .string($0) })]
            program.output.write(record.text + "\n")
        } else {
            for file in discarded { program.output.write(VisibleLine.of("removed \(file).part") + "\n") }
            if discarded.isEmpty { program.errors.line("sortie: \(folder) has no partial files of downloads") }
        }
        if let first = failures.first { throw first }
    }
}
