internal import Foundation
internal import HistoryModel
internal import SortieHTTP
internal import WorkspaceModel

/// Rebuilds requests of the history, for the command and the workbench.
struct ReplaySetup: Sendable {
    /// The current workspace; one without services when the exchange belongs to none.
    let workspace: Workspace
    /// Variables with precedence over all files.
    let overrides: [[String: String]]
    /// Whether the user can be prompted for values.
    let mayAsk: Bool
    /// The permissions of the workspace on this machine.
    let permission: WorkspacePermission
    /// Records the secrets that are used.
    let redaction: LiveRedaction
    /// Called with each secret that is used.
    var used: @Sendable (String) -> Void = { _ in }

    /// Returns the request of an exchange and its differences from the original.
    ///
    /// - Parameters:
    ///   - given: Header fields that the user specified.
    ///   - promptValues: What the user entered for prompts, by label.
    ///   - cancellation: Cancels the commands of secrets that it needs.
    func plan(
        _ past: PastExchange, given: [HeaderField] = [], promptValues: [String: String] = [:], cancelledBy cancellation: Cancellation = Cancellation()
    ) async -> ReplayPlan {
        let preparation = preparation(of: past, promptValues)
        return await preparation.replay(past, given: given, masking: { [redaction] in redaction.always }, cancelledBy: cancellation)
    }

    /// The request of a plan, which may be sent.
    func request(of plan: ReplayPlan, for past: PastExchange) throws(Diagnostic) -> PreparedRequest {
        try preparation(of: past).request(of: plan)
    }

    private func preparation(of past: PastExchange, _ promptValues: [String: String] = [:]) -> RequestPreparation {
        var values = LiveValues(workspace, mayAsk: mayAsk, permission: permission) { [redaction, used] value in
            redaction.hide(value)
            used(value)
        }
        values.promptValues = promptValues
        return RequestPreparation(RequestBuilder(workspace: workspace, environment: past.item.environment, overrides: overrides), values)
    }

    /// The prompts for secrets of an exchange, whose values are not stored.
    func secretPrompts(of past: PastExchange) -> [PromptQuestion] {
        let request = past.exchange.request
        guard let endpoint = request.origin?.endpoint ?? request.target.flatMap({ workspace.endpoint($0) }) else { return [] }
        let given = overrides.reduce(into: [:]) { $0.merge($1) { $1 } }
        return TemplateNeedsScan(workspace, environment: past.item.environment, overrides: given).needs(of: endpoint).prompts.filter {
            $0.isSecret && given[$0.label] == nil
        }
    }
}
