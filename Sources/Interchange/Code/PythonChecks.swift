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
            try add(row, row.name, PythonPath.text(path))
        }
        if let under = item.expectation.under {
            checks.append("(\"under\", TIME, \"<=\", \"\(PythonRequest.seconds(under * 1000))\", False)")
        }
        addEnvelope(in: workspace)
        if item.expectation.size != nil { notes.append("the size of the response is not checked") }
        if item.expectation.schema != nil { notes.append("the schema of the response is not checked") }
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

    /// The rule by which the responses of a service indicate success.
    private mutating func addEnvelope(in workspace: Workspace) {
        guard let envelope = workspace.service(item.endpoint.serviceName)?.envelope, item.endpoint.inherits ?? true else { return }
        let codes = envelope.success.map { PythonText.string($0.plainText) }.joined(separator: ", ")
        checks.append("(\(PythonText.string("\(envelope.codePath)")), \(PythonPath.text(envelope.codePath)), \"in\", [\(codes)], False)")
    }

    private mutating func add(_ row: Parameter, _ subject: String, _ source: String) throws(Diagnostic) {
        let condition: Condition
        do throws(ConditionError) { condition = try Condition(row.value) } catch { throw problem("expect “\(subject)”: \(error.message)") }
        let (test, operand) = condition.named
        let hidden = Redaction.standard.isSecretPath(row.name) ? "True" : "False"
        let value = PythonText.expression(operand ?? "", item.placeholders)
        checks.append("(\(PythonText.string(subject)), \(source), \"\(test)\", \(value), \(hidden))")
    }

    private mutating func add(_ capture: Capture, _ step: String) throws(Diagnostic) {
        let source: Capture.Source
        do throws(JSONPathError) { source = try capture.source() } catch { throw problem("capture \(capture.name): \(error.description)") }
        let name = PythonText.string("\(step).\(capture.name)")
        switch source {
        case .status: captures.append("(\(name), STATUS, True)")
        case .header(let field): captures.append("(\(name), \(PythonText.string(field)), True)")
        case .json(let path): captures.append("(\(name), \(PythonPath.text(path)), \(path.isSingular ? "True" : "False"))")
        }
    }
}
