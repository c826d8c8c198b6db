import SortieBase
import SortieHTTP
import Support
import Testing

@testable import SortieNetworking

/// Tests requests whose proxy a script chooses.
struct ProxyScriptConnectionTests {
    @Test func `requests of a client fetch a script once, without proxy and cookies, also while the client sends one request at a time`() async throws
    {
        let proxy = try ScriptedServer(answering: .ok("by proxy"))
        let scripts = try ScriptedServer(answering: .ok("function FindProxyForURL(url, host) { return 'PROXY 127.0.0.1:\(proxy.port)' }"))
        let folder = try TemporaryFolder()
        var configuration = ClientConfiguration(spoolFolder: folder.path)
        configuration.maximumRequests = 1
        configuration.options.environmentProxies = EnvironmentProxies(["all_proxy": "http://127.0.0.1:1"])
        let client = Client(configuration)
        let script = ProxyScript(.url(try HTTPURL(parsing: "\(scripts.url)/p.pac")))
        let request = try Request.to("http://shop.invalid/") { $0.proxyScript = CopyOnWrite(wrappedValue: script) }
        let texts = try await withDeadline(.seconds(60), "the requests to end") {
            await withTaskGroup(of: String?.self) { group in
                for _ in 0..<3 { group.addTask { await client.exchange(request, id: nil).text } }
                return await group.reduce(into: []) { $0.append($1) }
            }
        }
        #expect(texts == ["by proxy", "by proxy", "by proxy"])
        #expect(scripts.requests.map(\.target) == ["/p.pac"] && proxy.requests.count == 3)
    }

    @Test func `a script that is not there is an error, and the request is not sent without a proxy`() async throws {
        let server = try ScriptedServer(answering: .ok("direct"))
        let scripts = try ScriptedServer(answering: .status(404))
        let script = ProxyScript(.url(try HTTPURL(parsing: "\(scripts.url)/p.pac")))
        let exchange = try await Caller().get("\(server.url)/") { $0.proxyScript = CopyOnWrite(wrappedValue: script) }
        #expect(exchange.error?.code == .proxyFailed && exchange.error?.message.contains("the server responded with 404") == true)
        #expect(server.requests.isEmpty)
    }
}
