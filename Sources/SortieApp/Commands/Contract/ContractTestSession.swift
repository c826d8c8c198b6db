internal import Interchange
internal import SortieBase
internal import SortieHTTP
internal import SortieNetworking
internal import WorkspaceModel

/// The tests of the operations of endpoints, one after the other.
struct ContractTestSession {
    let seed: UInt64
    /// The most requests for each operation.
    let limit: Int
    /// Whether methods that change data of the server are sent.
    let sendsUnsafe: Bool
    let cancellation: Cancellation
    var report: ContractTestReport
    /// The operations and the paths that were tested, by the name of their description.
    private var tested: Set<String> = []

    /// The methods that are sent to paths that do not have them.
    ///
    /// Servers respond to OPTIONS and HEAD without a description.
    private static let methods = ["GET", "TRACE", "POST", "PUT", "PATCH", "DELETE"].compactMap { HTTPMethod($0) }

    init(seed: UInt64, limit: Int, sendsUnsafe: Bool, cancellation: Cancellation, report: ContractTestReport) {
        (self.seed, self.limit, self.sendsUnsafe, self.cancellation, self.report) = (seed, limit, sendsUnsafe, cancellation, report)
    }

    /// Tests the operation that an endpoint sends; returns the error that ends the command.
    mutating func test(
        _ endpoint: Endpoint, _ call: CommandCall, _ contract: EndpointContract, _ description: OpenAPIContract
    ) async -> (any Error)? {
        cancellation.whenCancelled { [client = call.client] in client.cancelAll() }
        let url = call.request.url
        guard case .operation(let operation, let path) = description.match(call.request.method.rawValue, path: url.path, bases: contract.bases) else {
            report.skip(endpoint.target, "the description has no such operation")
            return nil
        }
        // Several endpoints may send one operation.
        guard tested.insert("\(contract.path) \(operation.name)").inserted else { return nil }
        let segments = PathTemplate.segments(of: url.path).dropLast(path.count)
        let base = segments.map { "/" + PercentEncoding.encode($0, allowed: .unreserved) }.joined()
        let test = ContractTest(call: call, contract: description, base: base, bases: contract.bases, cancellation: cancellation)
        var cases = ContractCases(of: operation, in: description, seed: seed)
        let place = ContractTestReport.Place(endpoint: endpoint, usual: call.prepared.request, base: base)
        do {
            if call.request.method.isSafe || sendsUnsafe {
                try await send(cases.cases(limit: limit), of: operation, test, place)
            } else {
                report.skip(operation.name, "not sent without --unsafe")
            }
            // The methods of a path are tested once.
            if tested.insert("\(contract.path) \(operation.template.text)").inserted { try await sendMethods(&cases, of: operation, test, place) }
        } catch let error as ContractTest.Unsendable {
            report.skip(operation.name, call.redaction.current.masked(error.message))
        } catch { return error }
        return nil
    }

    /// Sends the cases of an operation and, after those of a POST that are valid, the sequences that use what they create.
    private mutating func send(
        _ items: [ContractCase], of operation: ContractOperation, _ test: ContractTest, _ place: ContractTestReport.Place
    ) async throws {
        var count = 0
        for item in items where !cancellation.isCancelled {
            count += 1
            guard let finding = try await test.finding(of: item) else { continue }
            try report.add(try await test.shrunk(finding), place, redaction: test.call.redaction.current)
        }
        if operation.method == "POST" {
            for item in items.filter({ $0.kind == .valid }).prefix(2) where !cancellation.isCancelled {
                guard let sequence = ContractSequence(after: item, in: test.contract) else { break }
                count += 1 + sequence.steps.count
                guard let finding = try await test.finding(of: sequence, seed: seed) else { continue }
                try report.add(try await test.shrunk(finding, of: sequence, seed: seed), place, redaction: test.call.redaction.current)
            }
        }
        report.end(operation.name, requests: count)
    }

    /// Sends the methods that the path of an operation does not have.
    private mutating func sendMethods(
        _ cases: inout ContractCases, of operation: ContractOperation, _ test: ContractTest, _ place: ContractTestReport.Place
    ) async throws {
        var count = 0
        for method in Self.methods where (method.isSafe || sendsUnsafe) && !cancellation.isCancelled {
            guard let item = cases.request(of: method) else { break }
            let result = try await test.finding(of: method, with: item)
            count += result.isSent ? 1 : 0
            if let finding = result.finding { try report.add(finding, place, redaction: test.call.redaction.current) }
        }
        report.endMethods(of: operation.path, requests: count)
    }
}
