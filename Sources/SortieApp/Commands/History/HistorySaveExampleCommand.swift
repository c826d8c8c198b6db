internal import ArgumentParser
internal import HistoryModel
internal import SortieBase
internal import SortieHTTP
internal import SortieStorage
internal import WorkspaceModel

/// `sortie history save-example`: adds an exchange to the examples of its endpoint.
struct HistorySaveExampleCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "save-example", abstract: "Save an exchange as an example of its endpoint (examples:).",
        discussion: "Credentials are masked, as by Save as example in the workbench. Only the lines of the example are added to the file.")

    @Argument(help: ArgumentHelp("Its number, its id, last, or last-1 for the one before.", valueName: "id"), completion: .exchange)
    var reference: String

    @Option(help: "The name of the example; by default the status, with a number where the endpoint has one of that name.")
    var name: String?

    @Option(name: .shortAndLong, help: "The folder of the workspace; by default that of the exchange.", completion: .directory)
    var workspace: String?

    func run(in program: ProgramContext) throws {
        let past = try HistoryReference(reference).exchange(in: HistoryStore.open(stateFolder: program.folders.state), program)
        let number = past.item.number
        guard let target = past.item.target, let path = workspace ?? past.item.workspace else {
            throw CommandFailure(.usage, name: "example", "number \(number) was not sent from an endpoint of a workspace")
        }
        let workspace = try WorkspaceSource.load(named: path, in: program)
        guard let endpoint = workspace.endpoint(target) else {
            throw CommandFailure(.usage, name: "unknownEndpoint", "\(workspace.name) has no endpoint \(target)", hint: "sortie list shows all")
        }
        var example: EndpointExample
        do throws(EndpointExample.ExchangeProblem) {
            example = try EndpointExample(
                of: past.exchange, isComplete: past.missingBody == nil, for: endpoint, masked: Redaction(adding: workspace.redact))
        } catch { throw Self.failure(error, number, target) }
        example.name = name ?? EndpointExample.freeName(status: past.exchange.response?.status ?? 0, in: endpoint)
        guard !example.name.isEmpty else { throw CommandFailure(.usage, "--name is empty", hint: "write the name of the example") }
        guard !endpoint.examples.contains(where: { $0.name == example.name }) else {
            throw CommandFailure(
                .usage, name: "example", "\(target) has an example \(example.name)", hint: "give the new one another name with --name NAME")
        }
        var changed = endpoint
        changed.examples.append(example)
        try WorkspaceFolder(path: path, program.folders).save(changed, replacing: endpoint)
        program.output.write(VisibleLine.of("\(target) has the example \(example.name)") + "\n")
    }

    private static func failure(_ problem: EndpointExample.ExchangeProblem, _ number: Int64, _ target: String) -> CommandFailure {
        switch problem {
        case .noResponse: CommandFailure(.usage, name: "example", "number \(number) has no response")
        case .otherRequest:
            CommandFailure(
                .usage, name: "example", "number \(number) was sent with another method or path than \(target) has now",
                hint: "sortie send \(target) sends the present request")
        case .incompleteBody: CommandFailure(.file, name: "missingBody", "the body of \(number) is incomplete")
        case .largeBody(let limit):
            CommandFailure(
                .usage, name: "example", "the body of \(number) is larger than \(ByteCount(limit).text)",
                hint: "sortie history show \(number) -o FILE saves it; name the file in examples:")
        case .binaryBody:
            CommandFailure(
                .usage, name: "example", "the body of \(number) is not text",
                hint: "sortie history show \(number) -o FILE saves it; name the file in examples:")
        }
    }
}
