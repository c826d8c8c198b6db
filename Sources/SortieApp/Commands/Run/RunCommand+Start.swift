internal import Interchange
internal import SortieHTTP
internal import SortieStorage
internal import WorkspaceModel

/// Finds out at which step `sortie run` begins.
extension RunCommand {
    /// The initial record: a new one, or that of the last run with the steps from `--from` on reset.
    func start(_ setup: RunSetup, _ store: RunStore, in program: ProgramContext) throws -> RunRecord {
        let plan = setup.plan
        if resume { return try resumed(setup, store) }
        if failed { return try retried(setup, store) }
        guard !from.isEmpty else { return plan.newRecord(environment: setup.environment) }
        let stored: RunRecord?
        do { stored = try setup.stored(in: store) } catch { throw CommandFailure(error) }
        let named = Set(try from.map { try index(of: $0, stored, plan) })
        guard let stored else {
            guard named == [0] else {
                throw CommandFailure(
                    .usage, name: "notStarted",
                    "no earlier run of \(plan.definition.name) with this environment and these steps reached the step \(from[0])",
                    hint: "run it without --from")
            }
            return plan.newRecord(environment: setup.environment)
        }
        if let first = named.min(), let obstacle = plan.obstacle(to: stored, continuingAt: first) {
            let (step, earlier) = (stored.steps[first].name, stored.steps[obstacle].name)
            throw CommandFailure(
                .usage, name: "notReached", "the run \(plan.definition.name) cannot continue at \(step): the step \(earlier) before it is not done",
                hint: "to continue there: --from \(ShellQuote.quoted(earlier))")
        }
        let unnamed = plan.unnamedInterrupted(in: stored, continuingAt: named)
        guard unnamed.isEmpty else { throw Self.mayHaveArrived(unnamed, of: stored, beside: named) }
        for index in named.sorted() where stored.steps[index].state == .interrupted {
            program.errors.line("sortie: warning: the step \(stored.steps[index].name) was being sent when the program ended; it is sent again")
        }
        return plan.continuing(stored, at: named)
    }

    /// The index of a named step in the record of the last run, else in the plan.
    private func index(of step: String, _ stored: RunRecord?, _ plan: RunPlan) throws -> Int {
        if let index = stored.map({ $0.index(of: step) }) ?? plan.index(of: step) { return index }
        let names = stored?.steps.map(\.name) ?? plan.steps.map(\.name)
        let nearest = Suggestion.nearest(to: step, in: names).map { "did you mean \($0)? " } ?? ""
        throw CommandFailure(
            .usage, "the run \(plan.definition.name) has no step \(step)", hint: nearest + "it has: \(names.prefix(20).joined(separator: ", "))")
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
        let interrupted = stored.steps.indices.filter { stored.steps[$0].state == .interrupted }
        // A chain needs the captures of each step, and in a batch others can be sent.
        if !interrupted.isEmpty, record.kind == .chain || !record.steps.contains(where: { $0.state == .waiting }) {
            throw Self.mayHaveArrived(interrupted, of: stored)
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
        // In a chain, all of them are in the way; in a parallel group, another step may have failed first.
        let interrupted = stored.steps.indices.filter { stored.steps[$0].state == .interrupted && (stored.kind == .chain || $0 == index) }
        guard interrupted.isEmpty else { throw Self.mayHaveArrived(interrupted, of: stored, beside: [index]) }
        return setup.plan.continuing(stored, at: [index])
    }

    /// The error for interrupted steps: sending them twice may be harmful, so that the user has to name them.
    ///
    /// - Parameter others: Steps that are named, too.
    private static func mayHaveArrived(_ interrupted: [Int], of record: RunRecord, beside others: Set<Int> = []) -> CommandFailure {
        let names = interrupted.prefix(20).map { record.steps[$0].name }
        let options = others.union(interrupted.prefix(20)).sorted().map { "--from \(ShellQuote.quoted(record.steps[$0].name))" }
        let isOne = interrupted.count == 1
        return CommandFailure(
            .usage, name: "interrupted",
            "the \(isOne ? "step \(names[0]) was" : "steps \(names.joined(separator: ", "))\(interrupted.count > 20 ? " …" : "") were") being sent "
                + "when the program ended, and the server may have received \(isOne ? "it" : "them")",
            hint: "to send \(isOne ? "it" : "them") again: \(options.joined(separator: " "))")
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
