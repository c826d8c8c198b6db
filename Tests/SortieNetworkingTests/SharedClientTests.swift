import SortieClassic
import Support
import Testing

@testable import SortieNetworking

/// Tests the client of programs that create none, and the choice of a client for each start (S3.18, S2.64).
@Suite(.fewAtOnce)
struct SharedClientTests {
    private struct Mark: Plugin {
        let value: String
        func prepare(_ request: inout Request, in context: PluginContext) { request.headers["X-Client"] = value }
    }

    private func configuration(_ folder: TemporaryFolder, mark: String) -> ClientConfiguration {
        ClientConfiguration(spoolFolder: folder.path, plugins: [Mark(value: mark)])
    }

    /// The only test that uses the shared client of the process.
    @Test func `S3.18 requests and downloads are sent by one shared client, which is configured before its first use`() async throws {
        let server = try ScriptedServer(answering: .ok("body"))
        let folder = try TemporaryFolder()
        try Client.configureShared(configuration(folder, mark: "shared"))
        let response = try await withDeadline(.seconds(300), "the request to end") { try await Client.shared.send(.to(server.url)) }
        #expect(response.text == "body")
        let task = try Request.to(server.url).start()
        #expect(try await withDeadline(.seconds(300), "the call to end") { await task.result.map(\.text) } == .success("body"))
        let download = Download(try Request.to(server.url), to: .file(folder.path + "/file"))
        let running = download.start()
        #expect(try await withDeadline(.seconds(300), "the download to end") { await running.result }.state == .done)
        #expect(server.requests.map { $0["X-Client"] } == ["shared", "shared", "shared"])
        #expect(Client.shared === Client.shared)
        let error = #expect(throws: NetworkError.self) { try Client.configureShared(configuration(folder, mark: "late")) }
        #expect(error?.code == .invalidOption)
        #expect(error?.hint?.contains("at the start") == true)
    }

    @Test func `S3.18 the last configuration before the first use counts`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let folder = try TemporaryFolder()
        let shared = SharedClient()
        try shared.configure(configuration(folder, mark: "first"))
        try shared.configure(configuration(folder, mark: "second"))
        _ = try await withDeadline(.seconds(300), "the request to end") { try await shared.client.send(try .to(server.url)) }
        #expect(server.requests.map { $0["X-Client"] } == ["second"])
        #expect(throws: NetworkError.self) { try shared.configure(configuration(folder, mark: "third")) }
    }

    @Test func `S2.64 each start can choose a client, for requests and for downloads`() async throws {
        let server = try ScriptedServer(answering: .ok("body"))
        let folder = try TemporaryFolder()
        let (a, b) = (Client(configuration(folder, mark: "a")), Client(configuration(folder, mark: "b")))
        let request = try Request.to(server.url)
        _ = try await withDeadline(.seconds(300), "the requests to end") {
            _ = try await request.start(with: a).value
            return try await request.start(with: b).value
        }
        for (client, name) in [(a, "one"), (b, "two")] {
            let running = Download(request, to: .file("\(folder.path)/\(name)")).start(with: client)
            #expect(try await withDeadline(.seconds(300), "the download to end") { await running.result }.state == .done)
        }
        #expect(server.requests.map { $0["X-Client"] } == ["a", "b", "a", "b"])
    }
}
