import HistoryModel
import SortieHTTP
import Testing
import WorkspaceModel

import struct Foundation.Date

/// Tests requests of the history that are sent again.
@Suite struct ReplayTests {
    /// A workspace with one endpoint, and the stored exchange of sending it.
    private struct Setting {
        var workspace = Workspace(name: "W", folder: "/w")
        var endpoint = Endpoint(target: "shop/pay", name: "Pay", method: .post, path: "/pay")
        var service = Service(folder: "shop", name: "Shop")
        /// The secret named `key`, before and now.
        var (then, now) = ("sesame-1", "sesame-2")
        var files: [PastExchange.SentFile] = []
        var sentHeaders: Headers = []

        init() {
            service.servers = ["develop": ["http://shop.example"]]
            workspace.environments = [.init(name: "develop", variables: ["who": "ann"])]
            workspace.secrets = ["key": .environment("KEY")]
        }

        private func builder() -> RequestBuilder {
            var workspace = workspace
            var service = service
            service.endpoints = [endpoint]
            workspace.services = [service]
            return RequestBuilder(workspace: workspace, environment: "develop")
        }

        private func scope(_ secret: String) -> (Endpoint, RequestBuilder) -> TemplateScope {
            { endpoint, builder in
                builder.scope(
                    of: endpoint, secret: { name throws(TemplateError) in name == "key" ? secret : nil },
                    builtin: { name, _ in name == "uuid" ? "uuid \(secret.count)" : nil })
            }
        }

        /// The stored exchange of the endpoint.
        func past() throws -> PastExchange {
            let builder = builder()
            let request = try builder.request(for: endpoint, in: scope(then)(endpoint, builder))
            var exchange = Exchange(id: RequestID(high: 1, low: 1), request: request, startedAt: Date(timeIntervalSince1970: 0))
            var attempt = Attempt(url: request.url, method: request.method, startedAt: exchange.startedAt)
            attempt.sentHeaders = sentHeaders
            exchange.attempts = [attempt]
            let item = HistoryItem(
                number: 1, id: exchange.id, startedAt: exchange.startedAt, target: "shop/pay", environment: "develop", url: request.url.description)
            let masked = exchange.masked(by: Redaction(values: [then]))
            return PastExchange(item: item, exchange: masked, masks: MaskedParts(of: request, in: masked.request), sentFiles: files)
        }

        func replayed(_ past: PastExchange, given: [HeaderField] = [], files now: [PastExchange.SentFile] = []) -> ReplayPlan {
            var replay = Replay(
                past, builder: builder(), scope: scope(self.now), redaction: { Redaction(values: [self.now]) },
                file: { path in now.first { $0.path == path } })
            replay.given = given
            return replay.planned()
        }
    }

    @Test func `a request without secrets is sent unchanged, whatever the current files`() throws {
        var setting = Setting()
        setting.endpoint.headers = [Parameter("X-Who", "{{who}}"), Parameter("X-Id", "{{$uuid}}")]
        setting.endpoint.query = [Parameter("q", "a b")]
        setting.now = "no value of then"
        setting.then = "abc"
        var past = try setting.past()
        past.exchange.request.options.cacheLifetime = .seconds(60)
        setting.workspace.environments[0].variables = ["who": "bob"]
        setting.service.servers = ["develop": ["http://other.example"]]
        setting.service.headers = [Parameter("X-New", "1")]
        setting.endpoint.path = "/other"
        let plan = setting.replayed(past)
        #expect(plan.refusal == nil)
        #expect(plan.request.url.description == "http://shop.example/pay?q=a%20b")
        #expect(plan.request.headers == past.exchange.request.headers)
        #expect(plan.request.options.cacheLifetime == nil, "it is meant to reach the server")
        #expect(plan.fresh == [])
    }

    @Test func `secrets in URL, header fields and body have their current values, and are listed`() throws {
        var setting = Setting()
        setting.endpoint.query = [Parameter("a", "1"), Parameter("q", "x{{key}}")]
        setting.endpoint.headers = [Parameter("X-Mine", "Key {{key}}, {{who}}")]
        setting.endpoint.auth = .bearer(token: "{{key}}")
        setting.endpoint.body = .json(#"{"password": "{{key}}", "who": "{{who}}"}"#)
        let past = try setting.past()
        setting.workspace.environments[0].variables = ["who": "bob"]
        let plan = setting.replayed(past)
        #expect(plan.refusal == nil)
        #expect(plan.request.url.description == "http://shop.example/pay?a=1&q=xsesame-2")
        #expect(plan.request.headers["X-Mine"] == "Key sesame-2, ann")
        #expect(plan.request.headers["Authorization"] == "Bearer sesame-2")
        #expect(plan.request.body == .bytes(Array(#"{"password": "sesame-2", "who": "ann"}"#.utf8), contentType: "application/json"))
        #expect(
            plan.fresh == [
                "the parameter q, with its current value", "X-Mine, with its current value", "Authorization, with its current value",
                "a secret in the body, with its current value",
            ])
    }

