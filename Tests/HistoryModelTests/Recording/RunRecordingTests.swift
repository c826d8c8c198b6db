import Foundation
import HistoryModel
import SortieBase
import SortieHTTP
import Testing
import WorkspaceModel

/// Tests runs that are built of exchanges.
@Suite struct RunRecordingTests {
    private var workspace: Workspace {
        var workspace = Workspace(name: "w", folder: "/w")
        var shop = Service(folder: "shop", name: "Shop")
        let login = Endpoint(target: "shop/login", name: "Login", method: .post, path: "/login")
        var orders = Endpoint(target: "shop/orders", name: "Orders", path: "/orders")
        orders.headers = [Parameter("X-Session", "s-4711")]
        shop.endpoints = [login, orders]
        workspace.services = [shop]
        return workspace
    }

    private func exchange(
        _ number: Int64, _ path: String, target: String? = nil, method: HTTPMethod = .get, body: String = "{}", headers: [HeaderField] = [],
        kind: Endpoint.Kind = .data
    ) throws -> PastExchange {
        let url = try HTTPURL(parsing: "http://127.0.0.1:8080\(path)")
        let id = RequestID(high: 1, low: UInt64(number))
        var request = Request(method: method, url: url)
        if let endpoint = target.flatMap({ workspace.endpoint($0) }) { request.origin = RequestOrigin(endpoint: endpoint) }
        var exchange = Exchange(id: id, request: request, startedAt: Date(timeIntervalSince1970: Double(number)))
        exchange.response = Response(status: 200, headers: Headers(headers), body: BodyBytes(Array(body.utf8)))
        let item = HistoryItem(
            number: number, id: id, startedAt: exchange.startedAt, workspace: "/w", service: target.map { Endpoint.serviceName(of: $0) },
            target: target,
            kind: kind, method: method, url: url.description, status: 200)
        return PastExchange(item: item, exchange: exchange)
    }

    private func record(_ exchanges: [PastExchange]) throws -> RunRecording {
        let server = try HTTPURL(parsing: "http://127.0.0.1:8080")
        return RunRecording(named: "r", of: exchanges, in: workspace) { _ in [server] }
    }

    @Test func `exchanges become steps in the order in which they were sent`() throws {
        let recording = try record([exchange(7, "/orders", target: "shop/orders"), exchange(3, "/login", target: "shop/login", method: .post)])
        #expect(recording.run.steps.map(\.target) == ["shop/login", "shop/orders"] && recording.run.kind == .chain)
        #expect(recording.endpoints.isEmpty && recording.notes == ["No later request has a value of an earlier response"])
    }

    @Test func `a value of a response that a later request has becomes a capture`() throws {
        let recording = try record([
            exchange(1, "/login", target: "shop/login", method: .post, body: #"{"session": "s-4711", "n": 1}"#),
            exchange(2, "/orders", target: "shop/orders"),
        ])
        let edited = Dictionary(uniqueKeysWithValues: recording.endpoints.map { ($0.edited.target, $0.edited) })
        #expect(edited["shop/login"]?.captures == [Capture(name: "session", path: "$.session")])
        #expect(edited["shop/orders"]?.headers == [Parameter("X-Session", "{{login.session}}")])
        #expect(recording.endpoints.allSatisfy { $0.original != nil })
        #expect(recording.notes == ["{{login.session}} ($.session) is used by orders: header X-Session"])
    }

    @Test func `the first items of a long list are captured`() throws {
        let items = [#"{"id": "s-4711"}"#] + (0..<4000).map { #"{"id": "other-\#($0)"}"# }
        let recording = try record([
            exchange(1, "/login", target: "shop/login", method: .post, body: "[\(items.joined(separator: ","))]"),
            exchange(2, "/orders", target: "shop/orders"),
        ])
        #expect(recording.captures.map(\.path) == ["$[0].id"])
    }

    @Test func `a value with several places, of several responses, or that was sent before is not captured`() throws {
        let twice = try record([
            exchange(1, "/login", target: "shop/login", method: .post, body: #"{"a": "s-4711", "b": "s-4711"}"#),
            exchange(2, "/orders", target: "shop/orders"),
        ])
        #expect(twice.captures.isEmpty)
        let several = try record([
            exchange(1, "/login", target: "shop/login", method: .post, body: #"{"a": "s-4711"}"#), exchange(2, "/other", body: #"{"a": "s-4711"}"#),
            exchange(3, "/orders", target: "shop/orders"),
        ])
        #expect(several.captures.isEmpty)
        let echoed = try record([
            exchange(1, "/login?session=s-4711", target: "shop/login", method: .post, body: #"{"a": "s-4711"}"#),
            exchange(2, "/orders", target: "shop/orders"),
        ])
        #expect(echoed.captures.isEmpty)
    }

    @Test func `a request of no endpoint becomes a new endpoint of its service, once for equal requests`() throws {
        let recording = try record([
            exchange(1, "/items", method: .post, body: #"{"id": 4711}"#), exchange(2, "/items/4711"), exchange(3, "/items/4711"),
        ])
        #expect(recording.run.steps.map(\.target) == ["shop/items", "shop/4711", "shop/4711"])
        #expect(recording.run.steps.map(\.name) == ["items", "4711", "4711-2"])
        let new = recording.endpoints.map(\.edited)
        #expect(recording.endpoints.allSatisfy { $0.original == nil } && new.map(\.target) == ["shop/4711", "shop/items"])
        #expect(new.map(\.path) == ["/items/{{items.id}}", "/items"] && new.last?.method == .post)
    }

    @Test func `a masked credential of a new endpoint gets the only masked value of the responses before`() throws {
        func orders(_ number: Int64) throws -> PastExchange {
            var past = try exchange(number, "/items")
            past.exchange.request.headers = [HeaderField("Authorization", "Bearer \(HeaderField.mask)")]
            past.masks.request = [.header(0)]
            return past
        }
        let login = try exchange(1, "/login", target: "shop/login", method: .post, body: #"{"token": "\#(HeaderField.mask)", "user": "demo"}"#)
        let recording = try record([login, orders(2)])
        let edited = Dictionary(uniqueKeysWithValues: recording.endpoints.map { ($0.edited.target, $0.edited) })
        #expect(edited["shop/login"]?.captures == [Capture(name: "token", path: "$.token")])
        #expect(edited["shop/items"]?.headers == [Parameter("Authorization", "Bearer {{login.token}}")])
        let other = try exchange(2, "/other", body: #"{"secret": "\#(HeaderField.mask)"}"#)
        #expect(try record([login, other, orders(3)]).captures.isEmpty)
    }

    @Test func `the ETag of a response is captured, and a connection is left out`() throws {
        let recording = try record([
            exchange(1, "/login", target: "shop/login", method: .post, headers: [HeaderField("ETag", "s-4711")]),
            exchange(2, "/orders", target: "shop/orders"), exchange(3, "/socket", kind: .webSocket),
        ])
        #expect(recording.captures.map(\.path) == ["header ETag"])
        #expect(recording.run.steps.count == 2 && recording.notes.first?.hasPrefix("Left out: #3 WS") == true)
    }
}
