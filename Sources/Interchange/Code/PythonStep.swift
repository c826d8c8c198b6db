internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// A function of an exported Python program that sends a request.
struct PythonStep {
    var function: String
    /// The name of the step or of the endpoint.
    var title: String
    var request: PythonRequest
    var checks: PythonChecks
    /// What the function does not express.
    var notes: [String]
    /// The variable and the items for which the request is sent; nil where it is sent once.
    var loop: (variable: String, items: [String])?
    /// How often the run has this step.
    var weight = 1

    /// The keys that the programs in Python write, or have notes for (``ExportFormat/keys``).
    static let keys = ExportNotes.descriptions.union(ExportNotes.connectionKeys).union([
        "timeout", "retry", "http", "redirects", "compression", "cookies", "interface", "excludeNetworks", "uploadRate", "expect", "capture",
        "answer",
    ])

    /// The steps of a source in order.
    ///
    /// - Parameters:
    ///   - merging: Whether equal steps are one with a weight.
    ///   - further: What a client does not express beside the notes of every client.
    /// - Throws: A diagnostic for an expectation or a capture that is not valid.
    static func steps(of source: ExportSource, merging: Bool = false, notes further: (ExportSource.Item) -> [String]) throws(Diagnostic)
        -> [PythonStep]
    {
        var names = CodeNames(reserved: PythonText.reserved)
        var seen: [RunDefinition.Step: Int] = [:]
        var steps: [PythonStep] = []
        for (index, item) in source.items.enumerated() {
            let definition = source.run?.definition.steps[index]
            if merging, let definition {
                var plain = definition
                (plain.name, plain.location) = ("", nil)
                if let first = seen[plain] {
                    steps[first].weight += 1
                    continue
                }
                seen[plain] = steps.count
            }
            let request = PythonRequest(item, in: source.workspace)
            let checks = try PythonChecks(item, step: definition?.name ?? item.name, in: source.workspace)
            steps.append(
                PythonStep(
                    function: names.name(for: item.name, .snake), title: item.name, request: request, checks: checks,
                    notes: request.notes + checks.notes + further(item) + CodeNotes.captures(of: item, in: source), loop: definition?.exportedLoop))
        }
        return steps
    }

    /// The start of the loop over the items; nil where the request is sent once.
    var loopStart: String? {
        loop.map { loop in "for values[\(PythonText.string(loop.variable))] in [\(loop.items.map(PythonText.string).joined(separator: ", "))]:" }
    }

    /// The checks as a list with a line for each.
    func checkList(_ indentation: String) -> String {
        checks.checks.isEmpty ? "[]" : "[\n" + checks.checks.map { "\(indentation)    \($0),\n" }.joined() + indentation + "]"
    }

    var captureList: String { "[\(checks.captures.joined(separator: ", "))]" }
}

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
        for row in item.expectation.headers where row.isEnabled { try add(row, "header \(row.name)", PythonText.string(row.name), isText: true) }
        for row in item.expectation.json where row.isEnabled {
            let path: JSONPath
            do throws(JSONPathError) { path = try JSONPath(row.name) } catch { throw problem("expect: \(error.description)") }
            try add(row, row.name, PythonPath.text(path))
        }
        if let under = item.expectation.under {
            checks.append("(\"under\", TIME, \"<=\", \"\(PythonRequest.seconds(under * 1000))\", False)")
        }
        addEnvelope(in: workspace)
        notes += CodeNotes.expectation(of: item) + CodeNotes.answer(of: item)
        if item.request.options.answer.contentTypes != nil { notes.append("the media type of the response is not checked") }
        for capture in item.captures { try add(capture, step) }
    }

    private func problem(_ message: String) -> Diagnostic { Diagnostic(item.endpoint.location ?? SourceLocation(file: item.name), message) }

    private mutating func addStatus(in workspace: Workspace) {
        if let status = item.expectation.status { checks.append("(\"status\", STATUS, \"=\", \"\(status)\", False)") }
        let validates = workspace.service(item.endpoint.serviceName)?.validatesStatus ?? false
        let several = item.expectation.status == nil ? item.expectation.statuses : nil
        for ranges in [several, item.request.options.answer.statuses ?? (validates ? [200...299] : nil)].compactMap(\.self) {
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

    private mutating func add(_ row: Parameter, _ subject: String, _ source: String, isText: Bool = false) throws(Diagnostic) {
        let condition: Condition
        do throws(ConditionError) { condition = try Condition(row.value) } catch { throw problem("expect “\(subject)”: \(error.message)") }
        let (test, operands) = condition.named(ofText: isText)
        let hidden = Redaction.standard.isSecretPath(row.name) ? "True" : "False"
        let texts = operands.map { PythonText.expression($0, item.placeholders) }
        let value = test == "in" ? "[\(texts.joined(separator: ", "))]" : texts.first ?? "\"\""
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
            guard let path = path.single else { throw problem("capture \(capture.name): a path into the JSON of a string has no program") }
            captures.append("(\(name), \(PythonPath.text(path)), \(path.isSingular ? "True" : "False"))")
        }
    }
}

/// JSON paths as literals for the functions of ``PythonRuntime``.
enum PythonPath {
    /// The steps of a path as a list of lists of selectors; a filter is a function of the tested value and the root.
    static func text(_ path: JSONPath) -> String {
        let steps = path.steps.map { step in
            let selectors = step.selectors.map { selector in
                switch selector {
                case .name(let name): PythonText.string(name)
                case .index(let index): String(index)
                case .wildcard: "ANY"
                case .slice(let slice):
                    "slice(\(slice.start.map(String.init) ?? "None"), \(slice.end.map(String.init) ?? "None"), \(slice.step))"
                case .filter(let filter): "lambda item, root: \(text(filter))"
                }
            }
            return "[" + ((step.isRecursive ? ["DEEP"] : []) + selectors).joined(separator: ", ") + "]"
        }
        return "[\(steps.joined(separator: ", "))]"
    }

    private static func text(_ filter: JSONPathFilter) -> String {
        switch filter {
        case .or(let left, let right): "(\(text(left)) or \(text(right)))"
        case .and(let left, let right): "(\(text(left)) and \(text(right)))"
        case .not(let inner): "(not \(text(inner)))"
        case .exists(let query): "bool(\(text(query)))"
        case .compare(let left, let comparison, let right): "compares(\(text(left)), \"\(comparison.rawValue)\", \(text(right)))"
        case .matches(let value, let pattern, let isWhole): "matches(\(text(value)), \(text(pattern)), \(isWhole ? "True" : "False"))"
        }
    }

    private static func text(_ query: JSONPathFilter.Query) -> String {
        "find(\(text(query.path)), \(query.isRelative ? "item" : "root"), root)"
    }

    private static func text(_ operand: JSONPathFilter.Operand) -> String {
        switch operand {
        case .literal(let value): text(value)
        case .query(let query), .value(let query): "single(\(text(query)))"
        case .length(let operand): "length(\(text(operand)))"
        case .count(let query): "Number(len(\(text(query))))"
        }
    }

    private static func text(_ value: JSONValue) -> String {
        switch value {
        case .null: "None"
        case .bool(let value): value ? "True" : "False"
        case .number(let digits): "Number(\(PythonText.string(digits)))"
        case .string(let text): PythonText.string(text)
        case .array(let items): "[\(items.map(text).joined(separator: ", "))]"
        case .object(let members): "{\(members.map { "\(PythonText.string($0.key)): \(text($0.value))" }.joined(separator: ", "))}"
        }
    }
}
