internal import ArgumentParser
internal import Foundation
internal import SortieHTTP
internal import SortieNetworking
internal import SortieStorage
internal import WorkspaceModel

/// The common part of `send`, `download` and `upload`: the request, its cookies, and the client of its workspace.
struct CommandCall {
    let program: ProgramContext
    let prepared: PreparedRequest
    /// The masking rules of the output.
    let redaction: LiveRedaction
    /// The request for further calls; nil for a call that is not sent again.
    private(set) var repetition: RequestRepetition?
    /// The download settings of the endpoint, with the absolute path of the destination; nil where it has none.
    private(set) var download: DownloadSettings?
    /// Whether the body is recorded as a snapshot instead of compared.
    private(set) var recordsSnapshots = false
    /// The folder for downloads of the workspace's files; nil where they name none.
    private let downloadFolder: String?
    private let permission: WorkspacePermission
    private let cookies: StoredCookies?
    private let capture: TrafficCapture?
    let history: HistoryRecorder?
    /// Also retains the objects that the client's plugins use.
    private let setup: WorkspaceClient

    /// Resolves the request without sending it.
    ///
    /// - Parameters:
    ///   - concurrency: the number of calls that a bench has in flight, which go to no history; nil for one call.
    ///   - showsSignIn: whether it is displayed also without a terminal how the user signs in for an access token.
    ///   - edit: changes of the endpoint that the command makes in addition to its options.
    init(
        _ command: CommandRequest, output: OutputOptions, concurrency: Int? = nil, showsSignIn: Bool = false,
        editing edit: (inout Endpoint) throws -> Void = { _ in }
    ) async throws {
        let redaction = LiveRedaction(showsSecrets: output.showSecrets)
        let resolved = try await command.resolved(hiding: redaction, editing: edit)
        try self.init(
            resolved.prepared, of: resolved.workspace, in: command.program, permission: resolved.permission, sending: command.options.sending,
            source: command.source,
            output: output, redaction: redaction, concurrency: concurrency, showsSignIn: showsSignIn)
        recordsSnapshots = command.recordsSnapshots
        (download, repetition) = (resolved.download, resolved.repetition)
    }

    /// Creates a call of a resolved request.
    init(
        _ prepared: PreparedRequest, of workspace: Workspace, in program: ProgramContext, permission: WorkspacePermission, sending: SendingOptions,
        source: WorkspaceOptions,
        output: OutputOptions, redaction: LiveRedaction, concurrency: Int? = nil, showsSignIn: Bool = false
    ) throws {
        let request = prepared.request
        (self.program, self.redaction, self.prepared, self.permission) = (program, redaction, prepared, permission)
        downloadFolder = workspace.downloadFolder
        UnverifiedServers.report(request, of: workspace, to: program.errors)
        cookies = try sending.cookies.map { try StoredCookies(path: $0, environment: request.environment, in: program) }
        setup = try WorkspaceClient(
            workspace, in: program, source: source, locations: sending.locations, cookies: cookies, permission: permission, hiding: redaction,
            load: concurrency.map { ClientLoad(lane: request.service ?? request.url.origin, concurrency: $0) }, showsSignIn: showsSignIn)
        // A dry run sends nothing that could be recorded or stored.
        capture = sending.dryRun ? nil : try TrafficCapture.begin(sending.capture, of: setup.client, masking: redaction, in: program)
        history =
            sending.dryRun || concurrency != nil
            ? nil : HistoryRecorder.begin(output, of: setup.client, workspace: workspace, in: program, hiding: redaction)
    }

    /// The folder for a download whose endpoint and command name none; nil for the current folder.
    ///
    /// - Throws: For a folder outside the workspace that the user has not permitted.
    func permittedDownloadFolder() throws -> String? {
        guard let downloadFolder else { return nil }
        try permission.requireDownloads(in: downloadFolder)
        return downloadFolder
    }

    /// The client of the workspace.
    var client: Client { setup.client }
    var request: Request { prepared.request }

    /// Prints the request of a dry run without sending it.
    ///
    /// - Parameter readsInput: Whether standard input is read before the request is sent, as by ``send(result:output:)``, so that its length is known.
    func showDryRun(of prepared: PreparedRequest, output: OutputOptions, readsInput: Bool = true) async throws {
        var request = prepared.request
        if readsInput {
            let cancellation = Cancellation()
            let interruption = Interruption(in: program) { cancellation.cancel() }
            request = try readInput(of: request, cancelledBy: cancellation).request
            withExtendedLifetime(interruption) {}
        }
        let dryRun = await client.dryRun(request)
        try DryRunResult(output: program.output, dryRun: dryRun, redaction: redaction.current, asJSON: output.json).deliver()
    }

    /// Reads standard input and pipes where they are the body of the request or a part of it.
    private func readInput(of request: Request, cancelledBy cancellation: Cancellation) throws(CommandFailure) -> InputBody {
        let end = OutputFile.deadline(of: request, startedAt: .now)
        var isLate = false
        let input = InputBody(request, from: program.input) { [program] descriptor in
            // Standard input may be typed, and takes its time.
            guard !cancellation.waitForInput(on: descriptor, until: descriptor == program.input.descriptor ? nil : end) else { return true }
            isLate = isLate || !cancellation.isCancelled
            return false
        }
        guard !cancellation.isCancelled else { throw CommandFailure(.interrupted, "interrupted before anything was sent") }
        guard !isLate else { throw .latePipe(of: "the body") }
        return input
    }

