internal import ArgumentParser

/// Which workspace, which environment, which variables.
struct WorkspaceOptions: ParsableArguments {
    @Option(name: [.short, .customLong("workspace")], help: "The workspace's folder; else the nearest one upward.")
    var workspace: String?

    @Option(name: [.short, .customLong("environment")], help: "The environment; else the one that the workspace starts with.")
    var environment: String?

    @Option(name: .customLong("var"), help: ArgumentHelp("Sets a variable above all files.", valueName: "name=value"))
    var variables: [String] = []

    @Flag(
        name: .customLong("trust"),
        help: "Permit for this command what the workspace's files ask for: commands, environment variables, files elsewhere and the like.")
    var isTrusted = false

    /// The variables as a layer for templates.
    func layer() throws -> [String: String] {
        var layer: [String: String] = [:]
        for text in variables {
            guard let pair = NamedValue(text) else {
                throw CommandFailure(.usage, "--var \(text) has no “=”", hint: "write --var NAME=VALUE")
            }
            layer[pair.name] = pair.value
        }
        return layer
    }
}

/// `name=value` of the command line.
struct NamedValue {
    let name: String
    let value: String

    init?(_ text: String) {
        guard let equals = text.firstIndex(of: "="), equals > text.startIndex else { return nil }
        name = String(text[..<equals])
        value = String(text[text.index(after: equals)...])
    }
}
