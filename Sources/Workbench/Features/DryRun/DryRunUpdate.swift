internal import SortieTerminal

/// Showing what the open endpoint would send, without sending it.
struct DryRunFeature: Feature {
    var bindings: [Binding] {
        [
            Binding(
                .request, [.character("v")], .dryRun, "Dry run", "Show what would be sent, without sending it", hint: 11, unless: \.noEndpointReason)
        ]
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        guard command == .dryRun else { return nil }
        state.stopEditing()
        guard let target = state.openTarget, let endpoint = state.openEndpoint else { return [] }
        return Prompts.ask(for: endpoint, &state) { endpoint, state in
            // A command that gives a secret may take a while.
            let id = state.nextJob(DryRunJob(target: target))
            state.toast = Toast("Preparing the dry run…", job: id)
            return [.dryRun(id, endpoint, environment: state.environment)]
        }
    }

    static func finished(_ id: JobID, _ outcome: DryRunOutcome, _ state: inout AppState) {
        guard let target = state.finishJob(id, DryRunJob.self)?.target else { return }
        guard target == state.openTarget, state.mayOpen("What would be sent") else { return }
        state.popups.show(DryRunPopup(outcome: outcome, target: target))
    }
}

extension Command {
    static let dryRun = Command.named("dryRun")
}