    /// Delivers the result, stores the cookies and the history, and ends the recording.
    ///
    /// These are stored regardless of the result; a failure to store them is reported after the delivery.
    func end(_ deliver: () async throws -> Void) async throws {
        // After the requested output, which need not wait for the disk.
        defer { history?.end(warningOn: program.errors) }
        let (saving, recording) = (Result { try cookies?.save(now: program.now()) }, Result { try capture?.finish() })
        try await deliver()
        try saving.get()
        try recording.get()
    }
}

/// Sending and downloading, for the commands and for a replay.
extension CommandCall {
    /// Sends the request, reports its progress, and delivers the response.
    func send(result: ResultOptions, output: OutputOptions) async throws {
        history?.prepare()
        let id = client.makeID()
        // One cancellation for the call and the comparison, so that a signal between them is not lost.
        let cancellation = Cancellation()
        let interruption = Interruption(in: program) { cancellation.cancel() }
        let input = try readInput(of: request, cancelledBy: cancellation)
        let request = input.request
        let line = TransferLine(output: output, errors: program.errors)
        let reporter = SendReporter(output: output, errors: program.errors, redaction: redaction, line: line)
        let live = LiveBody(request, in: program, options: result, output: output, cancellation: cancellation)
        let startedAt = ContinuousClock.now
        var exchange: Exchange?
        let events = client.events(request, id: id, demand: live.demand, heads: input.heads)
        // After the call is registered: one that a signal has cancelled before ends at once.
        cancellation.whenCancelled { [client] in client.cancel(id) }
        for await event in events {
            // A progress line would interrupt the text on the terminal.
            if case .progressed = event, live.isWriting {} else { reporter.report(event) }
            await live.report(event, clearing: line)
            if case .finished(let finished) = event { exchange = finished }
        }
        var isInterrupted = false
        if let check = prepared.check, let finished = exchange {
            // A task, because cancelling it ends the evaluation of a regular expression.
            let comparison = Task { await check.checked(finished) }
            cancellation.whenCancelled { comparison.cancel() }
            exchange = await comparison.value
            isInterrupted = comparison.isCancelled && finished.error == nil
        }
        if recordsSnapshots {
            let checks = exchange?.expectationResult?.checks.filter(\.isOfSnapshot) ?? []
            for check in checks where check.outcome == .passed { program.errors.line("sortie: the body was \(check.actual)") }
            if checks.isEmpty, exchange?.response != nil {
                program.errors.line("sortie: warning: \(request.target ?? "the request") has no expect: {snapshot: true}, and nothing was recorded")
            }
        }
        try await end {
            guard let exchange else { throw CommandFailure(.network, "the request ended without a result") }
            let rest = await live.finish(exchange)
            if isInterrupted { throw CommandFailure(.interrupted, "interrupted while the response was compared with what is expected") }
            try SendResult(
                program: program, exchange: exchange, options: result, output: output, redaction: redaction.current, liveRest: rest,
                startedAt: startedAt, cancellation: cancellation
            ).deliver()
        }
        withExtendedLifetime((interruption, input)) {}
    }

    /// Downloads a file and reports progress and result.
    ///
    /// - Parameters:
    ///   - detachment: Moves the download out of the foreground; nil where it stays there.
    ///   - streamed: Writes the complete file to a device or a pipe; nil for a download that stays a file.
    func run(
        _ download: Download, to destination: DownloadDestination? = nil, output: OutputOptions, detachment: DownloadDetachment? = nil,
        streamed: StreamedDownload? = nil
    ) async throws {
        let startedAt = ContinuousClock.now
        let running = client.downloads.start(download, destination: destination)
        let interruption = Interruption(in: program) { running.cancel(keepsPart: true) }
        var reporter = DownloadProgressLine(output: output, errors: program.errors, redaction: redaction.current)
        var problem: CommandFailure?
        for await event in running.events {
            // The temporary file of a stream is no part.
            if streamed != nil, case .placed = event { continue }
            reporter.report(event)
            guard let detachment, problem == nil, detachment.note(event) else { continue }
            reporter.clear()
            do throws(CommandFailure) {
                try detachment.leave()
                // Another one, because standard error is not a terminal any more.
                reporter = DownloadProgressLine(output: output, errors: program.errors, redaction: redaction.current)
            } catch {
                problem = error
                // Without its state, other programs could neither display nor stop a detached download.
                running.cancel(keepsPart: true)
            }
        }
        withExtendedLifetime(interruption) {}
        var result = await running.result
        var failure = problem
        do {
            let file = result.file
            if let streamed { (result.file, result.canResume) = (streamed.path, false) }
            try await end { [result] in
                if let streamed, result.error == nil {
                    try streamed.write(file, in: program, until: OutputFile.deadline(of: download.request, startedAt: startedAt))
                }
                try DownloadReport(program: program, result: result, output: output, redaction: redaction.current).deliver()
            }
        } catch let error as CommandFailure { failure = failure ?? error }
        try detachment?.end(result, failure: failure)
        guard let failure else { return }
        guard detachment?.isDetached == true else { throw failure }
        // Before the lock is released, so that a program that waits for that finds the messages in the log.
        failure.report(to: program.errors)
        throw ExitCode(failure.exitCode)
    }
}

