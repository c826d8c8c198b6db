package import SortieBase

extension Diagnostic {
    /// The message and the remedy for users of the workbench, for a place without the key that carries it out.
    package var workbenchSentence: String { [message, remedy?.workbenchText].compactMap(\.self).joined(separator: "; ") }
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
        }
    }
}
