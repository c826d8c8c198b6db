package import SortieBase
package import SortieHTTP

/// The conditions and lists of the steps of a run.
extension RequestBuilder {
    /// The reason why a step is not sent: the first condition of `if:` that does not hold; nil where all hold.
    ///
    /// - Parameters:
    ///   - captures: the captured values by step and name, `login.token`.
    ///   - scope: creates the live scope of an endpoint from a builder.
    package func reasonToSkip(
        _ step: RunStep, captures: [String: String], scope: (Endpoint, RequestBuilder) -> TemplateScope
    ) throws(Diagnostic) -> String? {
        guard !step.definition.conditions.isEmpty else { return nil }
        let values = try StepValues(self, step, captures, scope)
        for condition in step.definition.conditions {
            let (holds, value) = try values.holds(condition, "if")
            if !holds { return Self.reason(condition, value) }
        }
        return nil
    }

    /// The first condition of a step's `while:` as text, where all hold; nil where the step is not repeated.
    ///
    /// - Parameter captures: the captured values, including those of the step's last repetition.
    package func reasonToRepeat(
        _ step: RunStep, captures: [String: String], scope: (Endpoint, RequestBuilder) -> TemplateScope
    ) throws(Diagnostic) -> String? {
        guard case .repeats(let conditions, _, _) = step.definition.loop else { return nil }
        let values = try StepValues(self, step, captures, scope)
        var reason: String?
        for condition in conditions {
            let (holds, value) = try values.holds(condition, "while")
            guard holds else { return nil }
            reason = reason ?? Self.reason(condition, value)
        }
        return reason
    }

    /// The items for which a step is repeated.
    ///
    /// - Throws: A ``Diagnostic`` for a value that is not a JSON array, and for more than ``WorkspaceLimits/repetitions`` items.
    package func items(
        of step: RunStep, captures: [String: String], scope: (Endpoint, RequestBuilder) -> TemplateScope
    ) throws(Diagnostic) -> [String] {
        let values = try StepValues(self, step, captures, scope)
        switch step.definition.loop {
        case .forEach(_, .list(let items)): return items
        case .forEach(_, .template(let template)):
            let text = try values.resolve(template, "forEach")
            guard let value = JSONValue(ifValid: text), case .array(let items) = value else {
                throw Diagnostic(
                    values.place, "forEach: the value of \(template) is not a JSON array; capture one with a path such as $.items[*].id")
            }
            guard items.count <= WorkspaceLimits.repetitions else {
                throw Diagnostic(
                    values.place,
                    "forEach: the list has \(items.count) items, and at most \(WorkspaceLimits.repetitions) are sent; use a narrower list")
            }
            return items.map(\.plainText)
        case .repeats, nil: return []
        }
    }

    private static func reason(_ condition: Parameter, _ value: String?) -> String {
        let expected: String
        do { expected = try Condition(condition.value).expected } catch { expected = condition.value }
        return "\(condition.name) is \(value.map(shown) ?? "missing"), condition: \(expected)"
    }

    /// A value in a reason; it may be a secret, which the caller masks where the whole value is in the text.
    private static func shown(_ value: String) -> String {
        guard !value.isEmpty else { return "empty" }
        let isShort = value.count <= 80
        // The number of items is there, too, because a captured list may be masked.
        if case .array(let items)? = JSONValue(ifValid: value) {
            let count = ItemCount.text(items.count, "item")
            return isShort ? "\(value) (\(count))" : "a list of \(count)"
        }
        return isShort ? value : "a text of \(value.count) characters"
    }
}

/// The values that the conditions and the list of a step use.
///
/// The values of `with:` are resolved only where a condition names them, because others may need captures that a condition finds missing.
private struct StepValues {
    private let scope: TemplateScope
    private let variables: [String: String]
    let place: SourceLocation

    init(
        _ builder: RequestBuilder, _ step: RunStep, _ captures: [String: String], _ scope: (Endpoint, RequestBuilder) -> TemplateScope
    ) throws(Diagnostic) {
        let definition = step.definition
        guard let endpoint = builder.workspace.endpoint(definition.target) else {
            throw Diagnostic(
                definition.location ?? SourceLocation(file: "runs/\(step.name)"), "there is no endpoint “\(definition.target)”",
                remedy: .listedTargets)
        }
        self.scope = scope(endpoint, builder.with(step, captures))
        variables = definition.variables
        place = definition.location ?? endpoint.location ?? SourceLocation(file: endpoint.target)
    }

    func resolve(_ text: String, _ field: String) throws(Diagnostic) -> String {
        try PlacedScope(scope: scope, place: place).resolve(text, field)
    }

    /// Whether a condition holds, and the value it compares; nil for a name that nothing defines.
    func holds(_ condition: Parameter, _ field: String) throws(Diagnostic) -> (Bool, String?) {
        let value = try value(of: condition.name, field)
        do {
            let condition = try Condition(try Condition.resolved(condition.value, in: scope))
            return (try condition.holds(for: value.map(Self.compared)), value)
        } catch let error as TemplateError {
            throw Diagnostic(place, "\(field) “\(condition.name)”", error)
        } catch {
            throw Diagnostic(place, "\(field) “\(condition.name)”: \(error)")
        }
    }

