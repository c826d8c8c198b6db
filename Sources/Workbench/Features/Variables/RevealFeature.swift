package import SortieBase
internal import SortieTerminal
internal import WorkspaceModel

extension Command {
    static let reveal = Command.named("reveal")
}

/// Reading the values of secrets, to show them for a moment.
package struct RevealJob: WorkJob {
    static let isReplaced = true
    static let cancelMessage: String? = "The secrets stay masked"

    package let names: [String]

    var sent: [SentByEffect] { [.secrets(names)] }

    func refused(_ problem: Diagnostic) -> RevealOutcome? { .failed(problem) }

    func finish(_ outcome: RevealOutcome, _ state: inout AppState) -> [Effect] {
        switch outcome {
        case .done(let values): state.reveal = Reveal(values)
        case .failed(let problem): state.notify("Nothing is revealed: \(problem.workbenchSentence)", .warning)
        }
        return []
    }
}

/// Showing secrets for a moment: those of the open request, or the selected one of the variables.
///
/// Only the request and the variables show them; the log and files are not affected.
struct RevealFeature: Feature {
    var bindings: [Binding] {
        [
            Binding(
                .request, [.character("x")], .reveal, "Reveal", "Show the secrets of this request until the next key, at most for a few seconds",
                hint: 13, unless: \.noEndpointReason
            ).alsoKnownAs("Show secrets", "Password", "Token")
        ]
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        guard command == .reveal else { return nil }
        guard let endpoint = state.openEndpoint else { return [] }
        return Self.reveal(state.needsScan.needs(of: endpoint).secrets, &state)
    }

    /// Shows secrets, after their values were read.
    static func reveal(_ names: [String], _ state: inout AppState) -> [Effect] {
        guard !names.isEmpty else {
            state.reveal = Reveal()
            return []
        }
        return state.start(RevealJob(names: names), showing: "Reading \(names.map { "{{\($0)}}" }.joined(separator: ", "))…")
    }
}

/// The result of reading secrets.
package enum RevealOutcome: Hashable, Sendable {
    /// The values by name.
    case done([String: String])
    /// A secret cannot be read.
    case failed(Diagnostic)
}
