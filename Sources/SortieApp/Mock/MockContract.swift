internal import Foundation
internal import Interchange
internal import SortieBase
internal import SortieDemoServer
internal import SortieHTTP
internal import SortieStorage
internal import WorkspaceModel

/// The description with which `sortie mock --strict` compares requests.
struct MockContract: Sendable {
    private let contract: OpenAPIContract
    /// The paths of the servers of the service, which precede those of the description.
    private let bases: [String]

    /// Reads the description in a file.
    ///
    /// - Throws: The reason why it cannot be read.
    init(file: String, in program: ProgramContext) throws {
        do throws(Diagnostic) {
            let path = program.folders.absolute(file)
            contract = try program.contracts.contract(at: path, ContractReach(ofFile: path, program.folders), program.folders)
            bases = []
        } catch { throw CommandFailure(ofContract: error) }
    }

    private init(_ contract: EndpointContract) throws(Diagnostic) { (self.contract, bases) = (try contract.description(), contract.bases) }

    /// The descriptions of the services of a workspace, by their folders.
    ///
    /// - Throws: A usage error where no service has one, and the reason why one cannot be read.
    static func all(of workspace: Workspace, in program: ProgramContext, isTrusted: Bool = false) throws -> [String: MockContract] {
        let permission = try WorkspacePermission.ofCommand(workspace, in: program, isTrusted: isTrusted, isForced: false)
        var result: [String: MockContract] = [:]
        for service in workspace.services {
            guard let setting = service.contract, setting.mode != .off else { continue }
            do throws(Diagnostic) {
                result[service.folder] = try MockContract(EndpointContract(setting, of: service, in: workspace, permission))
            } catch { throw CommandFailure(error) }
        }
        guard result.isEmpty else { return result }
        throw CommandFailure(
            .usage, "--strict needs an OpenAPI file, or a service with contract:",
            hint: "sortie mock api.yaml --strict; sortie import api.yaml writes contract: into service.yaml")
    }

    /// The members that responses of a resource do not have, and those that its requests do not set.
    func hiddenMembers(_ method: String, _ path: String) -> (writeOnly: Set<String>, readOnly: Set<String>) {
        func hidden(_ method: String) -> (writeOnly: Set<String>, readOnly: Set<String>) {
            guard case .operation(let operation, _) = contract.match(method, path: path, bases: bases) else { return ([], []) }
            return contract.hiddenMembers(of: operation)
        }
        // A list with an example may have no schema; that of its items is the schema of what POST creates.
        return (hidden(method).writeOnly.union(hidden("POST").writeOnly), hidden(method).readOnly)
    }

    /// The response to a request that differs from the description, as the description has it; nil where nothing differs.
    ///
    /// - Parameter body: The body of the request; empty for none.
    func refusal(of local: LocalRequest, body bytes: [UInt8]) -> LocalReply? {
        let text = "http://localhost\(local.path)\(local.query.isEmpty ? "" : "?\(local.query)")"
        // A request whose target is no URL is not compared; the client gets the response of the route.
        guard let method = HTTPMethod(local.method), let url = HTTPURL(ifValid: text) else { return nil }
        let headers = local.headers
        let request = Request(method: method, url: url, headers: headers, body: bytes.isEmpty ? .none : .bytes(bytes, contentType: nil))
        let check = ContractCheck(contract, request, sent: headers, nil, bases: bases) { .success(.null) }
        let failures = check.checks.compactMap(\.failure)
        guard !failures.isEmpty else { return nil }
        let (message, violations) = ("the request differs from \(contract.name)", failures.map { "\($0)" })
        let own: JSONValue = ["error": .string(message), "violations": .array(violations.map(JSONValue.string))]
        guard let operation = check.operation else { return MockResponder.json(own, status: 400) }
        // Without credentials, a server refuses a request before it reads the rest.
        let statuses = check.checks.contains { $0.subject == ContractCheck.credentials } ? [401, 403] : [400, 422]
        let sentence = ([message] + violations).joined(separator: "; ")
        let described = ContractRefusal(of: operation, in: contract, statuses: statuses, message: sentence, violations: violations)
        var reply = MockResponder.json(described.body ?? own, status: described.status)
        reply.headers = [("Content-Type", described.type)]
        return reply
    }
}