    /// The value of a name, or of a text with templates; nil for a name that nothing defines.
    private func value(of name: String, _ field: String) throws(Diagnostic) -> String? {
        let isTemplate = name.contains("{{")
        let text = isTemplate ? name : scope.literal(name) == nil ? variables[name] ?? "{{\(name)}}" : "{{\(name)}}"
        do throws(TemplateError) { return try scope.resolve(text) } catch {
            if !isTemplate, error.undefined != nil { return nil }
            throw Diagnostic(place, "\(field) “\(name)”", error)
        }
    }

    /// The text as a number, a list or another JSON value; a text in quotes stays as it is.
    private static func compared(_ text: String) -> JSONValue {
        guard let value = JSONValue(ifValid: text), !value.isText else { return .string(text) }
        return value
    }
}

extension JSONValue {
    /// Whether the value is a string.
    fileprivate var isText: Bool {
        switch self {
        case .string: true
        case .null, .bool, .number, .array, .object: false
        }
    }
}

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
        (self.request, self.expectation, self.captures) = (request, expectation, captures)
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
    ///   - scope: creates the live scope of an endpoint from a builder.
    package func prepared(
        _ step: RunStep, captures: [String: String], scope: (Endpoint, RequestBuilder) -> TemplateScope
    ) throws(Diagnostic) -> PreparedStep {
        let definition = step.definition
        guard let endpoint = workspace.endpoint(definition.target) else {
            throw Diagnostic(
                definition.location ?? SourceLocation(file: "runs/\(step.name)"), "there is no endpoint “\(definition.target)”",
                remedy: .listedTargets)
        }
        if let problem = endpoint.sendingProblem(at: definition.location ?? SourceLocation(file: "runs/\(step.name)")) { throw problem }
        var builder = with(step, captures)
        var values: [(name: String, value: String, source: LiteralSource)] = []
        var place = definition.location ?? endpoint.location ?? SourceLocation(file: endpoint.target)
        builder.literalSources = builder.itemSource(of: step)
        var outer = scope(endpoint, builder)
        var outerSecrets = RequestSecrets()
        for (name, text) in definition.variables {
            let memo = TemplateMemo()
            outer.memo = memo
            let value = try PlacedScope(scope: outer, place: place).resolve(text, "with “\(name)”")
            // The values inserted into `with` are literals of the endpoint.
            outerSecrets.formUnion(builder.secrets(usedIn: memo))
            let source = builder.source(of: memo, for: endpoint)
            values.append((name, value, source))
        }
        for (name, value, source) in values {
            builder.literals[name] = value
            builder.literalSources[name] = source.isEmpty ? nil : source
        }
        let inner = scope(endpoint, builder)
        var request = try builder.request(for: endpoint, in: inner)
        if !outerSecrets.isEmpty {
            request.secrets.formUnion(outerSecrets)
            do { try inner.authorize?(request) } catch { throw Diagnostic(place, error.message) }
        }
        do throws(TemplateError) { try request.overlayAcceptance(of: definition.expectation) } catch {
            throw Diagnostic(place, "expect: \(error.message)")
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

    /// This builder with the values that a step has before those of `with`.
    fileprivate func with(_ step: RunStep, _ captures: [String: String]) -> RequestBuilder {
        var builder = self
        // A captured value precedes one of the data.
        builder.literals = step.values.filter { captures[$0.key] == nil }
        builder.captures = captures
        return builder
    }

    /// The source of a literal or captured value; nil where it depends on no response and no secret.
    func source(ofLiteral name: String) -> LiteralSource? {
        guard literals[name] == nil, let value = captures[name] else { return literalSources[name] }
        // By the name of the step alone, because a hook captures values that no file names.
        let targets = Set(name.capturingSteps.flatMap { stepTargets[$0] ?? [] })
        return targets.isEmpty ? nil : LiteralSource(captures: targets.sorted().map { .init(target: $0, value: value) })
    }

    /// The source of the item of a list that a template names, by its variable; empty for a step without such an item.
    private func itemSource(of step: RunStep) -> [String: LiteralSource] {
        guard case .forEach(let variable, .template(let text)) = step.definition.loop, let item = step.repetition?.item else { return [:] }
        let variables = workspace.endpoint(step.definition.target)?.variables ?? [:]
        let definitions = VariableDefinitions(workspace, environment: environment).adding(step.definition.variables, variables)
        let references = definitions.references(of: text)
        var source = LiteralSource()
        for name in references.names { source.uses.insert(.init(name: name, value: item)) }
        for name in references.dotted { if let captured = self.source(ofLiteral: name) { source.formUnion(captured) } }
        return source.isEmpty ? [:] : [variable: source]
    }
}
