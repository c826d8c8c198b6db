internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// The function of exported Swift that sends the steps of a run in order, and checks the responses.
struct SwiftRun {
    /// The function, with the rows of the data before it.
    private(set) var text = ""

    private let run: ExportSource.Run
    private let source: ExportSource

    /// Writes the function.
    ///
    /// - Throws: A diagnostic for an expectation that is not valid.
    init(_ run: ExportSource.Run, of source: ExportSource, _ steps: [SwiftStep]) throws(Diagnostic) {
        (self.run, self.source) = (run, source)
        var lines: [String] = []
        var setsItems = false
        for (index, step) in steps.enumerated() {
            let statements = try statements(step, number: index + 1)
            guard let loop = run.definition.steps.indices.contains(index) ? run.definition.steps[index].exportedLoop : nil else {
                lines += statements
                continue
            }
            // Without items, the step is not sent.
            if loop.items.isEmpty { continue }
            let usesItem = step.usesValues || statements.contains { $0.contains("value(\"") }
            setsItems = setsItems || usesItem
            lines.append("for \(usesItem ? "each" : "_") in [\(loop.items.map { SwiftText.string($0) }.joined(separator: ", "))] {")
            if usesItem { lines.append("    values[\(SwiftText.string(loop.variable))] = each") }
            lines += statements.map { "    " + $0 } + ["}"]
        }
        let hasCaptures = steps.contains { !$0.request.item.captures.isEmpty }
        let usesValues = hasCaptures || steps.contains(where: \.usesValues) || lines.contains { $0.contains("value(\"") }
        text = rows
        text += "    /// Sends the requests in order\(run.rows == nil ? "" : ", once for each row of the data")"
        text += usesValues ? "; `given` replaces variables and columns.\n" : ".\n"
        text += "    static func run(_ client: Client\(usesValues ? ", values given: [String: String] = [:]" : "")) async throws {\n"
        var indentation = "        "
        if run.rows != nil {
            text += "\(indentation)for \(usesValues ? "row" : "_") in rows {\n"
            indentation += "    "
        }
        if usesValues { text += "\(indentation)\(hasCaptures || setsItems ? "var" : "let") values = \(initialValues)\n" }
        text += lines.map { indentation + $0 + "\n" }.joined()
        if run.rows != nil { text += "        }\n" }
        text += "    }\n"
    }

    // MARK: Values

    /// The columns of the data; credentials are not written.
    private var rows: String {
        guard let rows = run.rows else { return "" }
        let lines = rows.map { row in "        \(Self.dictionary(row.filter { !CredentialNames.contains($0.key) })),\n" }
        return "    /// The rows of the data.\n    static let rows: [[String: String]] = [\n\(lines.joined())    ]\n\n"
    }

    private var initialValues: String {
        let variables = source.variables.filter { !CredentialNames.contains($0.key) && !source.hiddenVariables.contains($0.key) }
        var value = variables.isEmpty ? "" : Self.dictionary(variables)
        if run.rows != nil { value = value.isEmpty ? "row" : value + ".merging(row) { $1 }" }
        return value.isEmpty ? "given" : value + ".merging(given) { $1 }"
    }

    private static func dictionary(_ values: [String: String]) -> String {
        guard !values.isEmpty else { return "[:]" }
        let members = values.sorted { $0.key < $1.key }.map { "\(SwiftText.string($0.key)): \(SwiftText.string($0.value))" }
        return "[\(members.joined(separator: ", "))]"
    }

    // MARK: Statements

    private func statements(_ step: SwiftStep, number: Int) throws(Diagnostic) -> [String] {
        let item = step.request.item
        let call = "try await \(step.function)(client\(step.usesValues ? ", values: values" : ""))"
        let response = "response\(number)"
        let checks = try checks(of: item, step.title, response)
        let captures = item.captures.map { capture in
            let name = "\(run.definition.steps.indices.contains(number - 1) ? run.definition.steps[number - 1].name : item.name).\(capture.name)"
            return "values[\(SwiftText.string(name))] = try captured(\(SwiftText.string(capture.path)), in: \(response))"
        }
        guard let limit = item.expectation.under else {
            return checks.isEmpty && captures.isEmpty ? ["_ = \(call)"] : ["let \(response) = \(call)"] + checks + captures
        }
        let start = "start\(number)"
        let isUsed = !checks.isEmpty || !captures.isEmpty
        let problem = SwiftText.string("\(step.title): the response took longer than \(limit)")
        return [
            "let \(start) = ContinuousClock.now", "\(isUsed ? "let \(response)" : "_") = \(call)",
            "try require(\(start).duration(to: .now) <= \(SwiftText.duration(limit)), \(problem))",
        ] + checks + captures
    }

    private func checks(of item: ExportSource.Item, _ title: String, _ response: String) throws(Diagnostic) -> [String] {
        var lines: [String] = []
        if let ranges = item.expectation.ranges {
            let texts = ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
            let words = SwiftText.string("\(title): the status is not \(texts.joined(separator: ", "))")
            let isExpected =
                ranges.count == 1 && ranges[0].count == 1
                ? "\(response).status == \(ranges[0].lowerBound)"
                : "[\(ranges.map { "\($0.lowerBound)...\($0.upperBound)" }.joined(separator: ", "))].contains { $0.contains(\(response).status) }"
            lines.append("try require(\(isExpected), \(words))")
        }
        for row in item.expectation.headers where row.isEnabled {
            lines.append(try check(row, "\(title): header \(row.name)", "field(\(SwiftText.string(row.name)), of: \(response))", item))
        }
        for row in item.expectation.json where row.isEnabled {
            do throws(JSONPathError) { _ = try JSONPath(row.name) } catch { throw problem(item, "expect: \(error.description)") }
            lines.append(try check(row, "\(title): \(row.name)", "found(\(SwiftText.string(row.name)), in: \(response))", item))
        }
        if let envelope = source.workspace.service(item.endpoint.serviceName)?.envelope, item.endpoint.inherits ?? true {
            let path = "\(envelope.codePath)"
            let codes = envelope.success.map { SwiftText.string($0.plainText) }.joined(separator: ", ")
            lines.append(
                "try check(\(SwiftText.string("\(title): \(path)")), found(\(SwiftText.string(path)), in: \(response)), \"in\", [\(codes)])")
        }
        return lines
    }

    private func check(_ row: Parameter, _ subject: String, _ values: String, _ item: ExportSource.Item) throws(Diagnostic) -> String {
        let condition: Condition
        do throws(ConditionError) { condition = try Condition(row.value) } catch { throw problem(item, "expect “\(row.name)”: \(error.message)") }
        let (test, operand) = condition.named
        let operands = operand.map { "[\(SwiftText.string($0, item.placeholders))]" } ?? "[]"
        let hidden = Redaction.standard.isSecretPath(row.name) ? ", hidden: true" : ""
        return "try check(\(SwiftText.string(subject)), \(values), \"\(test)\", \(operands)\(hidden))"
    }

    private func problem(_ item: ExportSource.Item, _ message: String) -> Diagnostic {
        Diagnostic(item.endpoint.location ?? SourceLocation(file: item.name), message)
    }
}
