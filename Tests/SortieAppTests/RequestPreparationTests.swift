import Foundation
import HistoryModel
import SortieBase
import SortieHTTP
import SortieNetworking
import SortieStorage
import Support
import Testing
import WorkspaceModel

@testable import SortieApp

/// Tests what all requests of a workspace have in common before they are sent.
@Suite struct RequestPreparationTests {
    private let folder: TemporaryFolder
    private let workspace: Workspace
    private let permission: WorkspacePermission
    private let server: ScriptedServer
    /// The values that are masked.
    private let hidden = Watched<[String]>([])

    init() throws {
        folder = try TemporaryFolder()
        server = try ScriptedServer { _ in .json(#"{"name": "picked"}"#) }
        let files = [
            "workspace.yaml": "name: W\n", "s/service.yaml": "name: S\n",
            "s/plain.yaml": "path: \(server.url)/plain\nmethod: POST\nbody: {text: a}\n",
            "s/protected.yaml": "path: \(server.url)/protected\nmethod: POST\nbody: {file: /proc/version}\n",
            "s/login.yaml": "path: \(server.url)/login\nheaders: {Authorization: Bearer literal-token-1}\ncapture: {name: $.name}\n",
            "s/pipe.yaml": "path: \(server.url)/{{$file pipe}}\n",
            "s/get.yaml": "kind: download\npath: \(server.url)/get\n",
        ]
        try FileManager.default.createDirectory(atPath: folder.path("s"), withIntermediateDirectories: true)
        for (name, text) in files { try text.write(toFile: folder.path(name), atomically: true, encoding: .utf8) }
        workspace = try WorkspaceFolder(path: folder.path).load()
        permission = try WorkspacePermission(workspace, in: .withoutStreams(), isTrusted: true)
    }

    private func preparation(of workspace: Workspace? = nil) -> RequestPreparation {
        let workspace = workspace ?? self.workspace
        let values = LiveValues(workspace, mayAsk: false, permission: permission) { [hidden] value in hidden.change { $0.append(value) } }
        return RequestPreparation(RequestBuilder(workspace: workspace, environment: nil), values)
    }

    private func endpoint(_ target: String) throws -> Endpoint { try #require(workspace.endpoint(target)) }

    /// The error of work; nil where it succeeds.
    private func problem(_ work: () async throws(Diagnostic) -> Void) async -> Diagnostic? {
        do throws(Diagnostic) {
            try await work()
            return nil
        } catch { return error }
    }

    @Test func `no way to a request reads a protected file`() async throws {
        let protected = try endpoint("s/protected")
        let plain = try await preparation().request(for: endpoint("s/plain"))
        let step = RunPlan(RunDefinition(name: "r", kind: .batch, steps: [RunDefinition.Step(target: "s/protected", name: "p")])).steps[0]
        var changed = plain.request
        changed.body = .file(path: "/proc/version", contentType: nil)
        let problems = [
            await problem { () throws(Diagnostic) in _ = try await preparation().request(for: protected) },
            await problem { () throws(Diagnostic) in _ = try await preparation().request(for: protected) { $0.target = nil } },
            await problem { () throws(Diagnostic) in _ = try await preparation().request(forValueOf: protected) { _ in } },
            await problem { () throws(Diagnostic) in _ = try await preparation().step(step, of: "r", captures: [:]) },
            await problem { () throws(Diagnostic) in _ = try preparation().request(of: ReplayPlan(changed)) },
            await problem { () throws(Diagnostic) in
                var copy = plain
                try copy.replace(with: changed)
            },
        ]
        for (index, problem) in problems.enumerated() {
            #expect(problem?.message.contains("/proc/version: it is in /proc") == true, "\(index): \(problem?.message ?? "none")")
            #expect(problem?.remedy == .protectedFile)
        }
    }

    @Test func `a file that the user may read with --force is read`() async throws {
        let forced = try WorkspacePermission(workspace, in: .withoutStreams(), isTrusted: true, isForced: true)
        let values = LiveValues(workspace, mayAsk: false, permission: forced) { _ in }
        let prepared = try await RequestPreparation(RequestBuilder(workspace: workspace, environment: nil), values).request(
            for: endpoint("s/protected"))
        #expect(prepared.request.readFiles == ["/proc/version"])
    }

    @Test(.timeLimit(.minutes(1))) func `a pipe in place of the file of a template is refused and does not block`() async throws {
        #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
        let pipe = try endpoint("s/pipe")
        let found = await problem { () throws(Diagnostic) in _ = try await preparation().request(for: pipe) }
        #expect(found?.message.contains("pipe: this is not a file") == true, "\(found?.message ?? "none")")
    }

    @Test func `credentials in the file of an endpoint are masked, also where it is sent for a value`() async throws {
        _ = try await preparation().request(for: endpoint("s/login"))
        #expect(hidden.current.contains("literal-token-1"), "\(hidden.current)")
        hidden.change { $0 = [] }
        _ = try await preparation().request(forValueOf: endpoint("s/login")) { _ in }
        #expect(hidden.current.contains("literal-token-1"), "\(hidden.current)")
    }

    @Test func `the further requests of a load mask nothing new`() async throws {
        _ = try await preparation().ofRepetitions.request(for: endpoint("s/login"))
        #expect(hidden.current.isEmpty)
    }

    @Test func `an endpoint with a part that cannot be read is not sent for a value`() async throws {
        var workspace = workspace
        let place = SourceLocation(file: "s/login.yaml", line: 2)
        workspace.readingErrors = [Diagnostic(place, "the header fields cannot be read")]
        let login = try endpoint("s/login")
        let preparation = preparation(of: workspace)
        let found = await problem { () throws(Diagnostic) in _ = try await preparation.request(forValueOf: login) { _ in } }
        #expect(found?.location == place)
    }

    @Test func `the destination of a download may have a value of an earlier response`() async throws {
        let caller = try RunClient()
        let requests = EndpointRequests(
            workspace, overrides: [:], client: caller.client, permission: permission, redaction: LiveRedaction(showsSecrets: false), hide: { _ in })
        let transfer = QueuedTransfer(try endpoint("s/get"), environment: nil, destination: folder.path("{{login.name}}.bin"))
        let prepared = try await withDeadline(.seconds(300), "the request of the download") { try await requests.download(transfer, Cancellation()) }
        #expect(prepared.destination == folder.path("picked.bin"))
        #expect(server.requests.map(\.target) == ["/login"])
    }
}
