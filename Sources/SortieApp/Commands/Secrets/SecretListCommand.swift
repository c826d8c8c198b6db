internal import ArgumentParser
internal import SortieBase
internal import SortieNetworking
internal import SortieStorage
internal import WorkspaceModel

/// `sortie secret list`: the names and places of secrets, without values.
struct SecretListCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the stored secrets, and with -w those of a workspace, each with its place and without its value.")

    @Option(name: [.short, .customLong("workspace")], help: "Also list the secrets of the workspace in this folder.", completion: .directory)
    var workspace: String?

    @Flag(help: "Print one JSON array instead of text.")
    var json = false

    func run(in program: ProgramContext) throws {
        let store = SecretStore(stateFolder: program.folders.state)
        let names: [String]
        do { names = try store.names() } catch { throw CommandFailure(error) }
        var rows = names.map { Row(name: $0, source: "stored", place: store.path) }
        if let workspace = try workspace.map({ try WorkspaceSource.load(named: $0, in: program) }) {
            rows += workspace.secrets.sorted { $0.key < $1.key }.map { name, source in
                let place = workspace.variablePlaces[VariableKey(name, .secret)].map { "\($0.file):\($0.line)" } ?? "workspace.yaml"
                return Row(name: name, source: source.text, place: place)
            }
        }
        guard !json else { return program.output.write(JSONValue.array(rows.map(\.record)).text + "\n") }
        guard !rows.isEmpty else { return program.errors.line("no secret is stored; sortie secret set NAME stores one") }
        let width = rows.map(\.name.count).max() ?? 0
        for row in rows { program.output.write(VisibleLine.of("\(row.name.padded(to: width))  \(row.source)  \(row.place)") + "\n") }
    }

    private struct Row {
        let name: String
        /// `stored`, or the source in a workspace.
        let source: String
        let place: String

        var record: JSONValue { ["name": .string(name), "source": .string(source), "place": .string(place)] }
    }
}
