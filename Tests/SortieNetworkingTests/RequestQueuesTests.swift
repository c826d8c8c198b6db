import Support
import Testing

@testable import SortieHTTP
@testable import SortieNetworking

/// Tests that what a client knows of many origins has bounded memory.
@Suite struct RequestQueuesTests {
    private func key(_ number: Int) -> RequestQueueKey { .origin(.https, host: "h\(number).example", port: 443) }

    @Test func `queues that no call uses are removed, and one in use stays`() {
        let queues = RequestQueues()
        let used = queues.queue(key(0)) { RequestQueue(limit: 1) }
        for number in 1..<10_000 { _ = queues.queue(key(number)) { RequestQueue(limit: 1) } }
        #expect(queues.count <= RequestQueues.mostUnused)
        #expect(queues.queue(key(0)) { RequestQueue(limit: 1) } === used)
    }

    @Test func `queues with a limit of connections stay, because their connections are open`() {
        let queues = RequestQueues()
        for number in 0..<300 { _ = queues.queue(.service("s\(number)")) { RequestQueue(limit: 1, connections: 1) } }
        #expect(queues.count == 300)
    }

    @Test func `a client keeps few queues of many origins`() throws {
        let core = try Caller().client.core
        for number in 0..<2000 { _ = core.queue(for: try Request.to("http://h\(number).example/")) }
        #expect(core.queues.count <= RequestQueues.mostUnused)
    }

    @Test func `hosts whose requirement of TLS ends first are forgotten where there are many`() throws {
        let transport = StrictTransport()
        for number in 0...StrictTransport.mostHosts {
            let field = HeaderField("Strict-Transport-Security", "max-age=\(number + 10)")
            transport.note(Response(status: 200, headers: [field]), from: try Request.to("https://h\(number).test/"), now: 0)
        }
        #expect(transport.count <= StrictTransport.mostHosts)
        #expect(transport.upgraded(try HTTPURL(parsing: "http://h0.test/"), now: 0) == nil)
        #expect(transport.upgraded(try HTTPURL(parsing: "http://h\(StrictTransport.mostHosts).test/"), now: 0) != nil)
    }

    @Test func `a session of OAuth 2 that was not used for long is replaced`() throws {
        let sessions = OAuth2Sessions(presenter: nil, archive: nil)
        func session(_ client: Int) throws -> OAuth2Session {
            sessions.session(OAuth2(tokenURL: "http://h.example/token", clientID: "\(client)"), for: try Request.to("http://h.example/")) {
                (_) async throws(NetworkError) in throw .cancelledByCaller
            }
        }
        let (first, kept) = (try session(0), try session(1))
        for client in 2...1000 {
            _ = try session(client)
            #expect(try session(1) === kept)
        }
        #expect(try session(0) !== first)
    }
}
