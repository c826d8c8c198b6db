internal import ArgumentParser
internal import SortieHTTP

/// The destination and the checks of the response.
struct ResultOptions: ParsableArguments {
    @Option(name: .shortAndLong, help: ArgumentHelp("Write the body to a file; - is stdout.", valueName: "file"), completion: .file())
    var output: String?

    /// The file for the body; nil for stdout.
    var file: String? { output == "-" ? nil : output }

    @Flag(name: .shortAndLong, help: "Print the response's header before the body.")
    var include = false

    @Flag(help: "Exit with 1 when the status is 400 or above, or none of those that answer: of the endpoint accepts.")
    var fail = false

    @Option(
        help: ArgumentHelp(
            "Print a line with these fields instead of the body: \(Exchange.fieldNames.map { "{\($0)}" }.joined(separator: " ")).", valueName: "text")
    )
    var format: String?

    /// The template of ``format``; nil without one.
    ///
    /// - Throws: A usage error for an unknown field, and together with `--json`.
    func template(_ output: OutputOptions) throws -> OutputTemplate? {
        guard let format else { return nil }
        guard !output.json else { throw CommandFailure(.usage, "give only one of --format and --json") }
        return try OutputTemplate(format, fields: Exchange.fieldNames)
    }
}
