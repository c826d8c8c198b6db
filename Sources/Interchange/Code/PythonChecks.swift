internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// The expectations and captures of a step as literals for the functions of ``PythonRuntime``.
struct PythonChecks {
    /// Tuples `(subject, source, test, operand, hidden)`.
    private(set) var checks: [String] = []
    /// Tuples `(name, source, is_one)`.
    private(set) var captures: [String] = []
    private(set) var notes: [String] = []

    private let item: ExportSource.Item

    /// - Parameter step: the name under which later steps refer to the captures.
    /// - Throws: A diagnostic for a capture that cannot be expressed.
    init(_ item: ExportSource.Item, step: String, in workspace: Workspace) throws(Diagnostic) {
        self.item = item
        addStatus(in: workspace)
        for row in item.expectation.headers where row.isEnabled { try add(row, "header \(row.name)", PythonText.string(row.name)) }
        for row in item.expectation.json where row.isEnabled {
            let path: JSONPath
            do throws(JSONPathError) { path = try JSONPath(row.name) } catch { throw problem("expect: \(error.description)") }
            guard let source = Self.source(path) else {
                notes.append("the expectation of \(row.name) is not checked, because the path has a filter")
                continue
            }
            try add(row, row.name, source)
        }
        if let under = item.expectation.under {
            checks.append("(\"under\", TIME, \"<=\", \"\(PythonRequest.seconds(under * 1000))\", False)")
        }
        addEnvelope(in: workspace)
        if item.request.options.answer.shape != nil { notes.append("the shape of the response is not checked") }
        if item.request.options.answer.contentTypes != nil { notes.append("the media type of the response is not checked") }
        for capture in item.captures { try add(capture, step) }
    }

    private func problem(_ message: String) -> Diagnostic { Diagnostic(item.endpoint.location ?? SourceLocation(file: item.name), message) }

    private mutating func addStatus(in workspace: Workspace) {
        if let status = item.expectation.status { checks.append("(\"status\", STATUS, \"=\", \"\(status)\", False)") }
        let validates = workspace.service(item.endpoint.serviceName)?.validatesStatus ?? false
        for ranges in [item.expectation.statuses, item.request.options.answer.statuses ?? (validates ? [200...299] : nil)].compactMap(\.self) {
            let statuses = ranges.map { "(\($0.lowerBound), \($0.upperBound))" }.joined(separator: ", ")
            checks.append("(\"status\", STATUS, \"within\", [\(statuses)], False)")
        }
    }

    /// The rule by which the responses of a service indicate success (S2.28).
    private mutating func addEnvelope(in workspace: Workspace) {
        guard let envelope = workspace.service(item.endpoint.serviceName)?.envelope, item.endpoint.inherits ?? true,
            let source = Self.source(envelope.codePath)
        else { return }
        let codes = envelope.success.map { PythonText.string($0.plainText) }.joined(separator: ", ")
        checks.append("(\(PythonText.string("\(envelope.codePath)")), \(source), \"in\", [\(codes)], False)")
    }

    private mutating func add(_ row: Parameter, _ subject: String, _ source: String) throws(Diagnostic) {
        let condition: Condition
        do throws(ConditionError) { condition = try Condition(row.value) } catch { throw problem("expect “\(subject)”: \(error.message)") }
        let (test, operand): (String, String) =
            switch condition.test {
            case .equals(let text): ("=", text)
            case .differs(let text): ("!=", text)
            case .compares(let order, let bound): (order.rawValue, bound)
            case .matches(let pattern): ("matches", pattern)
            case .exists: ("exists", "")
            case .missing: ("missing", "")
            case .type(let type): ("type", type.rawValue)
            }
        let hidden = Redaction.standard.isSecretPath(row.name) ? "True" : "False"
        let value = PythonText.expression(operand, item.placeholders)
        checks.append("(\(PythonText.string(subject)), \(source), \"\(test)\", \(value), \(hidden))")
    }

    private mutating func add(_ capture: Capture, _ step: String) throws(Diagnostic) {
        let source: Capture.Source
        do throws(JSONPathError) { source = try capture.source() } catch { throw problem("capture \(capture.name): \(error.description)") }
        let name = PythonText.string("\(step).\(capture.name)")
        switch source {
        case .status: captures.append("(\(name), STATUS, True)")
        case .header(let field): captures.append("(\(name), \(PythonText.string(field)), True)")
        case .json(let path):
            guard let steps = Self.source(path) else {
                throw problem("capture \(capture.name): the path \(path) has a filter, which exported code cannot evaluate; use an index")
            }
            captures.append("(\(name), \(steps), \(path.isSingular ? "True" : "False"))")
        }
    }

    /// The steps of a path as a list of lists of selectors; nil for a path with a filter.
    static func source(_ path: JSONPath) -> String? {
        guard !path.hasFilter else { return nil }
        let steps = path.steps.map { step in
            let selectors = step.selectors.map { selector in
                switch selector {
                case .name(let name): PythonText.string(name)
                case .index(let index): String(index)
                case .wildcard, .filter: "ANY"
                case .slice(let slice):
                    "slice(\(slice.start.map(String.init) ?? "None"), \(slice.end.map(String.init) ?? "None"), \(slice.step))"
                }
            }
            return "[" + ((step.isRecursive ? ["DEEP"] : []) + selectors).joined(separator: ", ") + "]"
        }
        return "[\(steps.joined(separator: ", "))]"
    }
}
