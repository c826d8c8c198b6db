internal import BodyViews
internal import SortieBase
internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// The lines above a body: progress, errors and notices.
struct ResponseHead {
    /// A row above the body.
    enum Row: Hashable, Sendable {
        case progress(ProgressLine)
        case text([Span])
    }

    /// How many failed checks stand above a body; the Checks tab has all of them.
    private static let shownFailures = 3

    private let state: AppState
    private let call: Call
    private let width: Int

    private var redaction: Redaction { state.redaction }

    init(_ state: AppState, _ call: Call, width: Int) {
        self.state = state
        self.call = call
        self.width = width
    }

    /// The rows, wrapped to the width.
    var rows: [Row] {
        var rows: [Row] = []
        for line in state.responses.past?.origin ?? [] { rows += wrapped(redaction.masked(line.text), line.isWarning ? .warning : .muted) }
        if let last = state.lastResponse(call) {
            // A path that is a URL, or may become one by a variable, does not use the servers.
            let isRelative = call.endpoint.flatMap(state.endpoint).map { !$0.hasWholeURL && !$0.path.hasPrefix("{{") } ?? false
            let servers = isRelative ? call.endpoint.map { state.serverURLs(of: Endpoint.serviceName(of: $0.path)) } ?? [] : []
            if let note = state.requestChange(since: call)?.note { rows += wrapped(redaction.masked(note), .warning) }
            for note in last.notes(environment: state.environment, servers: servers) { rows += wrapped(redaction.masked(note), .warning) }
            if let note = last.past.bodyNote { rows += wrapped(redaction.masked(note.text), note.isWarning ? .warning : .muted) }
        } else if state.responses.past == nil, let change = state.requestChange(since: call), change.isOtherRequest, let note = change.note {
            rows += wrapped(redaction.masked(note), .warning)
        }
        switch call.outcome {
        case nil where state.calls.isWaiting(call.id):
            let reason = state.calls[call.id]?.parking?.reason ?? ""
            rows += wrapped("Waits for the network: \(redaction.masked(reason))", .warning)
            rows += wrapped(
                "It is stored, also after the program ends, and sent when the server is reachable. \(state.key(.cancel)) cancels it.", .muted)
        case nil:
            if let queued = QueuedCall(state.calls[call.id]), !queued.transfer.isUpload || queued.command == .wait {
                rows += transferHead(queued)
            } else if let reason = call.queuedBecause {
                rows += wrapped("In the queue of the service: \(redaction.masked(reason))", .muted)
                rows += wrapped("This time counts towards the total timeout. \(state.key(.cancel)) cancels it.", .muted)
            } else if let status = ResponseFeature.streamStatus(call, state) {
                rows.append(.text(status))
            } else if SignInFeature.delays(call, state) {
                rows += wrapped(
                    "The request is sent after you have signed in. Sign-in in the palette (\(state.key(.palette))) shows the page.", .warning)
            } else {
                rows += progressLines.map { .progress($0) }
                let preparation = preparation
                if !preparation.isEmpty { rows += wrapped(redaction.masked(preparation), .muted) }
            }
        case .notSent(let problem)?:
            rows += wrapped("Not sent: \(redaction.masked(problem.message))", .error)
            if let remedy = remedy(for: problem) { rows += wrapped(remedy, .muted) }
        case .finished(let exchange)?:
            if let error = exchange.error.map({ redaction.masked($0) }) {
                rows += wrapped(
                    call.isCancelled ? "Cancelled: \(error.message)" : error.message, call.isCancelled ? .warning : .error)
                // What is done about a refused certificate is below it.
                let isAnswered = error.remedy == .trustedIssuer && !call.refusedChain.isEmpty
                let ofFile = Repair.unreadableFile(state).map { "choose another file as \($0.label) on the Trust tab of the service" }
                if !isAnswered { rows += remedy(of: error.workbenchHint ?? ofFile) }
                rows += chainRows
                if call.isCancelled { rows += wrapped("\(state.key(.send)) sends it again.", .muted) }
                // A response that was rejected because of its content is still complete.
                let isWhole = exchange.response.map { $0.truncation == nil } ?? false
                if let body = call.body, !body.bytes.isEmpty, !isWhole {
                    let share = exchange.response?.receivedShare ?? ByteText.amount(Int64(body.bytes.count))
                    rows += wrapped("\(share) received before that:", .warning)
                }
            }
            let failures = exchange.expectationResult?.failures ?? []
            // A failed check has the message as well.
            if failures.isEmpty, let message = exchange.response?.grpcStatus?.message, !message.isEmpty {
                rows += wrapped(redaction.masked(message), .warning)
            }
            for failure in failures.prefix(Self.shownFailures) {
                rows += wrapped("Not as expected: \(StatusText.text(of: failure.masked(by: redaction)))", .error)
            }
            if failures.count > Self.shownFailures {
                rows += wrapped("\(failures.count - Self.shownFailures) more failed checks are on the Checks tab.", .error)
            }
            if let transfer = state.calls[call.id]?.transfer, let result = transfer.result {
                switch result.state {
                case .done: rows += wrapped("Saved to \(result.file)", .success)
                case .failed(_, isResumable: true), .cancelled(keepsPart: true):
                    guard result.bytes > 0, result.canResume else { break }
                    rows += wrapped(
                        "\(ByteText.amount(result.bytes)) are saved in \(DownloadName.part(of: transfer.order.file ?? result.file)); \(state.key(.send)) resumes.",
                        .muted)
                default: break
                }
                if let digest = result.digest { rows += wrapped("sha256 \(digest.hexadecimal)", .muted) }
            }
            for notice in exchange.notices + [exchange.undecodedNotice].compactMap(\.self) {
                let text = redaction.masked(notice)
                rows += wrapped(text.prefix(1).uppercased() + text.dropFirst(), .warning)
            }
            if let truncation = exchange.response?.truncation, exchange.error == nil {
                let share = exchange.response?.receivedShare.map { " (\($0))" } ?? ""
                rows += wrapped("The body is incomplete\(share): \(truncation)", .warning)
            }
        }
        if !call.isInFlight, let status = ResponseFeature.streamStatus(call, state) { rows.append(.text(status)) }
        if let notice = call.body?.notice, call.body?.bytes.isEmpty == false { rows += wrapped(notice, .warning) }
        return rows
    }

