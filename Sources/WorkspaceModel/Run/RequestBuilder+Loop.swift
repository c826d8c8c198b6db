package import SortieBase
internal import SortieHTTP

/// The conditions and lists of the steps of a run.
extension RequestBuilder {
    /// The reason why a step is not sent: the first condition of `if:` that does not hold; nil where all hold.
    ///
    /// - Parameters:
    ///   - captures: the captured values by step and name, `login.token`.
    ///   - scope: creates the live scope of an endpoint from a plan.
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
            guard let value = StepValues.json(text), case .array(let items) = value else {
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
        if case .array(let items)? = StepValues.json(value) {
            let count = "\(items.count) item\(items.count == 1 ? "" : "s")"
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
                definition.location ?? SourceLocation(file: "runs/\(step.name)"), "there is no endpoint “\(definition.target)”; see sortie list")
        }
        var plan = builder
        plan.literals = step.values.merging(captures) { _, captured in captured }
        plan.captured = Set(captures.keys)
        self.scope = scope(endpoint, plan)
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
        let text = isTemplate ? name : scope.literals[name] == nil ? variables[name] ?? "{{\(name)}}" : "{{\(name)}}"
        do throws(TemplateError) { return try scope.resolve(text) } catch {
            if !isTemplate, error.undefined != nil { return nil }
            throw Diagnostic(place, "\(field) “\(name)”", error)
        }
    }

    /// The text as a number, a list or another JSON value; a text in quotes stays as it is.
    private static func compared(_ text: String) -> JSONValue {
        guard let value = json(text), !value.isText else { return .string(text) }
        return value
    }

    /// The text as JSON; nil for other texts.
    static func json(_ text: String) -> JSONValue? {
        do { return try JSONValue(parsing: text) } catch { return nil }
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
