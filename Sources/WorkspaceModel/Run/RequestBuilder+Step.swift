package import SortieBase
package import SortieHTTP

/// A step with its templates resolved, ready to be sent and checked.
package struct PreparedStep: Hashable, Sendable {
    /// The request to send.
    package var request: Request
    /// The expectation for the response.
    package var expectation: Expectation
    /// The values to capture from the response.
    package var captures: [Capture]

    /// Creates a step.
    package init(request: Request, expectation: Expectation = Expectation(), captures: [Capture] = []) {
        self.request = request
        self.expectation = expectation
        self.captures = captures
    }
}

extension RequestBuilder {
    /// Resolves a step of a run with the values that earlier steps captured.
    ///
    /// Names are looked up in the step's `with`, the captures (`login.token`), the data row, and then as in every request. Captured values and
    /// values of the data are literals: braces in them are not resolved, so that a server cannot read local files and secrets.
    ///
    /// - Parameters:
    ///   - captures: the captured values by step and name, `login.token`.
    ///   - scope: creates the live scope of an endpoint from a plan.
    package func prepared(
        _ step: RunStep, captures: [String: String], scope: (Endpoint, RequestBuilder) -> TemplateScope
    ) throws(Diagnostic) -> PreparedStep {
        let definition = step.definition
        guard let endpoint = workspace.endpoint(definition.target) else {
            throw Diagnostic(
                definition.location ?? SourceLocation(file: "runs/\(step.name)"), "there is no endpoint “\(definition.target)”; see sortie list")
        }
        if let problem = endpoint.sendingProblem { throw Diagnostic(definition.location ?? SourceLocation(file: "runs/\(step.name)"), problem) }
        var plan = self
        plan.literals = step.values.merging(captures) { _, captured in captured }
        plan.captured = Set(captures.keys)
        var values: [(name: String, value: String, source: LiteralSource)] = []
        var place = definition.location ?? endpoint.location ?? SourceLocation(file: endpoint.target)
        plan.literalSources = sources(of: step, captures)
        var outer = scope(endpoint, plan)
        var outerSecrets = RequestSecrets()
        for (name, text) in definition.variables {
            let memo = TemplateMemo()
            outer.memo = memo
            let value = try PlacedScope(scope: outer, place: place).resolve(text, "with “\(name)”")
            // The values inserted into `with` are literals of the endpoint.
            outerSecrets.formUnion(plan.secrets(usedIn: memo))
            let source = plan.source(of: memo, for: endpoint)
            values.append((name, value, source))
        }
        for (name, value, source) in values {
            plan.literals[name] = value
            plan.literalSources[name] = source.isEmpty ? nil : source
        }
        let inner = scope(endpoint, plan)
        var request = try plan.request(for: endpoint, in: inner)
        if !outerSecrets.isEmpty {
            request.secrets.formUnion(outerSecrets)
            do { try inner.authorize?(request) } catch { throw Diagnostic(place, error.message) }
        }
        if definition.expectation == nil { place = endpoint.location ?? place }
        let (expectation, problems) = (definition.expectation ?? endpoint.expectation ?? Expectation()).resolved(
            in: inner, file: place.file, step: definition.expectation == nil ? nil : definition.name)
        if let problem = problems.first { throw Diagnostic(place, "expect “\(problem.subject)”: \(problem.actual)") }
        let own = Set(definition.captures.map(\.name))
        return PreparedStep(
            request: request, expectation: expectation,
            captures: endpoint.captures.filter { !own.contains($0.name) } + definition.captures)
    }

    /// The targets of the steps that may have captured the value of a name such as `login.token`; a hook captures values that no file names.
    private func targets(ofCapture name: String) -> Set<String> {
        stepTargets.reduce(into: []) { if name.hasPrefix($1.key + ".") { $0.formUnion($1.value) } }
    }

    /// The sources of the values that a step has before those of `with`: captures, and the item of a list that a template names.
    private func sources(of step: RunStep, _ captures: [String: String]) -> [String: LiteralSource] {
        var sources: [String: LiteralSource] = [:]
        for (name, value) in captures {
            let targets = targets(ofCapture: name)
            if !targets.isEmpty { sources[name] = LiteralSource(captures: targets.sorted().map { .init(target: $0, value: value) }) }
        }
        guard case .forEach(let variable, .template(let text)) = step.definition.loop, let item = step.repetition?.item else { return sources }
        let variables = workspace.endpoint(step.definition.target)?.variables ?? [:]
        let definitions = VariableDefinitions(workspace, environment: environment).adding(step.definition.variables, variables)
        let references = definitions.references(of: text)
        var source = LiteralSource()
        for name in references.names { source.uses.insert(.init(name: name, value: item)) }
        for name in references.dotted { if let captured = sources[name] { source.formUnion(captured) } }
        if !source.isEmpty { sources[variable] = source }
        return sources
    }
}
