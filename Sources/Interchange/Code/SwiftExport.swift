package import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Exports requests as Swift code that uses the library SortieNetworking.
package enum SwiftExport: ExportFormat {
    package static let name = "swift"
    package static let title = "Swift with the library SortieNetworking"
    package static let fileExtension = "swift"
    package static let isProgram = true
    package static let keys = ExportNotes.descriptions.union(ExportNotes.connectionKeys).union([
        "https", "timeout", "cache", "retry", "priority", "traffic", "serviceType", "uploadRate", "http", "redirects", "compression", "cookies",
        "interface", "excludeNetworks", "expect", "capture", "answer",
    ])

    package static func text(of source: ExportSource) throws(Diagnostic) -> String { try SwiftModule(source).text() }

    package static func notes(of source: ExportSource) throws(Diagnostic) -> [String] { try SwiftModule(source).notes }
}

/// A Swift file with an enumeration that has a function for each request.
private struct SwiftModule {
    private let source: ExportSource
    private var steps: [SwiftStep] = []

    init(_ source: ExportSource) throws(Diagnostic) {
        self.source = source
        var names = CodeNames(reserved: SwiftText.reserved)
        for item in source.items {
            let request = SwiftRequest(item)
            var notes = ExportNotes.common(of: item, in: source.workspace, writing: SwiftExport.keys)
            if source.run == nil, item.expectation != Expectation() { notes.append("the expectations are checked where a run is exported") }
            if source.run != nil { notes += CodeNotes.expectation(of: item) }
            notes += CodeNotes.answer(of: item) + CodeNotes.captures(of: item, in: source)
            steps.append(SwiftStep(function: names.name(for: item.name, .camel), title: item.name, request: request, notes: notes))
        }
    }

    var notes: [String] {
        let hidden = PythonRows.hiddenColumns(of: source)
        return (hidden.isEmpty ? [] : ["the values of the columns \(hidden.joined(separator: ", ")) are not written; values: of run has them"])
            + steps.flatMap { step in step.notes.map { "\(step.title): \($0)" } }
    }

    func text() throws(Diagnostic) -> String {
        var names = CodeNames(reserved: SwiftText.reserved)
        let functions = steps.map(Self.function) + (try run())
        let body = functions.joined(separator: "\n")
        let variables = source.programVariables
        var text = "// \(ShellQuote.comment(source.name)): exported by sortie.\n"
        // Lines of generated code are as long as their texts.
        text += "// swift-format-ignore-file\n"
        if !variables.isEmpty { text += "// Set before: \(variables.joined(separator: " "))\n" }
        text += "import Foundation\nimport SortieNetworking\n\n/// Requests that were exported by sortie.\n"
        text += "enum \(names.name(for: source.name, .type)) {\n" + body
        text += SwiftRuntime.text(for: body)
        return text + "}\n"
    }

    private func run() throws(Diagnostic) -> [String] {
        guard let run = source.run else { return [] }
        return [try SwiftRun(run, of: source, steps).text]
    }

    private static func function(_ step: SwiftStep) -> String {
        let item = step.request.item
        var lines = ["    /// \(ShellQuote.comment("\(item.request.method.rawValue) \(item.endpoint.target)"))"]
        if !step.notes.isEmpty { lines.append("    ///") }
        lines += step.notes.map { "    /// Not exported: \(ShellQuote.comment($0))." }
        let values = step.usesValues ? ", values: [String: String]" : ""
        lines.append("    static func \(step.function)(_ client: Client\(values)) async throws -> Response {")
        lines += step.request.lines.map { "        " + $0 }
        lines += ["        return try await client.send(request)", "    }"]
        return lines.joined(separator: "\n") + "\n"
    }
}

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
        if let nested = item.captures.first(where: { NestedJSONPath.isNested($0.path) }) {
            throw problem(item, "capture \(nested.name): a path into the JSON of a string has no program")
        }
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
        if let ranges = item.expectation.statuses {
            let texts = ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
            let words = SwiftText.string("\(title): the status is not \(texts.joined(separator: ", "))")
            let isExpected =
                ranges.count == 1 && ranges[0].count == 1
                ? "\(response).status == \(ranges[0].lowerBound)"
                : "[\(ranges.map { "\($0.lowerBound)...\($0.upperBound)" }.joined(separator: ", "))].contains { $0.contains(\(response).status) }"
            lines.append("try require(\(isExpected), \(words))")
        }
        for row in item.expectation.headers where row.isEnabled {
            lines.append(try check(row, "\(title): header \(row.name)", "field(\(SwiftText.string(row.name)), of: \(response))", item, isText: true))
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

    private func check(
        _ row: Parameter, _ subject: String, _ values: String, _ item: ExportSource.Item, isText: Bool = false
    ) throws(Diagnostic) -> String {
        let condition: Condition
        do throws(ConditionError) { condition = try Condition(row.value) } catch { throw problem(item, "expect “\(row.name)”: \(error.message)") }
        let (test, texts) = condition.named(ofText: isText)
        let operands = "[\(texts.map { SwiftText.string($0, item.placeholders) }.joined(separator: ", "))]"
        let hidden = Redaction.standard.isSecretPath(row.name) ? ", hidden: true" : ""
        return "try check(\(SwiftText.string(subject)), \(values), \"\(test)\", \(operands)\(hidden))"
    }

    private func problem(_ item: ExportSource.Item, _ message: String) -> Diagnostic {
        Diagnostic(item.endpoint.location ?? SourceLocation(file: item.name), message)
    }
}

/// The functions that exported Swift contains.
enum SwiftRuntime {
    /// The functions that code uses.
    static func text(for code: String) -> String {
        let used = functions.filter { code.contains($0.use) }.map { "\n" + $0.code }.joined()
        return used.contains("Problem(") ? used + "\n" + problem : used
    }

