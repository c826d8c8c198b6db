internal import Interchange
internal import SortieBase
internal import SortieHTTP
internal import SortieNetworking
internal import WorkspaceModel

/// The test of one operation.
struct ContractTest {
    /// A response that may not happen.
    struct Finding {
        /// What happened.
        enum Category: String {
            case serverError, noResponse, notAsDescribed, acceptedInvalid, refusedValid, acceptedWithoutCredentials, acceptedMethod
            /// What was created is not found, or is still found after its deletion.
            case notCreated, notDeleted
        }

        var category: Category
        var message: String
        var item: ContractCase
        var exchange: Exchange
        /// The exchanges before, in a sequence.
        var earlier: [Exchange] = []
        /// The names of the operations of a sequence; empty for one request.
        var sequence: [String] = []

        /// The operation of the request.
        var operation: String { item.kind == .method ? "\(exchange.request.method) \(item.operation.path)" : item.operation.name }
        /// The kind of the request.
        var kind: String { sequence.isEmpty ? item.kind.rawValue : "sequence" }
        /// What the request has.
        var name: String { sequence.isEmpty ? item.name : sequence.joined(separator: ", ") }
    }

    /// A request that cannot be sent, such as one whose file is missing.
    struct Unsendable: Error {
        let message: String
    }

    /// The most requests that are sent to shrink one failure.
    private static let shrinkLimit = 20

    let call: CommandCall
    let contract: OpenAPIContract
    /// The path of the server.
    let base: String
    let bases: [String]
    let cancellation: Cancellation

    /// Sends a case; nil where nothing is wrong, and after a cancellation.
    func finding(of item: ContractCase) async throws -> Finding? {
        guard let exchange = try await exchange(of: item, call.prepared.request.method) else { return nil }
        return try finding(in: exchange, of: item)
    }

    /// The exchange of a case; nil after a cancellation.
    private func exchange(of item: ContractCase, _ method: HTTPMethod) async throws -> Exchange? {
        guard !cancellation.isCancelled else { return nil }
        var (prepared, request) = (call.prepared, call.prepared.request)
        request.method = method
        request.origin?.run = RecordedContracts.nameOfTests
        item.apply(to: &request, base: base)
        do throws(Diagnostic) { try prepared.replace(with: request) } catch { throw CommandFailure(error) }
        let exchange = await call.client.exchange(prepared.request)
        return cancellation.isCancelled ? nil : exchange
    }

    /// Sends a request of a method that a path does not have; nil where it has the method, and where nothing is wrong.
    func finding(of method: HTTPMethod, with item: ContractCase) async throws -> (isSent: Bool, finding: Finding?) {
        var request = call.prepared.request
        item.apply(to: &request, base: base)
        guard case .methods = contract.match(method.rawValue, path: request.url.path, bases: bases) else { return (false, nil) }
        guard let exchange = try await exchange(of: item, method) else { return (true, nil) }
        return (true, try finding(in: exchange, of: item))
    }

    /// What is wrong with an exchange; nil for nothing.
    private func finding(in exchange: Exchange, of item: ContractCase) throws -> Finding? {
        func finding(_ category: Finding.Category, _ message: String) -> Finding {
            Finding(category: category, message: message, item: item, exchange: exchange)
        }
        guard let response = exchange.response else {
            guard let error = exchange.error, !error.isCancellation else { return nil }
            // Without a server, every request would fail.
            guard ![.hostNotFound, .connectionRefused, .cannotConnect, .offline].contains(error.code) else {
                throw CommandFailure(call.redaction.current.masked(error))
            }
            guard error.code != .fileUnreadable else { throw Unsendable(message: error.message) }
            return finding(.noResponse, error.message)
        }
        if item.kind == .method {
            guard response.status != 501 else { return nil }
            if response.isSuccess {
                return finding(.acceptedMethod, "the method, which the path does not have, is accepted with the status \(response.status)")
            }
        }
        if response.status >= 500 { return finding(.serverError, "the status is \(response.status)") }
        guard item.kind != .method else { return nil }
        let check = ContractCheck(contract, exchange.request, sent: exchange.sentHeaders, response, bases: bases, comparesRequest: false) {
            Result { () throws(BodyProblem) in try response.value(as: .json) }
        }
        // A value is masked by the name of its member, which the message does not show separately.
        let failure = check.checks.lazy.compactMap { $0.masked(by: call.redaction.current).failure }.first
        if let failure { return finding(.notAsDescribed, "\(failure)") }
        switch item.kind {
        case .invalid where response.isSuccess:
            return finding(.acceptedInvalid, "the invalid request is accepted with the status \(response.status)")
        case .unauthenticated where response.isSuccess:
            return finding(.acceptedWithoutCredentials, "the request with \(item.name) is accepted with the status \(response.status)")
        case .valid, .boundary:
            guard Self.refusals.contains(response.status), item.isCertain, isAsDescribed(exchange) else { return nil }
            return finding(.refusedValid, "the valid request is refused with the status \(response.status)")
        case .invalid, .unauthenticated, .method: return nil
        }
    }

