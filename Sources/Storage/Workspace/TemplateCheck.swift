internal import Model

/// Finds templates that no file gives a value to.
///
/// They are warnings, because `--var` can still define them; sending without a value is an error then.
struct TemplateCheck {
    private var known: Set<String>

    /// The names that every file of `workspace` may use.
    init(_ workspace: Workspace) {
        known = Set(workspace.variables.keys).union(workspace.secrets.keys).union(workspace.publicParameters.map(\.name))
        for environment in workspace.environments { known.formUnion(environment.variables.keys) }
        let endpoints = workspace.endpoints
        for endpoint in endpoints { known.formUnion(endpoint.captures.map(\.name)) }
        for run in workspace.runs {
            for step in run.steps {
                known.formUnion(step.variables.keys)
                let captures = endpoints.first { $0.target == step.target }?.captures ?? []
                known.formUnion(captures.map { "\(step.name).\($0.name)" })
            }
        }
    }

    /// What is wrong with the templates of a file that has variables of its own.
    func problems(of uses: [NodeReader.Use], own: some Sequence<String>) -> [Problem] {
        let known = known.union(own)
        return uses.compactMap { use in
            guard let message = message(use.segment, known: known) else { return nil }
            return Problem(use.location, message, severity: .warning)
        }
    }

    private func message(_ segment: Template.Segment, known: Set<String>) -> String? {
        switch segment {
        case .text: return nil
        case .variable(let name):
            guard !known.contains(name) else { return nil }
            let hint =
                Suggestion.nearest(to: name, in: known.sorted()).map { "; did you mean {{\($0)}}?" }
                ?? "; give it with --var \(name)=…"
            return "nothing here defines {{\(name.shortened)}}\(hint)"
        case .builtin(let name, _):
            guard !TemplateScope.builtinNames.contains(name), !name.hasPrefix("env.") else { return nil }
            let hint = Suggestion.nearest(to: name, in: TemplateScope.builtinNames).map { "; did you mean {{$\($0)}}?" } ?? ""
            return "there is no built-in {{$\(name.shortened)}}\(hint)"
        }
    }
}
