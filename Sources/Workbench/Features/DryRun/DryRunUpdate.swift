package import SortieBase
package import SortieHTTP
internal import SortieTerminal
package import WorkspaceModel

/// Showing what the open endpoint would send, without sending it.
struct DryRunFeature: Feature {
    var bindings: [Binding] {
        [
            Binding(
                .request, [.character("v")], .dryRun, "Dry run", "Show what would be sent, without sending it", hint: 11, unless: \.noEndpointReason
            ).alsoKnownAs("Preview", "Raw request", "Simulate")
        ]
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        guard command == .dryRun else { return nil }
        state.stopEditing()
        guard let target = state.openTarget, let endpoint = state.openEndpoint else { return [] }
        return Prompts.ask(for: endpoint, &state) { endpoint, state in
            // A command that gives a secret may take a while.
            state.start(DryRunJob(target: target, endpoint: endpoint, environment: state.environment), showing: "Preparing the dry run…")
        }
    }

}

extension Command {
    static let dryRun = Command.named("dryRun")
}

/// The request that would be sent, in a popup.
struct DryRunPopup: ReadingPopup {
    var outcome: DryRunOutcome
    var target: EndpointID
    var position = ReadingPosition()

    var guideAddress: String? { "requests#dry-run" }
    var name: String { "what would be sent" }

    /// The lines of the dry run.
    private func lines(_ state: AppState) -> [DryRun.Line] {
        let redaction = state.redaction
        switch outcome {
        case .done(let dryRun): return dryRun.lines(redaction: redaction, isForWorkbench: true)
        case .failed(let problem):
            let undefined = state.endpoint(target).map { state.needsScan.needs(of: $0).undefined } ?? []
            let place = problem.location == .nowhere ? [] : [DryRun.Line(kind: .fact, name: "where", rest: problem.location.description)]
            return [DryRun.Line(kind: .failure, name: "Nothing would be sent", rest: redaction.masked(problem.workbenchSentence))] + place
                + undefined.map { name in
                    DryRun.Line(kind: .fact, name: "undefined", rest: "{{\(name)}}; \(state.key(.defineVariable)) in Request defines it")
                }
        }
    }

    func text(width: Int, _ state: AppState) -> ReadingText {
        ReadingText(title: "What would be sent", subtitle: target.path, lines: lines(width: width, state))
    }

    /// The lines wrapped to a width.
    private func lines(width: Int, _ state: AppState) -> [[Span]] {
        lines(state).flatMap { line -> [[Span]] in
            let (head, style): (Span, Style) =
                switch line.kind {
                case .request: (Span(line.name + " ", HTTPMethod(line.name).map { StatusText.style(of: $0) } ?? .strong), .strong)
                case .field: (Span(line.name + ": ", .headerName), .headerValue)
                case .body: (Span(""), .text)
                case .fact: (Span(ColumnText.padded(line.name, to: 11), .info), .text)
                case .failure: (Span(line.name + ": ", .error), .error)
                }
            let used = CellWidth.width(of: head.text)
            let indent = line.kind == .fact ? used : min(used, 4)
            var column = 0
            let text = ColumnText.expandingTabs(line.rest, column: &column)
            let room = max(10, width - used)
            let isSentence = line.kind == .failure || line.kind == .fact && line.name != DryRun.signedName
            let pieces = isSentence ? WrappedText.lines(text, width: room) : ColumnText.pieces(text, width: room)
            var rows = pieces.enumerated().map { index, piece in
                [index == 0 ? head : Span(String(repeating: " ", count: indent)), Span(piece, style)]
            }
            guard let source = line.source, let last = rows.indices.last else { return rows }
            let note = "(\(source))"
            if rows[last].reduce(0, { $0 + CellWidth.width(of: $1.text) }) + 2 + CellWidth.width(of: note) <= width {
                rows[last].append(Span("  " + note, .muted))
            } else {
                let wrapped = WrappedText.lines(note, width: max(10, width - 4))
                rows += wrapped.map { [Span("    "), Span($0, .muted)] }
            }
            return rows
        }
    }

    func plainText(_ state: AppState) -> String { lines(state).map(\.text).joined(separator: "\n") }
}

/// Determining what an endpoint would send.
package struct DryRunJob: WorkJob {
    static let isReplaced = true
    static let opensPopup = true
    static let cancelMessage: String? = "The dry run was cancelled"
    package static let mayRunHooks = true

    let target: EndpointID
    package let endpoint: Endpoint
    package let environment: String?

    var sent: [SentByEffect] { [.endpoint(endpoint, environment: environment)] }

    func refused(_ problem: Diagnostic) -> DryRunOutcome? { .failed(problem) }

    func finish(_ outcome: DryRunOutcome, _ state: inout AppState) -> [Effect] {
        guard target == state.openTarget, state.mayOpen("What would be sent") else { return [] }
        state.popups.show(DryRunPopup(outcome: outcome, target: target))
        return []
    }
}

/// The result of a dry run.
package enum DryRunOutcome: Hashable, Sendable {
    /// The request that would be sent.
    case done(DryRun)
    /// A template or a file is invalid.
    case failed(Diagnostic)
}
