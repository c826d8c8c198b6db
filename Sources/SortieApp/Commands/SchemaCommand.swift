internal import ArgumentParser
internal import Foundation
internal import SortieBase
internal import SortieStorage

/// `sortie schema`: prints the JSON Schema of workspace files, for editors.
struct SchemaCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Print the JSON Schema of workspace files, for editors.",
        discussion: """
            An editor with yaml-language-server completes and checks the keys of a file that begins with a line such as: \
            # yaml-language-server: $schema=../.schema/endpoint.schema.json
            """)

    @Argument(
        help: ArgumentHelp(
            "The kind of file: \(WorkspaceSchema.Kind.allCases.map(\.rawValue).joined(separator: ", ")); without it, a schema of all kinds.",
            valueName: "kind"))
    var kind: String?

    @Option(name: .shortAndLong, help: ArgumentHelp("Write the schema of each kind to a folder, as KIND.schema.json.", valueName: "folder"))
    var output: String?

    @Flag(help: "Permit protected locations.")
    var force = false

    func run(in program: ProgramContext) throws {
        let chosen = try kind.map { name throws(CommandFailure) in
            guard let kind = WorkspaceSchema.Kind(rawValue: name) else {
                let names = WorkspaceSchema.Kind.allCases.map(\.rawValue)
                let nearest = Suggestion.nearest(to: name, in: names).map { "did you mean \($0)? " } ?? ""
                throw CommandFailure(.usage, "there is no kind \(name)", hint: nearest + "the kinds are: \(names.joined(separator: ", "))")
            }
            return kind
        }
        guard let output else { return program.output.write(Self.text(chosen)) }
        if !force, let protected = ProtectedLocation(FilePath.joining(output, "endpoint.schema.json"), .writing, program.folders) {
            throw CommandFailure(protected)
        }
        do { try FileManager.default.createDirectory(atPath: program.path(output), withIntermediateDirectories: true) } catch {
            throw CommandFailure(.file, name: "schema", "\(output) cannot be written: \(error.localizedDescription)")
        }
        for kind in chosen.map({ [$0] }) ?? WorkspaceSchema.Kind.allCases {
            try OutputFile.write(Self.text(kind), to: FilePath.joining(output, "\(kind.rawValue).schema.json"), program.folders)
        }
    }

    private static func text(_ kind: WorkspaceSchema.Kind?) -> String { WorkspaceSchema.schema(of: kind).text + "\n" }
}
