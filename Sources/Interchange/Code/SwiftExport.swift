package import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Exports requests as Swift code that uses the library SortieNetworking.
package enum SwiftExport: ExportFormat {
    package static let name = "swift"
    package static let title = "Swift with the library SortieNetworking"
    package static let fileExtension = "swift"
    package static let isProgram = true

    package static func text(of source: ExportSource) throws(Diagnostic) -> String { try SwiftModule(source).text }

    package static func notes(of source: ExportSource) throws(Diagnostic) -> [String] { try SwiftModule(source).notes }
}

/// A Swift file with an enumeration that has a function for each request.
private struct SwiftModule {
    private struct Step {
        var function: String
        var title: String
        var request: SwiftRequest
        var notes: [String]
    }

    private let source: ExportSource
    private var steps: [Step] = []

    init(_ source: ExportSource) throws(Diagnostic) {
        self.source = source
        var names = CodeNames(reserved: SwiftText.reserved)
        for item in source.items {
            let request = SwiftRequest(item)
            var notes = CodeNotes.common(of: item, in: source.workspace)
            let hasMore = !item.expectation.json.isEmpty || !item.expectation.headers.isEmpty || item.expectation.under != nil
            if hasMore { notes.append("of the expectations, only the status is checked") }
            if item.request.options.answer.shape != nil { notes.append("the shape of the response is not checked") }
            steps.append(Step(function: names.name(for: item.name, .camel), title: item.name, request: request, notes: notes))
        }
    }

    var notes: [String] {
        (source.run?.rows == nil ? [] : ["the rows of the data are not written; values: of run has the columns"])
            + steps.flatMap { step in step.notes.map { "\(step.title): \($0)" } }
    }

    var text: String {
        var names = CodeNames(reserved: SwiftText.reserved)
        let functions = steps.map(Self.function) + (source.run == nil ? [] : [run])
        let body = functions.joined(separator: "\n")
        let variables = source.programVariables
        var text = "// \(ShellQuote.comment(source.name)): exported by sortie.\n"
        // Lines of generated code are as long as their texts.
        text += "// swift-format-ignore-file\n"
        if !variables.isEmpty { text += "// Set before: \(variables.joined(separator: " "))\n" }
        text += "import Foundation\nimport SortieNetworking\n\n/// Requests that were exported by sortie.\n"
        text += "enum \(names.name(for: source.name, .type)) {\n" + body
        text += Self.helpers.filter { body.contains($0.use) }.map { "\n" + $0.code }.joined()
        if body.contains("environment(") || body.contains("value(") || body.contains("captured(") || body.contains("require(") {
            text += "\n" + Self.problem
        }
        return text + "}\n"
    }

    private static func function(_ step: Step) -> String {
        let item = step.request.item
        var lines = ["    /// \(ShellQuote.comment("\(item.request.method.rawValue) \(item.endpoint.target)"))"]
        if !step.notes.isEmpty { lines.append("    ///") }
        lines += step.notes.map { "    /// Not exported: \(ShellQuote.comment($0))." }
        let usesValues = step.request.lines.contains { $0.contains("value(\"") }
        let values = usesValues ? ", values: [String: String]" : ""
        lines.append("    static func \(step.function)(_ client: Client\(values)) async throws -> Response {")
        lines += step.request.lines.map { "        " + $0 }
        lines += ["        return try await client.send(request)", "    }"]
        return lines.joined(separator: "\n") + "\n"
    }

    /// Sends the steps of a run in order.
    private var run: String {
        let definitions = source.run?.definition.steps ?? []
        let usesValues =
            steps.contains { $0.request.lines.contains { $0.contains("value(\"") } } || steps.contains { !$0.request.item.captures.isEmpty }
        var lines = ["    /// Sends the requests in order."]
        lines.append("    static func run(_ client: Client\(usesValues ? ", values given: [String: String] = [:]" : "")) async throws {")
        let hasCaptures = steps.contains { !$0.request.item.captures.isEmpty }
        if usesValues { lines.append("        \(hasCaptures ? "var" : "let") values = given") }
        for (index, step) in steps.enumerated() {
            let item = step.request.item
            let argument = step.request.lines.contains { $0.contains("value(\"") } ? ", values: values" : ""
            let call = "try await \(step.function)(client\(argument))"
            let ranges = item.expectation.ranges
            guard ranges != nil || !item.captures.isEmpty else {
                lines.append("        _ = \(call)")
                continue
            }
            let response = "response\(index + 1)"
            lines.append("        let \(response) = \(call)")
            if let ranges {
                let texts = ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
                let words = SwiftText.string("\(step.title): the status is not \(texts.joined(separator: ", "))")
                let isExpected =
                    ranges.count == 1 && ranges[0].count == 1
                    ? "\(response).status == \(ranges[0].lowerBound)"
                    : "[\(ranges.map { "\($0.lowerBound)...\($0.upperBound)" }.joined(separator: ", "))].contains { $0.contains(\(response).status) }"
                lines.append("        try require(\(isExpected), \(words))")
            }
            let name = definitions.indices.contains(index) ? definitions[index].name : item.name
            for capture in item.captures {
                lines.append(
                    "        values[\(SwiftText.string("\(name).\(capture.name)"))] = try captured(\(SwiftText.string(capture.path)), in: \(response))"
                )
            }
        }
        return lines.joined(separator: "\n") + "\n    }\n"
    }

    private static let helpers: [(use: String, code: String)] = [
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
                    value.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
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
