internal import SortieBase
internal import WorkspaceModel

/// Finds templates without a definition in any file, and braces that are not closed.
///
/// Undefined names are warnings, because `--var` may define them; sending without a value is an error.
struct TemplateCheck {
    private var known: Set<String>
    /// The captures of run steps, which their endpoints may use.
    private var captured: Set<String> = []
    /// False where a run uses the columns of a file that is not read, so that unknown names may be defined there.
    private var isEveryNameKnown = true
    private let expansion: TemplateExpansion
    /// The maximum number of searches for the most similar name; each one compares with every name.
    private static let mostSuggestions = 200

    /// Creates a check with the names that every file of `workspace` may use.
    init(_ workspace: Workspace) {
        expansion = TemplateExpansion(workspace)
        known = Set(workspace.variables.keys).union(workspace.secrets.keys).union(workspace.publicParameters.map(\.name))
        for environment in workspace.environments { known.formUnion(environment.variables.keys) }
        // Endpoints use the captures of runs, and the names in `with` and in the data.
        captured = workspace.earlierNames
        let captures = workspace.captureNames
        for run in workspace.runs {
            known.formUnion((run.dataColumns ?? []) + run.steps.flatMap { $0.variables.keys + ($0.loop?.variable.map { [$0] } ?? []) })
            if run.dataColumns == nil { isEveryNameKnown = false }
            for step in run.steps {
                let names = captures[step.target, default: []] + step.captures.map(\.name)
                captured.formUnion(names.map { "\(step.name).\($0)" })
            }
        }
    }

    /// The problems with the templates of a file that has additional variables.
    func problems(of uses: [NodeReader.Use], own: some Sequence<String>) -> [Diagnostic] {
        let own = Set(own)
        var suggestions = 0
        var reported: Set<String> = []
        return uses.compactMap { use in
            switch use.segment {
            case .unclosed(let text): return Diagnostic(use.location, TemplateError(unclosed: text).message)
            case .variable(let name, _):
                // Once per file, because a definition that is too large is referred to by many names.
                if let problem = expansion.problem(of: name) {
                    guard reported.insert(name).inserted else { return nil }
                    return Diagnostic(use.location, problem, severity: .warning)
                }
                // A name with a dot is that of a captured value, which files define.
                if use.isOptional, !name.contains(".") { return nil }
                guard isEveryNameKnown, !known.contains(name), !own.contains(name), !(use.own ?? captured).contains(name) else { return nil }
                suggestions += 1
                let names = suggestions > Self.mostSuggestions ? [] : known.union(own).union(use.own ?? captured).sorted()
                return Diagnostic(use.location, message(unknown: name, names), severity: .warning)
            case .text, .builtin: return message(use.segment).map { Diagnostic(use.location, $0, severity: .warning) }
            }
        }
    }

    private func message(unknown name: String, _ names: [String]) -> String {
        let hint =
            name.contains("|")
            ? "; only |raw may follow a name"
            : Suggestion.nearest(to: name, in: names).map { "; did you mean {{\($0)}}?" }
                ?? "; define it in the environment, or under variables: of a file"
        return "nothing here defines {{\(name.shortened)}}\(hint)"
    }

    private func message(_ segment: Template.Segment) -> String? {
        switch segment {
        case .text, .unclosed, .variable: return nil
        case .builtin("promptSecret", let argument, _) where argument.contains("="):
            return "a secret has no default in a file that others read; write {{$promptSecret LABEL}}"
        case .builtin("env", let argument, _): return "{{$env \(argument.shortened)}} needs a dot: {{$env.NAME}}"
        case .builtin(let name, _, _):
            guard !TemplateScope.builtinNames.contains(name), !name.hasPrefix("env.") else { return nil }
            let hint = Suggestion.nearest(to: name, in: TemplateScope.builtinNames).map { "; did you mean {{$\($0)}}?" } ?? ""
            return "there is no built-in {{$\(name.shortened)}}\(hint)"
        }
    }
}
