internal import SortieBase
internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// Showing which parts of the descriptions of services the history has used.
struct ContractCoverageFeature: Feature {
    var bindings: [Binding] {
        [
            Binding(
                .everywhere, [], .contractCoverage, "Contract coverage", "Show which operations and parts of the descriptions of services were used",
                unless: { state in
                    state.workspace.services.contains { $0.contract.map { $0.mode != .off } ?? false } ? nil : "No service has a contract"
                }
            ).alsoKnownAs("API coverage", "OpenAPI", "contract:")
        ]
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        guard command == .contractCoverage else { return nil }
        return state.start(ContractCoverageJob(), showing: "Comparing the history with the descriptions…")
    }
}

extension Command {
    static let contractCoverage = Command.named("contractCoverage")
}

/// The coverage of the descriptions of a workspace.
package enum ContractCoverageOutcome: Hashable, Sendable {
    /// The lines, as `sortie contract coverage` prints them.
    case lines([String])
    /// Why there are none.
    case failed(String)
}

/// Comparing the exchanges of the history with the descriptions of services.
package struct ContractCoverageJob: WorkJob {
    static let isReplaced = true
    static let opensPopup = true
    static let cancelMessage: String? = "The comparison was cancelled"

    var sent: [SentByEffect] { [.descriptions] }

    func refused(_ problem: Diagnostic) -> ContractCoverageOutcome? { .failed(problem.workbenchSentence) }

    func finish(_ outcome: ContractCoverageOutcome, _ state: inout AppState) -> [Effect] {
        switch outcome {
        case .lines(let lines):
            guard state.mayOpen("The coverage") else { return [] }
            state.popups.show(ContractCoveragePopup(lines: lines))
        case .failed(let sentence): state.notify(sentence, .error)
        }
        return []
    }
}

/// The coverage, in a popup.
struct ContractCoveragePopup: ReadingPopup {
    var lines: [String]
    var position = ReadingPosition()

    let name = "the coverage"
    var contexts: [Context] { position.entry == nil ? [.contractLines, .reading] : Context.typingSearch }
    var guideAddress: String? { "contracts#in-commands" }

    func text(width: Int, _ state: AppState) -> ReadingText {
        var text = ReadingText(title: "Contract coverage", subtitle: "by the history; ✓ all parts, · some, – none", lines: [])
        text.add(lines, width: width, state) { line in
            line.hasPrefix("✓") ? .success : line.hasPrefix("–") || line.hasPrefix(" ") ? .muted : .text
        } about: { line, _ in
            let words = line.split(separator: " ").map(String.init)
            return words.count == 4 && ["✓", "·", "–"].contains(words[0]) ? .endpoint(target: "", method: words[1], path: words[2]) : nil
        }
        return text
    }

    func plainText(_ state: AppState) -> String { state.redaction.masked(lines.joined(separator: "\n")) }
}
