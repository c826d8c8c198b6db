import SortieNetworking
import Support
import Synchronization
import Testing
import WorkspaceModel

/// Tests that a dry run displays the request without sending it.
@Suite(.fewAtOnce)
struct ClientDryRunTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func client(_ plugins: [any Plugin] = []) -> Client { Client(.init(spoolFolder: folder.path, plugins: plugins)) }

    @Test(arguments: [HTTPMethod.get, .post, .put, .delete, .head])
    func `the fields of a dry run equal those that a call sends`(method: HTTPMethod) async throws {
        let server = try ScriptedServer(answering: .ok())
        var request = Request(method: method, url: try HTTPURL(parsing: "\(server.url)/a?b=1"), headers: [HeaderField("X-A", "1")])
        if method == .post { request.body = .text("{}", contentType: "application/json") }
        let client = client()
        let dryRun = await client.dryRun(request)
        #expect(server.acceptedConnections == 0, "nothing was sent")
        _ = await client.exchange(request)
        let sent = try #require(server.requests.first).headers.map { HeaderField($0.name, $0.value) }
        #expect(dryRun.headers.fields == sent)
        #expect(dryRun.addresses.map(\.description) == ["127.0.0.1"])
    }

    @Test func `token, parameters and signature are included, and the signed text is masked`() async throws {
        let store = CredentialStore(token: .init("tok1"), refresh: { _ in throw NetworkError(.internalFailure, "nobody may ask") })
        let client = client([
            PublicParametersPlugin { _ in [("appId", "100001")] }, TokenPlugin(store), SignPlugin(MD5Signer(secret: "s3cret")),
        ])
        let dryRun = await client.dryRun(Request(url: try HTTPURL(parsing: "http://127.0.0.1:9/gateway?a=1&token=x")))
        #expect(dryRun.error == nil)
        #expect(dryRun.request.url.query?.hasPrefix("appId=100001&a=1&token=x&sign=") == true)
        #expect(dryRun.request.headers["Authorization"] == "Bearer tok1")
        let text = dryRun.lines(redaction: .standard).map(\.text).joined(separator: "\n")
        #expect(text.contains("* signed: GET/gateway?appId=100001&a=1&token=••••••••••••"), "\(text)")
        for secret in ["tok1", "s3cret"] { #expect(!text.contains(secret)) }
    }

    @Test func `X3 the signed text equals the one that the signer signs, complete where secrets are displayed`() async throws {
        let url = try HTTPURL(parsing: "http://127.0.0.1:9/a?token=t0k&b=1")
        let legacy = await client([SignPlugin(MD5Signer(secret: "s3cret"))]).dryRun(Request(url: url))
        #expect(legacy.signed?.text == "GET/a?token=t0k&b=1s3cret")
        let hmac = await client([SignPlugin(HMACSigner(secret: "s3cret"), timestampHeader: "X-Time")]).dryRun(Request(url: url))
        let time = try #require(hmac.request.headers["X-Time"])
        let digest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        #expect(hmac.signed?.text == "GET\n/a\nb=1&token=t0k\n\(digest)\n\(time)")
        let lines = hmac.lines(redaction: .standard).map(\.text)
        #expect(lines.suffix(5) == ["GET", "/a", "b=1&token=••••", digest, time].map { "* signed: \($0)" })
    }

    @Test func `the cookies of the jar are included by name, and with values where secrets are displayed`() async throws {
        let server = try ScriptedServer(answering: .ok("", headers: [("Set-Cookie", "sid=v4lue")]))
        let client = client()
        let request = Request(url: try HTTPURL(parsing: server.url))
        _ = await client.exchange(request)
        let dryRun = await client.dryRun(request)
        let masked = dryRun.lines(redaction: .standard).map(\.text)
        #expect(masked.contains("Cookie: ••••") && masked.contains("* cookie: from the jar for 127.0.0.1: sid"), "\(masked)")
        #expect(dryRun.lines(redaction: .none).map(\.text).contains("Cookie: sid=v4lue"))
    }

    @Test func `a missing token is not requested`() async throws {
        let asked = Stages()
        let store = CredentialStore(refresh: { _ in
            asked.add("refresh")
            throw NetworkError(.internalFailure, "asked")
        })
        var request = Request(url: try HTTPURL(parsing: "http://127.0.0.1:9/"))
        request.options.cacheLifetime = .seconds(60)
        let dryRun = await client([TokenPlugin(store)]).dryRun(request)
        #expect(dryRun.error == nil && asked.all.isEmpty)
        #expect(dryRun.decisions.contains { $0.text.contains("would be fetched first") })
        #expect(!dryRun.request.headers.contains("Authorization"))
    }

    @Test func `the action of the cache is reported without changing the cache`() async throws {
        let server = try ScriptedServer(answering: .ok("a"))
        var request = Request(url: try HTTPURL(parsing: server.url))
        request.options.cacheLifetime = .seconds(60)
        let client = client()
        #expect(await client.dryRun(request).cache.contains("would be requested from the server: no entry"))
        _ = await client.exchange(request)
        let dryRun = await client.dryRun(request)
        #expect(dryRun.isAnsweredFromCache && dryRun.cache.contains("would be served from the cache"))
        #expect(server.requests.count == 1)
    }

    @Test func `a response that needs revalidation displays the validators that would be sent`() async throws {
        let server = try ScriptedServer(answering: .ok("a", headers: [("ETag", "\"v1\""), ("Cache-Control", "no-cache")]))
        var request = Request(url: try HTTPURL(parsing: server.url))
        request.options.cacheLifetime = .seconds(60)
        let client = client()
        _ = await client.exchange(request)
        let dryRun = await client.dryRun(request)
        #expect(!dryRun.isAnsweredFromCache)
        #expect(dryRun.cache.contains("would be revalidated with If-None-Match"), "\(dryRun.cache)")
        #expect(dryRun.headers["If-None-Match"] == "\"v1\"")
        #expect(server.requests.count == 1)
    }

    @Test func `a request that would be rejected displays the reason`() async throws {
        var request = Request(method: .head, url: try HTTPURL(parsing: "http://127.0.0.1:9/"))
        request.body = .text("x", contentType: nil)
        #expect(await client().dryRun(request).error?.code == .invalidMethod)
    }

    @Test func `plugin stages with external effects are not called`() async throws {
        let stages = Stages()
        _ = await client([stages]).dryRun(Request(url: try HTTPURL(parsing: "http://127.0.0.1:9/")))
        #expect(stages.all == ["willPrepare", "prepare"])
    }
}

private final class Stages: Plugin {
    private let names = Mutex<[String]>([])

    var all: [String] { names.withLock { $0 } }

    func add(_ name: String) { names.withLock { $0.append(name) } }

    func willPrepare(_ request: inout Request, in context: PluginContext) { add("willPrepare") }

    func prepare(_ request: inout Request, in context: PluginContext) { add("prepare") }

    func willSend(_ request: Request, in context: PluginContext) { add("willSend") }

    func didFinish(_ exchange: Exchange, in context: PluginContext) { add("didFinish") }
}
