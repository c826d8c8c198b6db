internal import ArgumentParser
internal import HistoryModel
internal import SortieHTTP
internal import SortieStorage

/// `sortie history show`: prints one complete exchange.
struct HistoryShowCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show an exchange.",
        discussion: """
            On a terminal, prints the request and the response. In a pipe, prints only the body, as sortie send does; -i adds the response header. \
            With --json, prints one record instead. Secrets were masked before they were stored; values that this workspace lists under redact: are \
            masked as well.
            """)

    @Argument(help: ArgumentHelp("Its number, its id, last, or last-1 for the one before.", valueName: "id"), completion: .exchange)
    var reference: String

    @Option(name: .shortAndLong, help: ArgumentHelp("Write the body to a file; - is stdout.", valueName: "file"), completion: .file())
    var output: String?

    /// The file for the body; nil for stdout.
    private var file: String? { output == "-" ? nil : output }

    @Flag(name: .shortAndLong, help: "Print the response's header before the body.")
    var include = false

    @Flag(help: "Print one JSON record instead of text; a body above 16 MiB goes to a private file that its bodyFile names.")
    var json = false

    @OptionGroup var locations: LocationOptions

    func run(in program: ProgramContext) throws {
        try locations.check(output, .writing, in: program)
        let names = WorkspaceSource.redactedNames(in: program)
        let past = try HistoryReference(reference).exchange(in: HistoryStore.open(stateFolder: program.folders.state), masking: names, in: program)
        if let missing = past.missingBody, file != nil || !json && !program.output.isTerminal {
            throw CommandFailure(.file, name: "missingBody", "the body of \(past.item.number) is missing: \(missing)")
        }
        if let file, let response = past.exchange.response { try OutputFile.write(response.body, to: file, program.folders, program.outputWaits) }
        if json {
            var bodies = RecordBodies(folder: program.temporaryFolder)
            let bodyFile = try file ?? bodies.file(for: past.exchange.response)
            let redaction = Redaction(adding: names)
            // The stored body is masked, and may have another length.
            let bodyBytes = past.exchange.response.flatMap { $0.body.isEmpty ? nil : past.item.receivedBytes }
            guard case .object(let members) = past.exchange.record(redaction: redaction, bodyFile: bodyFile, bodyBytes: bodyBytes) else { return }
            let checks = ResponseCheck.repeated(past).checksOfRecord(masked: redaction)
            program.output.write(JSONValue.object(members + past.moreOfRecord + checks).text + "\n")
            return
        }
        let isForPerson = program.output.isTerminal
        if isForPerson { program.output.write((summary(past) + request(past)).map { VisibleLine.of($0) + "\n" }.joined() + "\n") }
        if let response = past.exchange.response {
            ResponseOutput(
                output: program.output, errors: program.errors, response: response, includesHeader: include || isForPerson, includesBody: file == nil
            ).write()
        }
        // A failed exchange is not a failure of this command.
        if let error = past.exchange.error { program.errors.line("sortie: \(error.code.rawValue): \(error.message)") }
        if let missing = past.missingBody { program.errors.line("sortie: the body is missing: \(missing)") }
    }

    /// The metadata of the exchange.
    private func summary(_ past: PastExchange) -> [String] {
        let item = past.item
        let parts = [
            "\(item.number)", HistoryTime.full(item.startedAt), item.target, item.environment, item.run.map { "run \($0)" },
            HistoryTable.status(item), TimeSpan(item.duration).text,
        ]
        var lines = [parts.compactMap(\.self).joined(separator: " · ")]
        let marks = (item.isPinned ? ["pinned"] : []) + item.tags
        if !marks.isEmpty { lines.append("Tags: \(marks.joined(separator: " "))") }
        if !item.note.isEmpty { lines.append("Note: \(item.note)") }
        if let file = past.file { lines.append("File: \(file)") }
        return lines + [""]
    }

    /// The request of the exchange.
    private func request(_ past: PastExchange) -> [String] {
        var lines = ["\(past.item.shownMethod) \(past.item.url)"]
        lines += past.exchange.sentHeaders.fields.map { "\($0.name): \($0.value)" }
        if let missing = past.missingRequestBody { return lines + ["", "(the body is missing: \(missing))"] }
        switch past.exchange.request.body {
        case .none: break
        case .bytes(let bytes, let type):
            let decoded = DecodedBody(BodyBytes(bytes), contentType: past.exchange.sentHeaders["Content-Type"] ?? type)
            let text = decoded?.text ?? "(\(ByteCount(bytes.count).text), not text)"
            if !text.isEmpty { lines += [""] + text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init) }
        case .file(let path, _): lines += ["", "(the file \(path))"]
        case .multipart(let parts): lines += [""] + parts.map(Self.text)
        }
        return lines
    }

    private static func text(of part: RequestBody.Part) -> String {
        switch part.content {
        case .file(let path): "(\(part.name): the file \(path))"
        case .bytes(let bytes): "(\(part.name): \(String(validating: bytes, as: UTF8.self) ?? ByteCount(bytes.count).text))"
        }
    }
}
