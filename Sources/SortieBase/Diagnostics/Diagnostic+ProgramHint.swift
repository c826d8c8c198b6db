extension Diagnostic {
    /// The message and the remedy for users of the workbench, for a place without the key that carries it out.
    package var workbenchSentence: String { remedy?.workbench(after: message) ?? message }

    /// The place, the message and the remedy for users of the workbench.
    package var workbenchLine: String { remedy?.workbench(after: description) ?? description }

    /// The message and the remedy for users of commands, for a place without a hint.
    package var programSentence: String { remedy?.program(after: message) ?? message }

    /// The place, the message and the remedy for users of commands, for a line without a hint after it.
    package var programLine: String { remedy?.program(after: description) ?? description }
}

extension Diagnostic.Remedy {
    /// The remedy for users of commands, which names options and commands.
    package var programText: String {
        switch self {
        case .protectedFile: "to read it anyway: --force"
        case .permission(let workspace): "to permit it: sortie trust \(workspace)"
        case .unlistedUse: "--trust permits it for one command"
        case .storedSecret(_, let stored): "to store it: sortie secret set \(stored)"
        case .promptedValue(let label): "--var '\(label)=VALUE' supplies it"
        case .capturedValue(let name): "--var \(name)=VALUE supplies it"
        case .missingSnapshot: "--update-snapshots records it"
        case .text(let program, _): program
        }
    }

    /// The remedy for users of the workbench, which adds the key that carries it out.
    package var workbenchText: String {
        switch self {
        case .protectedFile: "the workbench does not read such files; choose another one"
        case .permission: "permit it when you are asked"
        case .unlistedUse: "write the server or the file into the request itself, which the permission then lists"
        case .storedSecret(let name, _): "store the value of \(name) on this machine"
        case .promptedValue(let label): "enter \(label) when you are asked"
        case .capturedValue: "send the request, which gets the value first"
        case .missingSnapshot: "record it on the Checks tab of the response"
        case .text(_, let workbench): workbench
        }
    }
}

extension Diagnostic.Remedy {
    /// A message with the remedy for users of commands.
    package func program(after message: String) -> String { "\(message); \(programText)" }

    /// A message with the remedy for users of the workbench.
    package func workbench(after message: String) -> String { "\(message); \(workbenchText)" }
}

/// What is a command of the shell for users of commands, and an action of the workbench for its users.
extension Diagnostic.Remedy {
    /// For the target of an endpoint that does not exist.
    package static let listedTargets = text(program: "sortie list shows all", workbench: "Services lists all")

    /// For a request where one response is expected, to an endpoint that opens a connection.
    package static func webSocketConnection(_ target: String) -> Self {
        text(program: "sortie listen \(target) opens it", workbench: "Send in its Request opens it")
    }

    /// For the value of a secret in a file of the workspace.
    package static let secretInFile = text(
        program: "write {env: NAME}, {command: …}, or {secret: NAME} after sortie secret set NAME",
        workbench: "remove it, and store it with “Store a secret” in the palette")

    /// For the login in the URL of a description.
    package static let loginOfDescription = text(
        program: "remove it, and give it to sortie contract update -u NAME", workbench: "remove it from the URL")

    /// For a description whose copy is missing or damaged.
    package static let fetchedDescription = text(
        program: "sortie contract update fetches it", workbench: "download it into the workspace, and name that file in place of the URL")

    /// For an exchange of the history that cannot be read.
    package static func damagedExchange(_ number: Int64) -> Self {
        text(program: "sortie history delete \(number) removes it", workbench: "Delete in History removes it")
    }

    /// For a change for which the files of another tool have no place.
    package static func importOfFiles(_ source: String) -> Self {
        text(
            program: "sortie import \(source) -o FOLDER makes a workspace that has a place for it",
            workbench: "import them into a workspace of Sortie with “Import…” in its palette")
    }
}
