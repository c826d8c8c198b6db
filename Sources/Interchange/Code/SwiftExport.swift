package import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Exports requests as Swift code that uses the library SortieNetworking.
package enum SwiftExport: ExportFormat {
    package static let name = "swift"
    package static let title = "Swift with the library SortieNetworking"
    package static let fileExtension = "swift"
    package static let isProgram = true

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
            var notes = ExportNotes.common(of: item, in: source.workspace)
            if source.run == nil, item.expectation != Expectation() { notes.append("the expectations are checked where a run is exported") }
            if source.run != nil, item.expectation.size != nil { notes.append("the size of the response is not checked") }
            if source.run != nil, item.expectation.schema != nil { notes.append("the schema of the response is not checked") }
            if item.request.options.answer.shape != nil { notes.append("the shape of the response is not checked") }
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
