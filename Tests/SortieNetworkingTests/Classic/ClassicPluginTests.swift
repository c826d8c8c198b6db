import SortieClassic
import Support
import Testing

/// Tests the plugins of the source documents as a program adds them.
@Suite(.fewAtOnce)
struct ClassicPluginTests {
    /// Responds to every request with the code of a login that has expired, and keeps the URLs.
    private struct Expired: Transport {
        let urls = Watched<[String]>([])

        func perform(_ request: TransportRequest, response: TransportResponseWriter) async throws {
            urls.change { $0.append(request.url.description) }
            try await response.begin(Response(status: 200, headers: [HeaderField("Content-Type", "application/json")]))
            try await response.write(Array(#"{"result_code": "auth_failed", "message": "sign in again"}"#.utf8))
        }
    }

    private func events(_ plugins: [any Plugin], _ transport: Expired = Expired()) async throws -> [CallEvent] {
        let client = Client(.init(plugins: plugins, transport: transport))
        var request = try Request("https://shop.example/orders?page=2")
        request.headers["Authorization"] = "Bearer t"
        var events: [CallEvent] = []
        for await event in client.events(request) { events.append(event) }
        return events
    }

    @Test func `S0.30 public parameters come first, and the signature last`() async throws {
        let transport = Expired()
        let parameters = ClassicPlugins.publicParameters(sortsOthers: true) { _ in [("lang", "en"), ("appId", "1")] }
        _ = try await events([parameters, ClassicPlugins.legacySignature(secret: "s")], transport)
        // printf 'GET/orders?appId=1&lang=en&page=2sBearer t' | md5sum
        #expect(transport.urls.current == ["https://shop.example/orders?appId=1&lang=en&page=2&sign=87f016ff96952f10983e93620a06de51"])
    }

    @Test func `the error filter and the signals report what the user shall see`() async throws {
        let events = try await events([ClassicPlugins.errorFilter(), ClassicPlugins.signals()])
        #expect(events.compactMap(\.signal) == [.loading(true), .authExpired("sign in again"), .toast("sign in again"), .loading(false)])
        guard case .finished(let exchange)? = events.last else {
            Issue.record("the last event is not the end of the call")
            return
        }
        #expect(exchange.error?.businessCode == "auth_failed")
    }

    @Test func `a plugin of the program can signal, too`() async throws {
        struct Greeting: Plugin {
            func willSend(_ request: Request, in context: PluginContext) { context.signal(ScreenSignal.toast("hello")) }
        }
        #expect(try await events([Greeting()]).compactMap(\.signal) == [.toast("hello")])
    }
}