    /// What the user can do about a problem that prevented sending; nil where its message says it.
    private func remedy(for problem: Diagnostic) -> String? {
        if let remedy = problem.remedy {
            let key = repairHint
            // The key does what the text says.
            if case .storedSecret = remedy, !key.isEmpty { return String(key.dropFirst(2)) + "." }
            return remedy.workbenchText + key
        }
        let (send, location) = (state.key(.send), problem.location)
        if location == .nowhere { return "\(send) sends it again." }
        if let name = problem.template, let endpoint = state.openEndpoint, call.endpoint == endpoint.id,
            state.needsScan.needs(of: endpoint).undefined.contains(name)
        {
            return "\(state.key(.named("defineVariable"))) in Request defines {{\(name)}}; \(send) sends it then."
        }
        if FilePath.yamlStem(location.file) != nil {
            // What is not saved yet is not in the file.
            if let id = state.openTarget, state.drafts[id]?.isEdited == true, state.drafts[id]?.original.location?.file == location.file {
                return "Correct it in Request, then send it with \(send)."
            }
            return "In \(location). Correct it there (\(state.key(.editOutside)) opens the file) or in Request, then send it with \(send)."
        }
        // An endpoint without a file is at its target. Other locations, such as the history, cannot be corrected.
        return state.endpoint(EndpointID(location.file)) == nil ? nil : "Correct it in Request, then send it with \(send)."
    }

    /// What the key for repairing does about the error, after its hint; sending again where nothing on this machine is wrong.
    private var repairHint: String {
        guard call.id == state.openCall?.id, let action = Repair.action(state),
            let binding = state.keymap.bindings.first(where: { $0.command == .repair }), binding.reason(state) == nil
        else {
            let isOpen = call.endpoint != nil && call.endpoint == state.openTarget && !call.isCancelled
            return isOpen && call.error?.errorClass == .transport ? "; \(state.key(.send)) sends it again" : ""
        }
        return "; \(state.key(.repair)) in Response \(action)"
    }