    /// The statuses that say that a request is not valid; others, such as 404 and 409, depend on what the server has.
    private static let refusals = [400, 415, 422]

    /// Whether everything in the request of an exchange is described; a server need not require the credentials.
    private func isAsDescribed(_ exchange: Exchange) -> Bool {
        let check = ContractCheck(contract, exchange.request, sent: exchange.sentHeaders, nil, bases: bases) { .success(.null) }
        return check.checks.allSatisfy { $0.outcome == .passed || $0.subject == ContractCheck.credentials }
    }

    /// The failure with the fewest optional parts that still shows it.
    func shrunk(_ finding: Finding) async throws -> Finding {
        // Without the invalid part, the request would be valid.
        guard [.serverError, .notAsDescribed, .refusedValid].contains(finding.category) else { return finding }
        var (current, sent, isSmaller) = (finding, 0, true)
        while isSmaller {
            isSmaller = false
            for item in current.item.smaller where sent < Self.shrinkLimit {
                sent += 1
                // Another violation is another failure.
                guard let found = try await self.finding(of: item), found.category == finding.category,
                    found.category != .notAsDescribed || found.message == finding.message
                else { continue }
                (current, isSmaller) = (found, true)
                break
            }
        }
        return current
    }

    // MARK: Sequences

    /// Sends the requests of a sequence until one shows a failure; nil where none does, and where nothing is created, which other requests show.
    func finding(of sequence: ContractSequence, seed: UInt64) async throws -> Finding? {
        guard let created = try await exchange(of: sequence.creation, .post), let response = created.response, response.isSuccess else { return nil }
        let body = Self.json(response)
        var earlier = [created]
        var isDeleted = false
        for step in sequence.steps {
            let operation = step.link.operation
            guard let values = step.link.values(sent: sequence.creation, body: body, headers: response.headers),
                step.role != .readDeleted || isDeleted, let method = HTTPMethod(operation.method)
            else { continue }
            var cases = ContractCases(of: operation, in: contract, seed: seed)
            guard let item = cases.request(with: values), let exchange = try await exchange(of: item, method) else { return nil }
            if var found = try finding(in: exchange, of: item) ?? stateFinding(in: exchange, of: item, step.role) {
                (found.earlier, found.sequence) = (earlier, (earlier + [exchange]).map { "\($0.request.method) \($0.request.url.path)" })
                return found
            }
            earlier.append(exchange)
            // With 202, it is deleted later.
            if step.role == .delete { isDeleted = exchange.response.map { $0.isSuccess && $0.status != 202 } ?? false }
        }
        return nil
    }

    /// What is wrong with the presence of what was created.
    private func stateFinding(in exchange: Exchange, of item: ContractCase, _ role: ContractSequence.Role) -> Finding? {
        guard let response = exchange.response else { return nil }
        if role == .readDeleted {
            guard response.isSuccess else { return nil }
            return Finding(
                category: .notDeleted, message: "what was deleted is found with the status \(response.status)", item: item, exchange: exchange)
        }
        guard [404, 410].contains(response.status) else { return nil }
        return Finding(
            category: .notCreated, message: "what was created is not found: the status is \(response.status)", item: item, exchange: exchange)
    }

    /// The shortest sequence that shows a failure, with the fewest optional parts in its first request.
    func shrunk(_ finding: Finding, of sequence: ContractSequence, seed: UInt64) async throws -> Finding {
        var (current, smallest, sent, isSmaller) = (finding, sequence, 0, true)
        while isSmaller {
            isSmaller = false
            for candidate in smallest.smaller where sent < Self.shrinkLimit {
                sent += 1 + candidate.steps.count
                guard let found = try await self.finding(of: candidate, seed: seed), found.category == finding.category,
                    found.operation == finding.operation, found.earlier.count <= current.earlier.count
                else { continue }
                (current, smallest, isSmaller) = (found, candidate, true)
                break
            }
        }
        return current
    }

    private static func json(_ response: Response) -> JSONValue? {
        // A body that is not JSON has no values for other requests.
        do throws(BodyProblem) { return try response.value(as: .json) } catch { return nil }
    }
}
