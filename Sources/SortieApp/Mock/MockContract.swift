internal import Foundation
internal import Interchange
internal import SortieBase
internal import SortieDemoServer
internal import SortieHTTP
internal import SortieStorage

/// The description with which `sortie mock --strict` compares requests.
struct MockContract: Sendable {
    private let contract: OpenAPIContract

    /// Reads the description.
    ///
    /// - Throws: A usage error where the command names no file, and the reason why it cannot be read.
    init(file: String?, in program: ProgramContext) throws {
        guard let file, RealPath.isFile(program.path(file)) else {
            throw CommandFailure(.usage, "--strict needs an OpenAPI file", hint: "sortie mock api.yaml --strict")
        }
        contract = try program.contracts.contract(at: program.folders.absolute(file), program.folders)
    }

    /// The members that responses of a resource do not have, and those that its requests do not set.
    func hiddenMembers(_ method: String, _ path: String) -> (writeOnly: Set<String>, readOnly: Set<String>) {
        guard case .operation(let operation, _) = contract.match(method, path: path) else { return ([], []) }
        return contract.hiddenMembers(of: operation)
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
        let check = ContractCheck(contract, request, sent: headers, nil) { .success(.null) }
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