    @Test func `a typed secret is missing, and can be entered`() throws {
        var setting = Setting()
        setting.endpoint.auth = .bearer(token: "typed")
        let past = try setting.past()
        setting.endpoint.auth = .inherit
        #expect(past.exchange.request.headers["Authorization"] == HeaderField.mask)
        let plan = setting.replayed(past)
        #expect(plan.refusal?.contains("Authorization was a secret") == true)
        let given = setting.replayed(past, given: [HeaderField("Authorization", "Bearer typed")])
        #expect(given.refusal == nil)
        #expect(given.request.headers["Authorization"] == "Bearer typed")
    }

    @Test func `a typed secret is taken from the endpoint if the endpoint now contains it`() throws {
        var setting = Setting()
        setting.endpoint.auth = .basic(user: "ann", password: "typed")
        let plan = setting.replayed(try setting.past())
        #expect(plan.refusal == nil)
        #expect(plan.request.headers["Authorization"] == "Basic YW5uOnR5cGVk")
    }

    @Test func `the text of a mask in a value of the user is sent again`() throws {
        var setting = Setting()
        setting.endpoint.path = "/••••/a"
        setting.endpoint.query = [Parameter("note", "••••"), Parameter("q", "x{{key}}")]
        setting.endpoint.headers = [Parameter("X-Note", "••••"), Parameter("X-Mine", "{{key}}")]
        setting.endpoint.auth = .bearer(token: "••••")
        setting.endpoint.variables = ["own": "••••"]
        setting.endpoint.body = .multipart([.init(name: "note", value: "{{own}}"), .init(name: "text", value: "{{key}}")])
        let past = try setting.past()
        #expect(past.masks.endpoint == [])
        // The workspace does not have the endpoint any more.
        setting.endpoint = Endpoint(target: "shop/other", name: "Other", path: "/")
        let plan = setting.replayed(past)
        #expect(plan.refusal == nil)
        #expect(plan.request.url.path == past.exchange.request.url.path)
        #expect(plan.request.url.query == past.exchange.request.url.query?.replacing("x••••", with: "xsesame-2"))
        #expect(plan.request.headers["X-Note"] == "••••" && plan.request.headers["X-Mine"] == "sesame-2")
        guard case .multipart(let parts) = plan.request.body else { return #expect(Bool(false), "\(plan.request.body)") }
        #expect(parts.map(\.content) == [.bytes(Array("••••".utf8)), .bytes(Array("sesame-2".utf8))])
    }

    @Test(arguments: ["{{typed}}", "Key {{typed}}, {{who}}"])
    func `a part with a typed secret that is unknown now is missing, also where it is a variable`(value: String) throws {
        var setting = Setting()
        setting.then = "typed-secret"
        setting.endpoint.variables = ["typed": "typed-secret"]
        setting.endpoint.headers = [Parameter("X-Mine", value)]
        setting.endpoint.auth = .basic(user: "ann", password: "{{typed}}")
        setting.endpoint.body = .json(#"{"password": "{{typed}}"}"#)
        let past = try setting.past()
        #expect(past.masks == MaskedParts(request: [.header(0), .header(1), .body], endpoint: [.variable("typed")]))
        setting.endpoint = Endpoint(target: "shop/other", name: "Other", path: "/")
        setting.now = "no value of then"
        let plan = setting.replayed(past)
        #expect(plan.fresh == [])
        for name in ["X-Mine", "Authorization", "a secret in the body"] { #expect(plan.refusal?.contains("\(name) was a secret") == true) }
        #expect(plan.request.secrets.values == [])
    }

    @Test func `a Digest password with a typed secret that is unknown now is missing`() throws {
        var setting = Setting()
        setting.then = "typed-secret"
        setting.endpoint.variables = ["typed": "typed-secret"]
        setting.endpoint.auth = .digest(user: "ann", password: "{{typed}}")
        let past = try setting.past()
        setting.endpoint = Endpoint(target: "shop/other", name: "Other", path: "/")
        #expect(setting.replayed(past).refusal?.contains("the password of Digest was a secret") == true)
    }

    @Test func `masked names of parts and of files in them have their current values, or are missing`() throws {
        var setting = Setting()
        setting.endpoint.body = .multipart([.init(name: "n-{{key}}", value: "1", fileName: "{{key}}.txt"), .init(name: "b", value: "2")])
        let past = try setting.past()
        #expect(past.masks.request == [.bodyPart(0)])
        guard case .multipart(let parts) = setting.replayed(past).request.body else { return #expect(Bool(false)) }
        #expect(parts.map(\.name) == ["n-sesame-2", "b"] && parts[0].fileName == "sesame-2.txt")
        setting.endpoint = Endpoint(target: "shop/other", name: "Other", path: "/")
        var unknown = past
        unknown.exchange.request.origin = nil
        #expect(setting.replayed(unknown).refusal?.contains("the part n-•••• was a secret") == true)
    }

    @Test func `a changed file is reported, and a missing one cannot be sent`() throws {
        var setting = Setting()
        setting.endpoint.body = .file(path: "/data/a.bin", contentType: nil)
        setting.files = [.init(path: "/data/a.bin", size: 5, modified: 100)]
        let past = try setting.past()
        #expect(setting.replayed(past, files: setting.files).changed == [])
        #expect(setting.replayed(past, files: [.init(path: "/data/a.bin", size: 6, modified: 200)]).changed == ["the file /data/a.bin has changed"])
        #expect(setting.replayed(past).refusal?.contains("/data/a.bin can no longer be read") == true)
    }

    @Test func `parts that are generated again are listed`() throws {
        var setting = Setting()
        setting.workspace.publicParameters = [Parameter("appId", "1"), Parameter("timeStamp", "{{$date yyyy}}")]
        setting.workspace.plugins = [
            PluginSetting(.token(.init()), location: SourceLocation(file: "workspace.yaml")),
            PluginSetting(.sign(.init()), location: SourceLocation(file: "workspace.yaml")),
        ]
        setting.endpoint.body = .multipart([.init(name: "a", value: "1")])
        setting.sentHeaders = [HeaderField("Cookie", "a=1")]
        let plan = setting.replayed(try setting.past())
        #expect(
            plan.fresh == ["the boundary of its parts", "the public parameter timeStamp", "the token", "the signature", "cookies, from the jar"])
    }

    @Test(arguments: [
        "query", "form", "user info", "variable",
    ]) func `a typed secret is never replaced by its mask, in any encoding`(place: String) throws {
        var setting = Setting()
        switch place {
        case "form": setting.endpoint.body = .form([Parameter("password", "hunter-two"), Parameter("user", "ann")])
        case "user info": setting.endpoint.path = "http://ann:hunter-two@other.example/"
        case "variable":
            setting.endpoint.variables = ["password": "hunter-two"]
            setting.endpoint.auth = .basic(user: "ann", password: "{{password}}")
        default: setting.endpoint.query = [Parameter("token", "hunter-two")]
        }
        let past = try setting.past()
        #expect(!"\(past.exchange)".contains("hunter-two"))
        setting.endpoint = Endpoint(target: "shop/else", name: "Else", path: "/")
        let plan = setting.replayed(past)
        #expect(plan.refusal != nil, "\(plan.request)")
    }

    @Test func `without the service, nothing is sent without its token and its trust settings`() throws {
        var setting = Setting()
        let past = try setting.past()
        setting.service.servers = [:]
        #expect(setting.replayed(past).refusal?.contains("no server for the environment develop") == true)
    }

    @Test func `a server that was removed from the service is reported`() throws {
        var setting = Setting()
        let past = try setting.past()
        setting.service.servers = ["develop": ["https://new.example"]]
        let plan = setting.replayed(past)
        #expect(plan.changed == ["http://shop.example is no longer a server of shop; secrets are sent there nevertheless"])
        #expect(plan.request.url.origin == "http://shop.example")
    }

    @Test func `a typed Digest password is missing, and one from a secret has its current value`() throws {
        var setting = Setting()
        setting.endpoint.auth = .digest(user: "ann", password: "hunter-two")
        var past = try setting.past()
        past.exchange.request.options.credential = .inherit
        setting.endpoint.auth = .inherit
        #expect(setting.replayed(past).refusal?.contains("Digest password of ann") == true)
        setting.endpoint.auth = .digest(user: "ann", password: "{{key}}")
        past = try setting.past()
        past.exchange.request.options.credential = .inherit
        #expect(setting.replayed(past).request.options.credential.login?.password == "sesame-2")
    }

    @Test func `the addresses and the socket are the original ones`() throws {
        let setting = Setting()
        var past = try setting.past()
        past.exchange.request.options.addresses = [try #require(IPAddress("127.0.0.9"))]
        past.exchange.request.options.unixSocket = "/run/some.sock"
        let options = setting.replayed(past).request.options
        #expect(options.addresses.map(\.description) == ["127.0.0.9"])
        #expect(options.unixSocket == "/run/some.sock")
    }
}
