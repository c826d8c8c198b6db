import Foundation
import SortieBase
import SortieHTTP
import SortieNetworking
import SortieStorage
import Support
import Testing
import WorkspaceModel

@testable import SortieApp

/// Tests requests that share the values of earlier responses.
@Suite struct EarlierResponsesTests {
    private let folder: TemporaryFolder
    private let workspace: Workspace
    private let permission: WorkspacePermission
    private let isOpen = Watched(false)
    /// The targets whose requests were sent.
    private let sent = Watched<[String]>([])

    init() throws {
        folder = try TemporaryFolder()
        let files = [
            "workspace.yaml": "name: W\n", "s/service.yaml": "name: S\n",
            "s/za.yaml": "path: http://127.0.0.1/a?v={{zslow.ok}}&w={{zb.token}}\ncapture: {token: $.token}\n",
            "s/zb.yaml": "path: http://127.0.0.1/b?v={{zwait.ok}}&w={{za.token}}\ncapture: {token: $.token}\n",
            "s/zslow.yaml": "path: http://127.0.0.1/slow\ncapture: {ok: $.ok}\n",
            "s/zwait.yaml": "path: http://127.0.0.1/wait\ncapture: {ok: $.ok}\n",
            "s/c.yaml": "path: http://127.0.0.1/c?v={{za.token}}\n", "s/d.yaml": "path: http://127.0.0.1/d?v={{zb.token}}\n",
        ]
        try FileManager.default.createDirectory(atPath: folder.path("s"), withIntermediateDirectories: true)
        for (name, text) in files { try text.write(toFile: folder.path(name), atomically: true, encoding: .utf8) }
        workspace = try WorkspaceFolder(path: folder.path).load()
        permission = try WorkspacePermission(workspace, in: .withoutStreams(), isTrusted: true)
    }

    /// Responses of a server that responds to `/slow` and `/wait` when the test says so.
    private var responses: EarlierResponses {
        EarlierResponses(permission: permission, hide: { _ in }) { [isOpen, sent] prepared in
            let request = prepared.request
            let path = request.url.path
            sent.change { $0.append(path) }
            if path == "/slow" || path == "/wait" {
                try await isOpen.wait("the response", within: .seconds(300)) { $0 ? () : nil }
            }
            var exchange = Exchange(id: RequestID(high: 1, low: 1), request: request, startedAt: Date(timeIntervalSince1970: 0))
            exchange.response = Response(
                status: 200, headers: [HeaderField("Content-Type", "application/json")], body: BodyBytes(Array(#"{"ok": 1, "token": "t"}"#.utf8)))
            return exchange
        }
    }

    private func value(
        _ target: String, _ capture: String, for sender: String, _ responses: EarlierResponses, _ cancellation: Cancellation = Cancellation()
    ) async throws -> Result<String, TemplateError> {
        let plan = RequestBuilder(workspace: workspace, environment: nil, overrides: [])
        var values = LiveValues(workspace, mayAsk: false, permission: permission, used: { _ in })
        let context = EarlierContext(responses, plan, for: try #require(workspace.endpoint(sender)))
        values.earlier = context
        return await context.value(EarlierValue(target: target, capture: capture), values, cancelledBy: cancellation)
    }

    private func waitUntilSent(_ paths: Set<String>) async throws {
        try await sent.wait("the requests", within: .seconds(300)) { paths.isSubset(of: $0) ? () : nil }
    }

    @Test func `requests that begin to wait for each other at the same time end with the circle`() async throws {
        let responses = responses
        try await withDeadline(.seconds(300), "the end of both requests") {
            async let first = value("s/za", "token", for: "s/c", responses)
            async let second = value("s/zb", "token", for: "s/d", responses)
            try await waitUntilSent(["/slow", "/wait"])
            isOpen.change { $0 = true }
            for result in try await [first, second] {
                #expect(result.error?.message.contains("need values of each other") == true, "\(result)")
            }
        }
        #expect(!sent.current.contains("/a") && !sent.current.contains("/b"))
    }

    @Test func `a cancelled wait ends at once, and the next one sends the request again`() async throws {
        let responses = responses
        let cancellation = Cancellation()
        try await withDeadline(.seconds(300), "the end of the wait") {
            async let first = value("s/zslow", "ok", for: "s/c", responses, cancellation)
            try await waitUntilSent(["/slow"])
            cancellation.cancel()
            let error = try await first.error
            #expect(error?.message.contains("was cancelled") == true)
            isOpen.change { $0 = true }
            #expect(try await value("s/zslow", "ok", for: "s/c", responses).get() == "1")
        }
        #expect(sent.current == ["/slow", "/slow"])
    }

    @Test func `a wait that is cancelled does not end that of another request`() async throws {
        let responses = responses
        let cancellation = Cancellation()
        try await withDeadline(.seconds(300), "the value") {
            async let kept = value("s/zslow", "ok", for: "s/d", responses)
            try await waitUntilSent(["/slow"])
            async let cancelled = value("s/zslow", "ok", for: "s/c", responses, cancellation)
            cancellation.cancel()
            _ = try await cancelled
            isOpen.change { $0 = true }
            #expect(try await kept.get() == "1")
        }
        #expect(sent.current == ["/slow"])
    }
}

extension Result {
    fileprivate var error: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
