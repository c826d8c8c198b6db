internal import Interchange
internal import SortieHTTP
internal import SortieStorage
internal import WorkspaceModel

/// Finds out at which step `sortie run` begins.
extension RunCommand {
    /// The initial record: a new one, or that of the last run with the steps from `--from` on reset.
    func start(_ setup: RunSetup, _ store: RunStore) throws -> RunRecord {
        let plan = setup.plan
        if resume { return try resumed(setup, store) }
        if failed { return try retried(setup, store) }
        guard let from else { return plan.newRecord(environment: setup.environment) }
        let stored: RunRecord?
        do { stored = try setup.stored(in: store) } catch { throw CommandFailure(error) }
        guard let index = stored?.index(of: from) ?? plan.index(of: from) else {
            let names = plan.steps.map(\.name)
            let nearest = Suggestion.nearest(to: from, in: names).map { "did you mean \($0)? " } ?? ""
            throw CommandFailure(
                .usage, "the run \(plan.definition.name) has no step \(from)",
                hint: nearest + "it has: \(names.prefix(20).joined(separator: ", "))")
        }
        if stored?.steps[index].state == .interrupted {
            StandardError.line("sortie: warning: the step \(from) was being sent when the program ended; it is sent again")
        }
        let record = stored?.restarting(at: index)
        let isReady = stored.map { stored in plan.mayContinue(stored, at: index) } ?? (index == 0)
        guard isReady else {
            throw CommandFailure(
                .usage, name: "notStarted",
                "no earlier run of \(plan.definition.name) with this environment and these steps reached the step \(from)",
                hint: "run it without --from")
        }
        return record ?? plan.newRecord(environment: setup.environment)
    }

    /// The record of the last run with the steps reset that failed or were not reached.
    private func retried(_ setup: RunSetup, _ store: RunStore) throws -> RunRecord {
        let stored: RunRecord?
        do { stored = try setup.stored(in: store) } catch { throw CommandFailure(error) }
        guard let stored, stored.restartStep != nil else {
            throw CommandFailure(
                .usage, name: "notStarted", "\(setup.plan.definition.name) has no failed steps with this environment and these steps",
                hint: "run it without --failed")
        }
        let record = stored.retryingFailed
        let interrupted = stored.steps.first { $0.state == .interrupted }
        // A chain needs the captures of each step, and in a batch others can be sent.
        if let interrupted, record.kind == .chain || !record.steps.contains(where: { $0.state == .waiting }) {
            throw Self.mayHaveArrived(interrupted)
        }
        return record
    }

    /// The record of the unfinished run, which continues where it ended.
    private func resumed(_ setup: RunSetup, _ store: RunStore) throws -> RunRecord {
        let stored: RunRecord?
        do { stored = try setup.stored(in: store) } catch { throw CommandFailure(error) }
        guard let stored, let index = stored.restartStep else {
            throw CommandFailure(
                .usage, name: "notStarted", "\(setup.plan.definition.name) has no unfinished run with this environment and these steps",
                hint: "run it without --resume")
        }
        // In a parallel group, another step may have failed first.
        let interrupted = stored.kind == .chain ? stored.steps[index...].first { $0.state == .interrupted } : nil
        if let step = interrupted ?? (stored.steps[index].state == .interrupted ? stored.steps[index] : nil) {
            // Sending it twice may be harmful, so that the user has to name it.
            throw Self.mayHaveArrived(step)
        }
        return stored.restarting(at: index)
    }

    private static func mayHaveArrived(_ step: StepRecord) -> CommandFailure {
        CommandFailure(
            .usage, name: "interrupted", "the step \(step.name) was being sent when the program ended, and the server may have received it",
            hint: "to send it again: --from \(ShellQuote.quoted(step.name))")
    }

    /// The command line that continues at a step, with the workspace, environment, data, variables and output options of this one.
    func resuming(_ record: RunRecord, at step: String, _ redaction: Redaction) -> String {
        var words = ["sortie", "run", name.isEmpty ? record.run : name, "--from", step]
        if let workspace = source.workspace { words += ["-w", workspace] }
        if !source.environments.isEmpty || name.isEmpty, let environment = record.environment { words += ["-e", environment] }
        if let data { words += ["--data", data] }
        for text in source.variables {
            let name = text.prefix { $0 != "=" }
            let isSecret = text.contains("=") && !output.showSecrets && redaction.isSecretPath(String(name))
            words += ["--var", isSecret ? "\(name)=\(HeaderField.mask)" : output.showSecrets ? text : redaction.masked(text)]
        }
        if let junit { words += ["--junit", junit] }
        if let format { words += ["--format", format] }
        if source.isTrusted { words.append("--trust") }
        if locations.isForced { words.append("--force") }
        if let capture { words += ["--capture", capture] }
        if diff { words.append("--diff") }
        for rule in ignore { words += ["--ignore", rule] }
        words += [("--json", output.json), ("--no-history", output.noHistory), ("--show-secrets", output.showSecrets), ("-v", output.verbose)]
            .filter(\.1).map(\.0)
        return words.map(ShellQuote.quoted).joined(separator: " ")
    }
}
