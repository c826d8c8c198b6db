import SortieClassic
import SortieNetworking
import Support
import Testing

/// Tests how each kind of call ends in a cancelled task; the article Errors describes it.
@Suite(.fewAtOnce)
struct CancelledTaskTests {
    private let folder: TemporaryFolder
    private let client: Client

    init() throws {
        folder = try TemporaryFolder()
        client = Client(.init(spoolFolder: folder.path))
    }

    /// The error of a call that is cancelled while it waits for a response.
    private func error(_ work: @escaping @Sendable () async throws -> Void) async throws -> (any Error)? {
        let task = Task { try await work() }
        task.cancel()
        return try await withDeadline(.seconds(300), "the call to end") {
            do {
                try await task.value
                return nil
            } catch { return error }
        }
    }

    private struct Orders: TypedEndpoint {
        typealias Output = Response
        var path: String
        func parameters() -> [ParameterValue.Member] { [] }
    }

    @Test func `a cancelled task ends each kind of call with the error cancelled, and not with a CancellationError`() async throws {
        let port = try DeadPort(.silent)
        let (client, url) = (client, port.url)
        let request = try Request(url)
        let calls: [@Sendable () async throws -> Void] = [
            { _ = try await client.send(request) }, { _ = try await client.get(url) as [Int] }, { _ = try await client.get(url) as Response },
            { _ = try await client.send(Orders(path: url)) }, { _ = try await client.send(request, as: .text) },
            { _ = try await client.stream(request) }, { _ = try await CallScope(client).send(request) },
        ]
        for (index, call) in calls.enumerated() {
            let error = try await error(call)
            #expect(
                (error as? NetworkError)?.code == .cancelled && (error as? NetworkError)?.isCancellation == true,
                "call \(index): \(String(describing: error))")
        }
    }

    @Test func `an exchange of a cancelled task has the error cancelled`() async throws {
        let port = try DeadPort(.silent)
        let (client, request) = (client, try Request(port.url))
        let task = Task { await client.exchange(request) }
        task.cancel()
        let exchange = try await withDeadline(.seconds(300), "the call to end") { await task.value }
        #expect(exchange.error?.code == .cancelled && exchange.response == nil)
    }

    private struct Cancelling: Plugin {
        func prepare(_ request: inout Request, in context: PluginContext) async throws { throw CancellationError() }
    }

    @Test func `a CancellationError of a plugin becomes the error cancelled`() async throws {
        let (client, request) = (client, try Request("http://127.0.0.1:1/"))
        let error = try await error { _ = try await client.send(request, plugins: [Cancelling()]) }
        #expect((error as? NetworkError)?.code == .cancelled)
    }

    @Test func `other failures are no cancellations`() {
        #expect(!NetworkError(.timedOut, "late").isCancellation && NetworkError(.superseded, "newer").isCancellation)
    }
}
