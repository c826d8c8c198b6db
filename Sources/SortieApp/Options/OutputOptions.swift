internal import ArgumentParser

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
