internal import ArgumentParser

/// The destination and the checks of the response.
struct ResultOptions: ParsableArguments {
    @Option(name: .shortAndLong, help: ArgumentHelp("Write the body to a file; - is stdout.", valueName: "file"))
    var output: String?

    /// The file for the body; nil for stdout.
    var file: String? { output == "-" ? nil : output }

    @Flag(name: .shortAndLong, help: "Print the response's header before the body.")
    var include = false

    @Flag(help: "Exit with 1 when the status is 400 or above, or none of those that answer: of the endpoint accepts.")
    var fail = false
}
