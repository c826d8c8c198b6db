internal import ArgumentParser
internal import SortieBase
internal import WorkspaceModel

/// The workspace, the environment and the variables.
struct WorkspaceOptions: ParsableArguments {
    @Option(
        name: [.short, .customLong("workspace")], help: "The folder of the workspace; by default the nearest one upward.",
        completion: .directory)
    var workspace: String?

    @Option(
        name: [.short, .customLong("environment")],
        help: "The environment; by default the one that workspace.yaml selects. run accepts several.", completion: .environment)
    var environments: [String] = []

    /// The specified environment.
    ///
    /// - Throws: A usage error where several are specified.
    var environment: String? {
        get throws {
            guard environments.count <= 1 else {
                throw CommandFailure(
                    .usage, "this command uses one environment: \(environments.joined(separator: " or "))",
                    hint: "sortie run NAME -e \(environments[0]) -e \(environments[1]) compares environments")
            }
            return environments.first
        }
    }

    @Option(
        name: .customLong("var"),
        help: ArgumentHelp(
            "Set a variable that overrides all files, or the value of a prompt; name@file takes the value from a file and name@- from standard input, which keeps it out of "
                + "the list of processes.", valueName: "name=value|name@file"),
        completion: .variable)
    var variables: [String] = []

    @Flag(
        name: .customLong("trust"),
        help: "Permit, for this command, what the workspace's files request: commands, environment variables, files elsewhere and similar.")
    var isTrusted = false

    func validate() throws { try WorkspaceFolderOption.check(workspace, "-w") }

    /// The variables as a layer for templates.
    ///
    /// - Parameter redaction: hides values that come from files.
    func layer(hiding redaction: LiveRedaction? = nil, _ locations: LocationOptions, in program: ProgramContext) throws -> [String: String] {
        var layer: [String: String] = [:]
        for text in variables {
            // As in curl's --variable. A text that contains “=” is always a value.
            if !text.contains("="), let at = text.firstIndex(of: "@"), at > text.startIndex {
                let name = String(text[..<at])
                let secret = try SecretArgument(file: String(text[text.index(after: at)...]), option: "--var \(name)@", locations, in: program).value
                redaction?.hide(secret)
                layer[name] = Template.quoting(secret)
                continue
            }
            let pair = try NamedValue(text, option: "--var", form: "NAME=VALUE, or NAME@FILE")
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

    /// Splits the value of an option.
    init(_ text: String, option: String, form: String = "name=value") throws(CommandFailure) {
        guard let pair = NamedValue(text) else {
            let part = text.hasPrefix("=") ? "name before “=”" : "“=”"
            throw CommandFailure(.usage, "\(option) \(text) has no \(part)", hint: "write \(option) \(form)")
        }
        self = pair
    }
}

/// `-w` of a command whose argument is the folder of the workspace, so that it is given as in the commands that send.
struct WorkspaceFolderOption: ParsableArguments {
    @Option(name: [.short, .customLong("workspace")], help: "The folder of the workspace, instead of the argument.", completion: .directory)
    var workspace: String?

    func validate() throws { try Self.check(workspace, "-w") }

    /// Refuses an empty name of a folder, such as that of a variable of the shell without a value, which would be the current folder.
    static func check(_ folder: String?, _ name: String) throws {
        guard folder == "" else { return }
        throw ValidationError("\(name) is empty; name a folder, or leave it out")
    }

    /// The folder that the argument or the option names; nil for the nearest one.
    ///
    /// - Throws: A usage error where both do, and for an empty argument.
    func folder(or argument: String?) throws -> String? { try Self.folder(argument, or: workspace) }

    /// The folder that an argument or the value of `-w` names.
    ///
    /// - Throws: A usage error where both do, and for an empty argument.
    static func folder(_ argument: String?, or workspace: String?) throws -> String? {
        try check(argument, "the folder")
        guard let workspace, let argument else { return workspace ?? argument }
        throw CommandFailure(.usage, "\(argument) and -w \(workspace) name two folders", hint: "give only one of them")
    }
}