/// The templates of a command's request, which can be resolved for one call or for several.
struct CommandTemplates: Sendable {
    let endpoint: Endpoint
    var preparation: RequestPreparation
    /// The values that were fetched, once for all passes.
    var inputs = TemplateInputs()
    /// Whether the command names a URL and no endpoint.
    let isURL: Bool
    /// Whether the command names the server of the ring.
    let usesOneServer: Bool
    let redaction: LiveRedaction

    /// The same templates for a pass beside others, which takes values that were fetched from them.
    func again() -> CommandTemplates {
        var templates = self
        templates.preparation = preparation.ofRepetitions
        templates.inputs = inputs.copy()
        return templates
    }

    /// Resolves the templates.
    ///
    /// - Throws: A `CommandFailure` with the place of the template, or with status 2 for a URL.
    func resolve(cancelledBy cancellation: Cancellation = Cancellation()) async throws -> PreparedRequest {
        do throws(Diagnostic) {
            return try await preparation.request(for: endpoint, to: endpoint.download?.to, inputs, cancelledBy: cancellation) { request in
                if isURL { request.target = nil }
                // The named server is used alone: another one would be a wrong result.
                if usesOneServer { (request.otherServers, request.serverGeneration) = ([], nil) }
            }
        } catch {
            var problem = error
            problem.message = redaction.current.masked(problem.message)
            if let hint = problem.failure?.hint { problem.failure?.hint = redaction.current.masked(hint) }
            // A URL is no file that could have the mistake.
            guard problem.failure == nil, problem.remedy != .protectedFile else { throw CommandFailure(problem) }
            // No hint to `sortie check`, which does not read the values of this machine.
            let hint = problem.remedy?.programText
            throw isURL
                ? CommandFailure(ofTypedURL: problem.message, hint: hint)
                : CommandFailure(.file, name: "workspace", problem.description, hint: hint)
        }
    }
}

/// A request whose body, or a part of it, was read from standard input or a pipe before it is sent, as by `curl -d @-`.
///
/// Its length is known then, and it can be sent again, for example after a redirect or with credentials. A longer input is sent while it is read.
struct InputBody {
    /// The number of bytes from which on the input is sent while it is read.
    static let limit = 1 << 20

    private(set) var request: Request
    /// The first bytes of longer inputs, which are sent before the rest, by their paths.
    private(set) var heads: [String: [UInt8]] = [:]
    /// The pipes, which stay open, because their writers would fail without a reader.
    private var pipes: [BodyPipe] = []

    /// Reads standard input and pipes, where they are a part of the request; no larger regular file, whose length is known.
    ///
    /// - Parameter mayRead: Waits for input of a descriptor; false ends the reading.
    init(_ request: Request, from input: ProgramInput, while mayRead: (_ descriptor: Int32) -> Bool) {
        self.request = request
        for path in request.body.files {
            if path == Request.standardInput {
                read(input, at: path, while: mayRead)
            } else if let pipe = BodyPipe(path: path) {
                pipes.append(pipe)
                read(pipe.input, at: path, while: mayRead)
            }
        }
    }

    private mutating func read(_ input: ProgramInput, at path: String, while mayRead: (_ descriptor: Int32) -> Bool) {
        guard heads[path] == nil, input.fileSize ?? 0 <= Self.limit else { return }
        let (bytes, isWhole) = input.head(Self.limit) { mayRead(input.descriptor) }
        if isWhole { request.replaceFile(at: path, by: bytes) } else if input.fileSize == nil { heads[path] = bytes }
    }
}

/// A pipe, such as that of `<(…)` in a shell, or a device, that is a body or a part of it.
///
/// It stays open until the request has ended: the writer of a named pipe would otherwise be without a reader when it writes, and its bytes be lost.
private final class BodyPipe: Sendable {
    let input: ProgramInput

    init?(path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        let kind = fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
        guard kind == S_IFIFO || kind == S_IFCHR && isatty(descriptor) == 0 else {
            close(descriptor)
            return nil
        }
        input = ProgramInput(descriptor: descriptor)
    }

    deinit { close(input.descriptor) }
}

extension Request {
    /// Replaces a file that is the body, or parts of it, by its bytes.
    fileprivate mutating func replaceFile(at path: String, by bytes: [UInt8]) {
        switch body {
        case .file(path, let type): body = .bytes(bytes, contentType: type)
        case .multipart(var parts):
            for index in parts.indices where parts[index].content == .file(path: path) { parts[index].content = .bytes(bytes) }
            body = .multipart(parts)
        case .none, .bytes, .file: break
        }
    }
}

extension ProgramInput {
    /// The size of a regular file; nil for other inputs.
    fileprivate var fileSize: Int? {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
    }
}
