internal import ArgumentParser

/// `-w` of a command whose argument is the folder of the workspace, so that it is given as in the commands that send.
struct WorkspaceFolderOption: ParsableArguments {
    @Option(name: [.short, .customLong("workspace")], help: "The folder of the workspace, instead of the argument.", completion: .directory)
    var workspace: String?

    /// The folder that the argument or the option names; nil for the nearest one.
    ///
    /// - Throws: A usage error where both do.
    func folder(or argument: String?) throws -> String? { try Self.folder(argument, or: workspace) }

    /// The folder that an argument or the value of `-w` names.
    ///
    /// - Throws: A usage error where both do.
    static func folder(_ argument: String?, or workspace: String?) throws -> String? {
        guard let workspace, let argument else { return workspace ?? argument }
        throw CommandFailure(.usage, "\(argument) and -w \(workspace) name two folders", hint: "give only one of them")
    }
}
