internal import Model

/// Finds templates that no file gives a value to, and braces that are not closed.
///
/// Names are warnings, because `--var` can still define them; sending without a value is an error then.
struct TemplateCheck {
    private var known: Set<String>
    /// What steps of runs capture, which their endpoints may use.
    private var captured: Set<String> = []
    /// False where a run takes names from a file that is not read, so that an unknown name may be one of these.
    private var isEveryNameKnown = true

    /// The names that every file of `workspace` may use.
    init(_ workspace: Workspace) {
        known = Set(workspace.variables.keys).union(workspace.secrets.keys).union(workspace.publicParameters.map(\.name))
        for environment in workspace.environments { known.formUnion(environment.variables.keys) }
        // What a run passes on with `with` and its data is used by the endpoints, as are captures.
        let captures = workspace.captureNames
        for run in workspace.runs {
            known.formUnion((run.dataColumns ?? []) + run.steps.flatMap(\.variables.keys))
            if run.dataColumns == nil { isEveryNameKnown = false }
            for step in run.steps {
                let names = captures[step.target, default: []] + step.captures.map(\.name)
                captured.formUnion(names.map { "\(step.name).\($0)" })
            }
        }
    }

    /// What is wrong with the templates of a file that has variables of its own.
    func problems(of uses: [NodeReader.Use], own: some Sequence<String>) -> [Problem] {
        let known = known.union(own)
        return uses.compactMap { use in
            if case .unclosed(let text) = use.segment { return Problem(use.location, TemplateError(unclosed: text).message) }
            guard let message = message(use.segment, known: known.union(use.own ?? captured)) else { return nil }
            return Problem(use.location, message, severity: .warning)
        }
    }

    private func message(_ segment: Template.Segment, known: Set<String>) -> String? {
        switch segment {
        case .text, .unclosed: return nil
        case .variable(let name, _):
            guard isEveryNameKnown, !known.contains(name) else { return nil }
            let hint =
                name.contains("|")
                ? "; only |raw may follow a name"
                : Suggestion.nearest(to: name, in: known.sorted()).map { "; did you mean {{\($0)}}?" }
                    ?? "; give it with --var \(name)=…"
            return "nothing here defines {{\(name.shortened)}}\(hint)"
        case .builtin(let name, _, _):
            guard !TemplateScope.builtinNames.contains(name), !name.hasPrefix("env.") else { return nil }
            let hint = Suggestion.nearest(to: name, in: TemplateScope.builtinNames).map { "; did you mean {{$\($0)}}?" } ?? ""
            return "there is no built-in {{$\(name.shortened)}}\(hint)"
        }
    }
}