    /// What the user can do about an error, and the key for it; the key alone where the error has no hint.
    private func remedy(of hint: String?) -> [Row] {
        let key = repairHint
        guard let hint else { return key.isEmpty ? [] : wrapped("\(key.dropFirst(2)).", .muted) }
        return wrapped(hint + key, .muted)
    }

    /// The certificates of an untrusted server, and what the user can do.
    private var chainRows: [Row] {
        let chain = call.refusedChain
        guard !chain.isEmpty else { return [] }
        let lines = chain.enumerated().flatMap { index, certificate in
            wrapped("\(index + 1)  \(redaction.masked(certificate.text))", .text)
        }
        // In other panes the keys have other meanings.
        let place = state.isActive(.response) ? "" : " in Response"
        let accepting = "\(state.key(.trustServer))\(place) accepts it: pins its key, trusts it for the service, or once only"
        return wrapped("Certificates of the server:", .muted) + lines
            + wrapped("\(accepting); \(state.key(.copyPin)) copies the pin of the first one.", .muted)
    }

    /// The progress of a transfer, and the destination of a download.
    private func transferHead(_ queued: QueuedCall) -> [Row] {
        let transfer = queued.transfer
        let status = queued.stateText(state)
        let line = TransferLine(queued, state)
        let facts = [line[.percent], line[.bytes], line[.rate], line[.left].isEmpty ? "" : line[.left] + " left"].filter { !$0.isEmpty }
        var rows: [Row] = [
            .progress(
                ProgressLine(
                    mark: Span(line.arrow, .accent), bar: transfer.bar ?? (queued.isMoving ? nil : ProgressBar(0)), facts: facts,
                    now: state.now)
            )
        ]
        if !status.text.isEmpty { rows += wrapped(redaction.masked(status.text), status.style) }
        if let place = transfer.file ?? transfer.order.destination { rows += wrapped("To \(place)", .muted) }
        return rows
    }

    private func wrapped(_ text: String, _ style: Style) -> [Row] {
        WrappedText.lines(text, width: width).map { .text([Span($0, style)]) }
    }

    /// One progress bar for each direction of transfer.
    private var progressLines: [ProgressLine] {
        var lines: [ProgressLine] = []
        let progress = call.progress
        if progress.sent > 0 || (progress.sentTotal ?? 0) > 0 || call.kind == .upload {
            lines.append(progressLine("↑", progress.sent, progress.sentTotal, isActive: call.isUploading))
        }
        if !call.isUploading || progress.received > 0 {
            lines.append(progressLine("↓", progress.received, progress.receivedTotal, isActive: !call.isUploading))
        }
        return lines
    }

    /// What a call without any bytes waits for.
    private var waitsFor: String {
        if call.response != nil { return "waiting for the body" }
        return call.isAttempted ? "waiting for the response" : "preparing the request"
    }

    /// The programs that run before the request is sent, because one of them may take long; empty when it was sent, and where there are none.
    private var preparation: String {
        guard !call.isAttempted, call.response == nil, let endpoint = call.endpoint.flatMap({ state.endpoint($0) }) else { return "" }
        let hooks = state.workspace.hooks(of: endpoint).filter(\.stage.changesRequest).map { "the hook \($0.name) (\($0.stage.rawValue))" }
        let tunnel = state.workspace.service(endpoint.serviceName)?.tunnel.map { "the tunnel \($0.name)" }
        let programs = hooks + [tunnel].compactMap(\.self)
        return programs.isEmpty ? "" : "Before it is sent: \(programs.joined(separator: ", "))"
    }

    private func progressLine(_ arrow: String, _ done: Int64, _ total: Int64?, isActive: Bool) -> ProgressLine {
        var facts: [String] = []
        var fraction: Double?
        if let total, total > 0 {
            fraction = min(1, Double(done) / Double(total))
            facts = [NumberText.percent(fraction ?? 0), ByteText.share(done, of: total)]
        } else {
            facts = [done > 0 ? ByteText.amount(done) : waitsFor]
        }
        if isActive, let rate = call.meter.rate, rate >= 1 {
            facts.append(ByteText.rate(rate))
            if let total, total > done { facts.append(NumberText.seconds(Double(total - done) / rate) + " left") }
        }
        return ProgressLine(mark: Span(arrow, .accent), bar: fraction.map { ProgressBar($0) }, facts: facts, now: state.now)
    }
}
