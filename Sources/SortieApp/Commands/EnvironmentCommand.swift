internal import ArgumentParser
internal import Interchange

/// `sortie env`: the variables of environment files.
struct EnvironmentCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "env", abstract: "Import the variables of an environment file such as .env.", subcommands: [EnvironmentImportCommand.self])
}

/// `sortie env import`: `sortie import` with the format of environment files.
struct EnvironmentImportCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Import the variables of an environment file into workspace.yaml.",
        discussion: """
            Credentials are not written: they become secrets whose values come from environment variables. To use a file in its place instead, write \
            envFiles: [.env] into workspace.yaml.
            """)

    @OptionGroup var options: ImportCommand

    func run(in program: ProgramContext) throws {
        guard [nil, DotenvImport.name].contains(options.format) else {
            throw CommandFailure(
                .usage, "env import reads files of the format \(DotenvImport.name)", hint: "sortie import FILE --format F reads others")
        }
        var command = options
        command.format = DotenvImport.name
        try command.run(in: program)
    }
}