    /// The functions, each with the text by which code uses it.
    private static let functions: [(use: String, code: String)] = [
        (
            "environment(",
            """
                /// The value of an environment variable.
                private static func environment(_ name: String) throws -> String {
                    guard let value = ProcessInfo.processInfo.environment[name] else { throw Problem("set the environment variable \\(name)") }
                    return value
                }

            """
        ),
        (
            "value(\"",
            """
                /// A value that an earlier request captured.
                private static func value(_ name: String, of values: [String: String]) throws -> String {
                    guard let value = values[name] else { throw Problem("there is no value \\(name)") }
                    return value
                }

            """
        ),
        (
            "escaped(",
            """
                /// A value as part of a URL or a form.
                private static func escaped(_ value: String) -> String {
                    value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
                }

            """
        ),
        (
            "jsonText(",
            """
                /// A value inside the quotes of a JSON string.
                private static func jsonText(_ value: String) throws -> String {
                    String(String(decoding: try JSONEncoder().encode(value), as: UTF8.self).dropFirst().dropLast())
                }

            """
        ),
        (
            "xmlText(",
            """
                /// A value as the text of an XML element.
                private static func xmlText(_ value: String) -> String {
                    let entities: [Unicode.Scalar: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;"]
                    return value.unicodeScalars.map { entities[$0] ?? String($0) }.joined()
                }

            """
        ),
        (
            "captured(",
            """
                /// A value of a response: `status`, `header NAME` or a JSON path.
                private static func captured(_ source: String, in response: Response) throws -> String {
                    if source == "status" { return String(response.status) }
                    if source.hasPrefix("header ") {
                        guard let field = response.headers[String(source.dropFirst("header ".count))] else { throw Problem("there is no \\(source)") }
                        return field
                    }
                    guard let value = try JSONPath(source).result(in: JSONValue(parsing: response.text ?? "")) else {
                        throw Problem("there is no value at \\(source)")
                    }
                    if case .string(let text) = value { return text }
                    return value.text
                }

            """
        ),
        (
            "check(\"",
            #"""
                /// Throws where none of the values satisfies a condition.
                private static func check(_ subject: String, _ found: [JSONValue], _ test: String, _ operands: [String], hidden: Bool = false) throws {
                    let isMet = try test == "missing" ? found.isEmpty : found.contains { try holds($0, test, operands) }
                    if isMet { return }
                    let actual = found.isEmpty ? "nothing" : hidden ? "****" : found.prefix(10).map(\.text).joined(separator: ", ")
                    let wanted = hidden ? "****" : operands.joined(separator: " ")
                    throw Problem("\(subject): expected \(test) \(wanted), got \(actual.prefix(500))")
                }

                private static func holds(_ value: JSONValue, _ test: String, _ operands: [String]) throws -> Bool {
                    var text = value.text
                    if case .string(let plain) = value { text = plain }
                    let operand = operands.first ?? ""
                    switch test {
                    case "exists": return true
                    case "in": return operands.contains(text)
                    case "=": return equals(value, text, operand)
                    case "!=": return !equals(value, text, operand)
                    case "matches": return try text.firstMatch(of: Regex(operand)) != nil
                    case "shortest": return text.count >= Int(operand) ?? 0
                    case "longest": return text.count <= Int(operand) ?? 0
                    case "type":
                        switch value {
                        case .null: return operand == "null"
                        case .bool: return operand == "boolean"
                        case .string: return operand == "string"
                        case .array: return operand == "array"
                        case .object: return operand == "object"
                        case .number(let digits): return operand == "number" || operand == "integer" && Double(digits).map { $0.rounded() == $0 } ?? false
                        }
                    default:
                        guard let left = Double(text), let right = Double(operand) else { return false }
                        return test == "<" ? left < right : test == "<=" ? left <= right : test == ">" ? left > right : left >= right
                    }
                }

                /// Whether a value is the expected one; a number is also equal to another spelling of it.
                private static func equals(_ value: JSONValue, _ text: String, _ expected: String) -> Bool {
                    if text == expected { return true }
                    switch value {
                    case .null, .bool, .string: return false
                    case .number:
                        guard let left = Double(text), let right = Double(expected) else { return false }
                        return left == right && abs(left) < 9_007_199_254_740_992
                    case .array, .object: return (try? JSONValue(parsing: expected)) == value
                    }
                }

            """#
        ),
        (
            "found(\"",
            """
                /// The values at a JSON path of a response.
                private static func found(_ path: String, in response: Response) throws -> [JSONValue] {
                    try JSONPath(path).values(in: JSONValue(parsing: response.text ?? ""))
                }

            """
        ),
        (
            "field(\"",
            """
                /// The value of a header field of a response; an empty list where it has none.
                private static func field(_ name: String, of response: Response) -> [JSONValue] {
                    response.headers[name].map { [.string($0)] } ?? []
                }

            """
        ),
        (
            "require(",
            """
                private static func require(_ condition: Bool, _ message: String) throws {
                    if !condition { throw Problem(message) }
                }

            """
        ),
    ]

    private static let problem = """
            /// Why a request was not sent, or how its response differs from the expectation.
            struct Problem: Error, CustomStringConvertible {
                let description: String

                init(_ description: String) { self.description = description }
            }

        """
}

/// A function of exported Swift that sends a request.
struct SwiftStep {
    var function: String
    /// The name of the step or of the endpoint.
    var title: String
    var request: SwiftRequest
    /// What the function does not express.
    var notes: [String]

    /// Whether the request has values that are known when the program runs.
    var usesValues: Bool { request.lines.contains { $0.contains("value(\"") } }
}
