package import SortieHTTP
internal import SortieTerminal
package import WorkspaceModel

extension Command {
    static let recordSnapshot = Command.named("recordSnapshot")
}

/// Records the body of the displayed response as the snapshot that `expect: {snapshot: true}` of its endpoint compares with.
struct SnapshotFeature: Feature {
    var bindings: [Binding] {
        [
            Binding(
                .response, [.character("r")], .recordSnapshot, "Record",
                "Record the body as the snapshot of the endpoint; asks before it replaces one",
                hint: 1, unless: Self.unavailable
            ).alsoKnownAs("Update snapshot", "Approve", "Golden file", "Baseline")
        ]
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        guard command == .recordSnapshot else { return nil }
        guard let call = state.openCall, let endpoint = state.openEndpoint else { return [] }
        return Self.record(endpoint, of: call.id, replaces: !state.settings.confirmsOverwriting, &state)
    }

    /// Why there is no body to record, or no expectation that compares with it.
    static func unavailable(_ state: AppState) -> String? {
        guard let endpoint = state.openEndpoint else { return "No endpoint is open" }
        guard endpoint.expectation?.snapshot != nil else { return "\(endpoint.name) has no expect: {snapshot: true}" }
        guard endpoint.location != nil else { return "The snapshot is a file beside that of the endpoint; \(state.key(.save)) saves it" }
        guard let call = state.openCall, let exchange = call.exchange, exchange.response != nil else { return "There is no response" }
        guard state.responseState.tab == .checks else { return "The Checks tab is not shown" }
        guard state.responses.past == nil, state.lastResponse(call) == nil else {
            return "The response is from the history, where secrets are masked; \(state.key(.send)) sends the request"
        }
        guard !RequestChange(since: exchange.request, to: endpoint).isOtherRequest else {
            return "The response is that of another request; \(state.key(.send)) sends this one"
        }
        if exchange.request.origin?.run != nil {
            return "The response is that of a run; \(state.key(.send)) sends the endpoint by itself, whose response can be recorded"
        }
        return exchange.error?.errorClass == .transport || call.isCancelled ? "The response is not complete" : nil
    }

    fileprivate static func record(_ endpoint: Endpoint, of call: CallID, replaces: Bool, _ state: inout AppState) -> [Effect] {
        guard let exchange = state.calls[call]?.call.exchange, exchange.response != nil else {
            state.toast = Toast("That response is no longer shown", .warning)
            return []
        }
        return state.start(SnapshotJob(call: call, endpoint: endpoint, exchange: exchange, replaces: replaces))
    }
}

/// Recording the displayed body as the snapshot of its endpoint.
package struct SnapshotJob: WorkJob {
    let call: CallID
    package let endpoint: Endpoint
    package let exchange: Exchange
    /// Whether a file with another body is replaced.
    package let replaces: Bool

    func finish(_ outcome: SnapshotOutcome, _ state: inout AppState) -> [Effect] {
        switch outcome {
        case .recorded(let sentence, let checks):
            state.calls.change(call) { operation in
                guard var exchange = operation.call.exchange else { return }
                exchange.expectationResult = (exchange.expectationResult ?? ExpectationResult(checks: [])).replacingSnapshot(by: checks)
                operation.call.outcome = .finished(exchange)
            }
            state.notify(sentence, source: endpoint.id)
        case .exists(let file):
            guard state.mayOpen("The question whether to replace the snapshot") else { return [] }
            state.confirm("Replace the snapshot?", file, keep: "Keep it", "Replace it", detail: "its current content is lost") { state in
                SnapshotFeature.record(endpoint, of: call, replaces: true, &state)
            }
        case .failed(let reason): state.notify("The snapshot was not recorded: \(reason)", .error, source: endpoint.id)
        }
        return []
    }
}

/// The result of recording a body as a snapshot.
package enum SnapshotOutcome: Hashable, Sendable {
    /// The file has the body: what was done, and the checks of the response with that file.
    case recorded(String, checks: [ExchangeCheck])
    /// Nothing was written, because this file has another body.
    case exists(String)
    /// Nothing was written. The text is the reason.
    case failed(String)
}
