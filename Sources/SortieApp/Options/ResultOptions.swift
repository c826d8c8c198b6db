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

    @Flag(help: "Exit with 1 when the status is 400 or above, or none of those that accept: of the endpoint names.")
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

/// The options that each command accepts, also where they have no effect, so that a script can give the same ones to all commands.
enum SharedOptions {
    static let values = ["-w", "--workspace", "-e", "--environment", "--var"]
    static let flags = ["--no-history", "--no-color", "-v"]
}

/// The options of the commands that open the workbench.
struct ScreenOptions: ParsableArguments {
    @Flag(name: .customLong("no-history"), help: "Do not store exchanges in the history.")
    var noHistory = false

    @Flag(name: .customLong("no-color"), help: "No colours.")
    var noColor = false
}

/// The format of results.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print one JSON record instead of text; a body above 16 MiB goes to a private file that its bodyFile names.")
    var json = false

    @Flag(name: .customLong("no-history"), help: "Do not store exchanges in the history.")
    var noHistory = false

    @Flag(name: .customLong("no-color"), help: "No colours.")
    var noColor = false

    @Flag(name: .customLong("show-secrets"), help: "Print credentials instead of ••••.")
    var showSecrets = false

    @Flag(name: .customShort("v"), help: "Print decisions and header fields on stderr.")
    var verbose = false
}
