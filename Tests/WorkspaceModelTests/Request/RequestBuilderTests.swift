import SortieHTTP
import Testing
import WorkspaceModel

@Suite struct RequestPlanTests {
    private func workspace(_ change: (inout Service, inout Endpoint) -> Void = { _, _ in }) -> (Workspace, Endpoint) {
        var workspace = Workspace(name: "W", folder: "/w")
        workspace.environments = [
            .init(name: "develop", variables: ["host": "dev:81"]), .init(name: "release", variables: ["host": "rel"]),
        ]
        workspace.variables = ["host": "nowhere", "id": "7"]
        var service = Service(folder: "shop", name: "Shop")
        service.servers = ["develop": ["http://{{host}}/v1/"], "release": ["https://a.{{host}}", "https://b.{{host}}"]]
        var endpoint = Endpoint(target: "shop/orders/get", name: "Get", path: "orders/{{id}}")
        change(&service, &endpoint)
        service.endpoints = [endpoint]
        workspace.services = [service]
        return (workspace, endpoint)
    }

    private func request(
        environment: String? = "develop", overrides: [[String: String]] = [], server: Int = 0,
        _ change: (inout Service, inout Endpoint) -> Void = { _, _ in }
    ) throws -> Request {
        let (workspace, endpoint) = workspace(change)
        var builder = RequestBuilder(workspace: workspace, environment: environment, overrides: overrides)
        builder.turn = { _, _ in ServerTurn(index: server, generation: server) }
        return try builder.request(for: endpoint, in: builder.scope(of: endpoint, builtin: { name, _ in name == "uuid" ? "u" : nil }))
    }

    private func problem(environment: String? = "develop", _ change: (inout Service, inout Endpoint) -> Void) -> String? {
        do {
            return "made " + (try request(environment: environment, change).url.description)
        } catch let problem as Diagnostic {
            return problem.description
        } catch {
            return "\(error)"
        }
    }

    @Test func `an endpoint with events accepts a stream of events, unless a field says otherwise`() throws {
        #expect(try request { $1.kind = .events }.headers.values(of: "Accept") == ["text/event-stream"])
        #expect(
            try request {
                $1.headers = [Parameter("accept", "text/x")]; $1.kind = .events
            }.headers.values(of: "Accept") == ["text/x"])
        #expect(
            try request {
                $0.headers = [Parameter("Accept", "text/y")]; $1.kind = .events
            }.headers.values(of: "Accept") == ["text/y"])
        #expect(
            try request {
                $1.removedHeaders = ["Accept"]; $1.kind = .events
            }.headers["Accept"] == nil)
        #expect(try request().headers["Accept"] == nil)
    }

    @Test(arguments: [
        (BodyTemplate.json("{\n  \"a\": 1,\n}"), " at line 3, column 1 of the body"),
        (.json("{\n  \"a\": {{missing}}\n}"), "line 2 of the body: "), (.text("a\n{{id}}\n{{missing}}", contentType: nil), "line 3 of the body: "),
        (.text("{{missing}}", contentType: nil), ": body: "),
        (.json("{\n  \"a\": \"{{$uuid}}\",\n  \"b\": \"{{missing}}\"\n}"), "line 3 of the body: nothing defines {{missing}}"),
        (.json("{\n  \"a\": \"{{$uuid}}\",\n  \"b\": {{$uuid}}\n}"), "line 3 of the body: {{$uuid}} is outside quotes"),
    ])
    func `an error in a body names the line in the body`(body: BodyTemplate, message: String) throws {
        let found = problem { $1.body = body }
        #expect(found?.contains(message) == true, "\(found ?? "")")
    }

    @Test func `server, path and variables of the environment form the URL (X5, S2.5)`() throws {
        #expect(try request().url.description == "http://dev:81/v1/orders/7")
        #expect(try request { $1.path = "https://x/{{id}}" }.url.description == "https://x/7")
    }

    @Test func `S2.9 an empty path gives the URL of the server`() throws {
        let request = try request {
            $1.path = ""
            $1.query = [Parameter("a", "1")]
        }
        #expect(request.url.description == "http://dev:81/v1/?a=1")
    }

    @Test func `the options of an endpoint apply to its request (S2.12–S2.15, S2.21)`() throws {
        let options = try request {
            $1.version = .http1
            $1.redirects = 0
            $1.compression = false
            $1.cookies = false
            $1.interface = "lo"
            $1.excludedNetworks = [.metered]
            $1.priority = .high
            $1.traffic = .background
            $1.serviceType = .voip
            $1.uploadRate = 500_000
        }.options
        #expect(options.serviceType == .voip && options.maximumUploadRate == 500_000)
        #expect(options.version == .http1)
        #expect(options.maximumRedirects == 0)
        #expect(!options.decompresses)
        #expect(!options.usesCookies)
        #expect(options.interface == "lo" && options.excludedNetworks == [.metered])
        #expect(options.priority == .high)
        #expect(options.traffic == .background)
        #expect(try request().options == RequestOptions())
    }

    @Test func `an invalid URL is a problem of the path of the endpoint`() {
        let endpoint = problem { $1.path = "http://{{id}}:99999/" }
        #expect(endpoint?.hasPrefix("shop/orders/get:1:1: path: “http://7:99999/” is not a URL that can be sent") == true)
    }

    @Test func `an invalid server is a problem of the servers of the service`() {
        let server = problem { service, _ in
            service.servers["develop"] = ["http://{{id}}:99999"]
            service.location = SourceLocation(file: "shop/service.yaml", line: 2, column: 1)
        }
        #expect(server?.hasPrefix("shop/service.yaml:2:1: servers: develop: “http://7:99999” is not a URL that can be sent") == true)
        let undefined = problem { service, _ in
            service.servers["develop"] = ["http://{{nothing}}"]
            service.location = SourceLocation(file: "shop/service.yaml")
        }
        #expect(undefined?.hasPrefix("shop/service.yaml:1:1: servers: develop: ") == true)
    }

    @Test func `S1.4 a URL without TLS is a problem at the place that requires TLS`() throws {
        #expect(
            problem { $1.requiresTLS = true }
                == "shop/orders/get:1:1: https: TLS is required, and http://dev:81 does not use it; write an https URL")
        let ofService = problem { service, _ in
            service.requiresTLS = true
            service.location = SourceLocation(file: "shop/service.yaml", line: 2, column: 1)
        }
        #expect(ofService?.hasPrefix("shop/service.yaml:2:1: https: TLS is required") == true)
        #expect(problem(environment: "release") { $1.requiresTLS = true } == "made https://a.rel/orders/7")
        let exempt = try request {
            $0.requiresTLS = true
            $1.requiresTLS = false
        }
        #expect(!exempt.options.requiresTLS)
        #expect(try request(environment: "release") { service, _ in service.requiresTLS = true }.options.requiresTLS)
    }

    @Test func `S1.4 a URL with a port of the service's table is moved to TLS where TLS is required`() throws {
        func moved(_ change: (inout Service, inout Endpoint) -> Void = { _, _ in }) throws -> Request {
            try request {
                $0.servers["develop"] = ["http://{{host}}", "http://b"]
                $0.requiresTLS = true
                $0.tlsPorts = [80: 443, 81: 8443]
                change(&$0, &$1)
            }
        }
        let both = try moved()
        #expect(([both.url] + both.otherServers).map(\.description) == ["https://dev:8443/orders/7", "https://b/orders/7"])
        #expect(try moved { $1.path = "http://x/{{id}}" }.url.description == "https://x/7")
        #expect(try moved { $1.path = "https://x:80/" }.url.description == "https://x:80/", "a URL with TLS stays as it is")
        #expect(try moved { $1.requiresTLS = false }.url.description == "http://dev:81/orders/7")
        let other = problem {
            $0.requiresTLS = true
            $0.tlsPorts = [80: 443]
            $0.location = SourceLocation(file: "shop/service.yaml")
            $1.path = "/"
        }
        let message = "TLS is required, and http://dev:81 does not use it; write an https URL, or add the port 81 to ports: of https in the service"
        #expect(other == "shop/service.yaml:1:1: https: \(message)")
    }

    @Test func `S2.19 a request that inherits nothing has only the settings of its file`() throws {
        let request = try request {
            $0.headers = [Parameter("X-Service", "1")]
            $0.auth = .bearer(token: "secret")
            $0.timeouts = Timeouts(total: .seconds(1))
            $0.parameters = ParameterStyle(charset: "gbk")
            $0.trust.isInsecure = true
            $1.inherits = false
            $1.headers = [Parameter("X-Own", "1")]
            $1.query = [Parameter("q", "编")]
        }
        #expect(request.headers == [HeaderField("X-Own", "1")])
        #expect(request.url.query == "q=%E7%BC%96")
        #expect(request.options.timeouts == Timeouts())
        #expect(request.options.bypassesPlugins && !request.options.usesCookies)
        #expect(request.options.trust.isInsecure, "the trust belongs to the connection, not to the request")
    }

    @Test func `a relative file path is resolved against the endpoint's file, and an empty path is a problem (S2.20)`() throws {
        #expect(
            try request { $1.body = .file(path: "a.bin", contentType: nil) }.body
                == .file(path: "/w/shop/orders/a.bin", contentType: "application/octet-stream"))
        #expect(problem { $1.body = .file(path: "", contentType: nil) }?.contains("the body has no file") == true)
    }

    @Test func `overrides take precedence over the endpoint, the environment and the workspace, in this order`() throws {
        #expect(try request { $1.variables = ["id": "8"] }.url.path == "/v1/orders/8")
        #expect(try request(overrides: [["id": "9"], ["id": "10"]]) { $1.variables = ["id": "8"] }.url.path == "/v1/orders/9")
    }

    @Test func `servers are a ring per environment (S1.8)`() throws {
        let hosts = try (0...2).map { try request(environment: "release", server: $0).url.host }
        #expect(hosts == ["a.rel", "b.rel", "a.rel"])
    }

    @Test func `a service without a server for the environment is a problem with the remedy`() {
        let text =
            "shop/orders/get:1:1: the service shop has no server for the environment other; add one under servers in its service.yaml"
        #expect(problem(environment: "other") { _, _ in } == text)
        let unchosen = "no environment is chosen, and the service shop has servers for develop, release; set environment and environments"
        #expect(problem(environment: nil) { _, _ in }?.contains(unchosen) == true)
        #expect(problem { service, _ in service.servers["develop"] = [] }?.contains("has no server") == true)
    }

    @Test func `a scheme that is not supported is named, also where the service has no server`() {
        let text = "path: the scheme htp is not supported; write http, https, ws or wss"
        #expect(problem { $1.path = "htp://x/y" }?.contains(text) == true)
        #expect(problem(environment: "other") { $1.path = "htp://x/y" }?.contains(text) == true)
        #expect(problem { $1.path = "/redirect/a://b" }?.hasPrefix("made http") == true)
    }

    @Test func `a problem contains file, line and field`() {
        let place = SourceLocation(file: "shop/orders/get.yaml", line: 3, column: 1)
        #expect(
            problem {
                $1.location = place
                $1.query = [Parameter("a", "{{nothing}}")]
            }?.hasPrefix("shop/orders/get.yaml:3:1: query “a”: nothing defines {{nothing}}") == true)
        #expect(problem { $1.headers = [Parameter("A", "x\r\nB: y")] }?.contains("would start another header") == true)
        #expect(problem { $1.path = "http://a:0/" }?.contains("is not a port") == true)
    }

    @Test func `enabled rows with a name are sent, percent-encoded, after the path's own query`() throws {
        let url = try request {
            $1.path = "/a?x=1"
            $1.query = [Parameter("b c", "{{id}}&"), Parameter("off", "1", isEnabled: false), Parameter("", "y")]
        }.url
        #expect(url.query == "x=1&b%20c=7%26")
    }

    @Test func `a parameter in the path replaces the rows of its name`() throws {
        let url = try request {
            $1.path = "/a?p%61ge=4&x"
            $1.query = [Parameter("page", "1"), Parameter("x", "2"), Parameter("size", "20")]
        }.url
        #expect(url.query == "p%61ge=4&x&size=20")
        #expect(
            try request(environment: "release") {
                $1.path = "/a?page=4"
                $1.query = [Parameter("page", "1")]
            }.otherServers.map(\.query) == ["page=4"])
    }

    @Test func `parameters can be removed from a path, whose other text is preserved`() {
        func path(_ path: String, without names: Set<String>) -> String {
            var endpoint = Endpoint(target: "a/b", name: "B", path: path)
            endpoint.removeQueryItems(named: names)
            return endpoint.path
        }
        #expect(path("/a?p%61ge=4&x=%7b{{v}}&page#f", without: ["page"]) == "/a?x=%7b{{v}}#f")
        #expect(path("/a?page=4", without: ["page"]) == "/a")
        #expect(path("/a?&b=page", without: ["page"]) == "/a?&b=page")
    }

    @Test func `a value cannot add to the structure of a path, query, JSON text or property list`() throws {
        let path = try request(overrides: [["id": "7/../../admin?x=1#f"]]).url
        #expect(path.requestTarget == "/v1/orders/7%2F..%2F..%2Fadmin%3Fx%3D1%23f")
        let request = try request(overrides: [["id": #"a","admin":true,"z":"b"#]]) {
            $1.path = "/x"
            $1.body = .json(#"{ "name":"{{id}}" }"#)
        }
        #expect(request.body == .text(#"{ "name":"a\",\"admin\":true,\"z\":\"b" }"#, contentType: "application/json"))
        let list = try self.request(overrides: [["id": "</string>"]]) {
            $1.path = "/x"
            $1.body = .plist("<string>{{id}}</string>")
        }
        #expect(list.body == .text("<string>&lt;/string&gt;</string>", contentType: "application/x-plist"))
    }

    @Test func `a template value is rejected where it would lead to another path, host or file`() {
        #expect(
            problem {
                $1.variables = ["id": ".."]
            }?.contains("path: the value of {{id}} makes the path segment “..”") == true)
        #expect(
            problem {
                $1.variables = ["host": "evil/"]
            }?.contains("servers: develop: the value of {{host}} contains “/”") == true)
        #expect(
            problem {
                $1.variables = ["id": "../../etc/passwd"]
                $1.path = "/x"
                $1.body = .file(path: "/w/{{id}}", contentType: nil)
            }?.contains("body file: the value of {{id}} leads out of the folder") == true)
        #expect(
            problem {
                $1.variables = ["id": "t\r\nX-Admin: 1"]
                $1.path = "/x"
                $1.auth = .bearer(token: "{{id}}")
            }?.contains("the value of the header Authorization contains a line break") == true)
        #expect(problem { $1.path = "/x?a={{oops" }?.contains("path: “{{oops” is not closed") == true)
    }

    @Test func `the file name of a part may contain templates`() throws {
        let part = BodyTemplate.Part(name: "f", value: "/x", isFile: true, fileName: "{{id}}.png")
        #expect(
            try request { $1.body = .multipart([part]) }.body
                == .multipart([.init(name: "f", content: .file(path: "/x"), fileName: "7.png", contentType: "image/png")]))
    }

    @Test func `the endpoint's header fields replace the service's of that name (S1.2)`() throws {
        let headers = try request {
            $0.headers = [Parameter("Accept", "a"), Parameter("X", "s")]
            $1.headers = [Parameter("accept", "{{$uuid}}")]
        }.headers
        #expect(headers.fields == [HeaderField("X", "s"), HeaderField("accept", "u")])
    }

    @Test func `a header field that the user wrote takes precedence over the auth setting (S2.18)`() throws {
        let written = Parameter("authorization", "mine")
        for auth in [Auth.bearer(token: "t"), .basic(user: "u", password: "p")] {
            #expect(
                try request {
                    $1.auth = auth; $1.headers = [written]
                }.headers.values(of: "Authorization") == ["mine"])
        }
    }

    @Test func `an empty bearer token is refused where it would be sent`() throws {
        let problem = #expect(throws: Diagnostic.self) { try request { $1.auth = .bearer(token: "") } }
        #expect(problem?.message == "auth: bearer: the token is empty")
        #expect(
            try request {
                $1.auth = .bearer(token: ""); $1.headers = [Parameter("Authorization", "mine")]
            }.headers.values(of: "Authorization") == ["mine"])
    }

    @Test func `auth creates its header field or the engine's credentials`() throws {
        #expect(try request { $1.auth = .basic(user: "a", password: "{{id}}") }.headers["Authorization"] == "Basic YTo3")
        #expect(try request { $1.auth = .bearer(token: "t{{id}}") }.headers["Authorization"] == "Bearer t7")
        let digest = try request { $1.auth = .digest(user: "a", password: "b") }
        #expect(digest.options.credential == .digest(user: "a", password: "b") && digest.headers["Authorization"] == nil)
        #expect(try request { service, _ in service.auth = .bearer(token: "s") }.headers["Authorization"] == "Bearer s")
        #expect(
            try request {
                $0.auth = .bearer(token: "s"); $1.auth = .none
            }.headers["Authorization"] == nil)
        #expect(try request { $1.path = "http://u:p@a/" }.headers["Authorization"] == "Basic dTpw")
    }

    @Test func `time limits come from the endpoint, else the service, else the workspace`() throws {
        let endpoint = Timeouts(connect: .seconds(1))
        let service = Timeouts(connect: .seconds(2))
        #expect(
            try request {
                $0.timeouts = service; $1.timeouts = endpoint
            }.options.timeouts == endpoint)
        #expect(try request { service, _ in service.timeouts = Timeouts(connect: .seconds(2)) }.options.timeouts == service)
        #expect(try request().options.timeouts == Timeouts())
    }

    // MARK: Settings of the workspace and the environment

    private func options(
        environment: String = "develop", of change: (inout Workspace, inout Service, inout Endpoint) -> Void
    ) throws -> RequestOptions {
        var (workspace, endpoint) = workspace()
        var service = workspace.services[0]
        change(&workspace, &service, &endpoint)
        workspace.services = [service]
        let builder = RequestBuilder(workspace: workspace, environment: environment)
        return try builder.request(for: endpoint, in: builder.scope(of: endpoint, builtin: { _, _ in nil })).options
    }

    @Test func `S0.38 an environment has its own trust, which precedes that of the workspace, key by key`() throws {
        func trust(in environment: String) throws -> TrustPolicy {
            try options(environment: environment) { workspace, _, _ in
                workspace.trust.certificateAuthorityFile = "/ca.pem"
                workspace.trust.minimumTLS = .tls13
                workspace.environments[0].trust.certificateAuthorityFile = "/dev.pem"
                workspace.environments[0].trust.clientCertificateFile = "/me.pem"
                workspace.environments[0].trust.pinFiles = ["/pin.pem"]
                workspace.environments[0].trust.isInsecure = true
            }.trust
        }
        #expect(
            try trust(in: "develop")
                == TrustPolicy(
                    certificateAuthorityFile: "/dev.pem", clientCertificateFile: "/me.pem", pinFiles: ["/pin.pem"], minimumTLS: .tls13,
                    isInsecure: true))
        #expect(try trust(in: "release") == TrustPolicy(certificateAuthorityFile: "/ca.pem", minimumTLS: .tls13))
    }

    @Test func `S2.3 trust of a service precedes that of environment and workspace; pins and client certificates are replaced together`() throws {
        let trust = try options { workspace, service, _ in
            workspace.trust.pins = ["old"]
            workspace.trust.pinScope = .chain
            workspace.trust.clientCertificateFile = "/me.pem"
            workspace.trust.clientKeyFile = "/me.key"
            workspace.environments[0].trust.isInsecure = true
            service.trust.pinFiles = ["/new.pem"]
            service.trust.clientCertificateFile = "/other.pem"
            service.trust.isInsecure = false
        }.trust
        #expect(trust == TrustPolicy(clientCertificateFile: "/other.pem", pinFiles: ["/new.pem"]))
        let inherited = try options { workspace, service, _ in
            workspace.trust.pins = ["old"]
            service.trust.pinScope = .chain
        }.trust
        #expect(inherited == TrustPolicy(pins: ["old"], pinScope: .chain))
    }

    @Test func `S2.3 the proxy of the workspace is used by services without one, and none connects directly`() throws {
        func proxy(_ own: ProxyTemplate?) throws -> String? {
            try options { workspace, service, _ in
                workspace.proxy = ProxyTemplate(url: "http://p:1")
                service.proxy = own
            }.proxy?.description
        }
        #expect(try proxy(nil) == "http://p:1")
        #expect(try proxy(ProxyTemplate(url: "http://q:2")) == "http://q:2")
        #expect(try proxy(ProxyTemplate(url: "")) == nil)
    }

    @Test func `S2.3 the cache setting of the workspace is used for GET and HEAD where the endpoint has none and inherits`() throws {
        func lifetime(_ change: (inout Endpoint) -> Void) throws -> Duration? {
            try options { workspace, _, endpoint in
                workspace.cache = CacheSetting(lifetime: .seconds(300), isOnDisk: true)
                change(&endpoint)
            }.cacheLifetime
        }
        #expect(try lifetime { _ in } == .seconds(300))
        #expect(try lifetime { $0.cache = CacheSetting(lifetime: .zero) } == .zero)
        #expect(try lifetime { $0.method = .post } == nil)
        #expect(try lifetime { $0.inherits = false } == nil)
        #expect(try lifetime { $0.kind = .download } == nil)
    }

    @Test func `S4.16 a part without a type has that of its file name`() throws {
        let parts: [BodyTemplate.Part] = [
            .init(name: "a", value: "/tmp/photo.jpg", isFile: true), .init(name: "b", value: "/tmp/x.bin", isFile: true, fileName: "{{id}}.png"),
            .init(name: "c", value: "text", fileName: "c.csv"), .init(name: "d", value: "text"), .init(name: "e", value: "/tmp/raw", isFile: true),
            .init(name: "f", value: "/tmp/raw.jpg", isFile: true, fileName: ""),
        ]
        guard case .multipart(let sent) = try request({ $1.body = .multipart(parts) }).body else {
            Issue.record("not a multipart body")
            return
        }
        #expect(sent.map(\.contentType) == ["image/jpeg", "image/png", "text/csv", nil, "application/octet-stream", nil])
        #expect(parts.map(\.typeOfName) == ["image/jpeg", nil, "text/csv", nil, "application/octet-stream", nil])
    }

    @Test func `trust, addresses, proxy, priority and traffic are copied to the options`() throws {
        let address = try #require(IPAddress("127.0.0.1"))
        let options = try request {
            $0.trust.isInsecure = true
            $0.addresses = AddressSettings(source: .fixed, fixed: [address])
            $0.proxy = ProxyTemplate(url: "http://p:1", except: ["localhost"])
            $1.priority = .high
            $1.traffic = .background
        }.options
        #expect(options.trust.isInsecure && options.addresses == [address])
        #expect(options.proxy?.description == "http://p:1" && options.proxy?.exceptions.count == 1)
        #expect(options.priority == .high)
        #expect(options.traffic == .background)
    }

    @Test func `addresses of a service apply to all of its servers, so that a redirect between them keeps them`() throws {
        let address = try #require(IPAddress("127.0.0.1"))
        let options = try request { service, _ in
            service.servers["develop"] = ["http://a.invalid", "http://b.invalid"]
            service.addresses = AddressSettings(source: .fixed, fixed: [address])
        }.options
        #expect(Set(options.resolution.hosts.keys) == ["a.invalid", "b.invalid"])
        #expect(options.resolution.hosts["b.invalid"]?.fixed == [address])
    }

    @Test func `the cache setting of a POST caches its responses, and other unsafe methods are never cached`() throws {
        func methods(_ method: HTTPMethod, _ lifetime: Duration?) throws -> Set<HTTPMethod> {
            try request {
                $1.method = method
                $1.cache = lifetime.map { CacheSetting(lifetime: $0) }
            }.options.cachedMethods
        }
        #expect(try methods(.post, .seconds(60)) == [.get, .head, .post])
        #expect(try methods(.post, nil) == [.get, .head])
        #expect(try methods(.put, .seconds(60)) == [.get, .head])
    }

    @Test func `the cache setting of an endpoint is copied to the options, with the tag resolved (S2.61, S3.7)`() throws {
        let options = try request {
            $1.variables = ["user": "ann"]
            $1.cache = CacheSetting(lifetime: .seconds(5), isOnDisk: true, policy: .cacheElseLoad, tag: "id {{user}}")
        }.options
        #expect(options.cacheLifetime == .seconds(5) && options.cachesOnDisk)
        #expect(options.cachePolicy == .cacheElseLoad && options.cacheTag == "id ann")
    }

    @Test func `a service specifies its name server and its additional addresses (S3.8, S3.12)`() throws {
        let address = try #require(IPAddress("127.0.0.1"))
        let options = try request { service, _ in
            service.addresses = AddressSettings(source: .https("https://{{host}}/dns-query"), fixed: [address])
        }.options
        #expect(options.addresses.isEmpty)
        #expect(options.resolution.server == (try HTTPURL(parsing: "https://dev:81/dns-query")))
        #expect(options.resolution.further == [address])
        #expect(problem { service, _ in service.addresses.source = .https("nonsense") }?.contains("addresses.source: ") == true)
    }

    @Test func `the request contains the other servers of the ring, the next one first (S1.8, X7)`() throws {
        let request = try request(environment: "release", server: 1) { $1.query = [Parameter("a", "1")] }
        #expect(request.url.description == "https://b.rel/orders/7?a=1")
        #expect(request.otherServers.map(\.description) == ["https://a.rel/orders/7?a=1"])
        #expect(request.serverGeneration == 1)
    }

    @Test func `every kind of body is resolved and has its media type`() throws {
        func body(_ template: BodyTemplate) throws -> RequestBody { try request { $1.body = template }.body }
        #expect(try body(.none) == .none)
        #expect(try body(.json("{\"a\": {{id}}}")) == .text("{\"a\": 7}", contentType: "application/json"))
        #expect(try body(.text("{{id}}", contentType: nil)) == .text("7", contentType: "text/plain; charset=utf-8"))
        #expect(try body(.text("x", contentType: "text/csv")) == .text("x", contentType: "text/csv"))
        #expect(try body(.plist("<a/>")) == .text("<a/>", contentType: "application/x-plist"))
        let form = BodyTemplate.form([Parameter("a b", "{{id}} &"), Parameter("c", "1", isEnabled: false)])
        #expect(try body(form) == .text("a+b=7+%26", contentType: "application/x-www-form-urlencoded"))
        #expect(try body(.file(path: "/x/{{id}}.png", contentType: nil)) == .file(path: "/x/7.png", contentType: "image/png"))
        #expect(try body(.file(path: "/x", contentType: "a/b")) == .file(path: "/x", contentType: "a/b"))
    }

    @Test func `parts of a multipart body are fields or files with their names and types`() throws {
        let parts: [BodyTemplate.Part] = [
            .init(name: "a", value: "{{id}}"), .init(name: "off", value: "x", isEnabled: false),
            .init(name: "f", value: "/x/{{id}}.png", isFile: true),
            .init(name: "g", value: "/y", isFile: true, fileName: "n.bin", contentType: "a/b"),
        ]
        #expect(
            try request { $1.body = .multipart(parts) }.body
                == .multipart([
                    .init(name: "a", content: .bytes(Array("7".utf8))),
                    .init(name: "f", content: .file(path: "/x/7.png"), fileName: "7.png", contentType: "image/png"),
                    .init(name: "g", content: .file(path: "/y"), fileName: "n.bin", contentType: "a/b"),
                ]))
    }

    @Test func `the request contains its origin`() throws {
        let request = try request(environment: "release")
        #expect(request.target == "shop/orders/get" && request.service == "shop" && request.environment == "release")
    }

    @Test func `a removed header field is not sent, unless a lower level adds it again`() throws {
        let removed = try request {
            $0.headers = [Parameter("Accept", "application/json"), Parameter("X-Trace", "1")]
            $0.removedHeaders = ["User-Agent"]
            $1.removedHeaders = ["accept"]
        }
        #expect(removed.headers.fields.map(\.name) == ["X-Trace"])
        #expect(removed.options.removedFields == ["accept", "user-agent"])
        let given = try request {
            $0.removedHeaders = ["User-Agent"]
            $1.headers = [Parameter("User-Agent", "mine")]
        }
        #expect(given.headers["User-Agent"] == "mine")
        #expect(given.options.removedFields.isEmpty)
    }

    @Test func `a part with an empty file name is a plain field with the content of a file`() throws {
        let request = try request { $1.body = .multipart([.init(name: "a", value: "/tmp/x.json", isFile: true, fileName: "")]) }
        #expect(request.body == .multipart([.init(name: "a", content: .file(path: "/tmp/x.json"))]))
    }

    @Test func `type and filename of a part resolve their templates, like the type of a body`() throws {
        let part = BodyTemplate.Part(name: "p", value: "v", fileName: "{{id}}.txt", contentType: "text/x-{{id}}")
        guard case .multipart(let parts) = try request({ $1.body = .multipart([part]) }).body else { throw Unexpected() }
        #expect(parts.first?.fileName == "7.txt" && parts.first?.contentType == "text/x-7")
        #expect(try request { $1.body = .text("", contentType: "text/x-{{id}}") }.body.contentType == "text/x-7")
        #expect(try request { $1.body = .file(path: "/f", contentType: "text/x-{{id}}") }.body.contentType == "text/x-7")
    }

    @Test func `a value that would start another header field is rejected with its location, and the message does not contain it`() {
        let bad = ["bad": "geheim\r\nX-Inj: 1"]
        func message(_ change: @escaping (inout Endpoint) -> Void) -> String {
            problem {
                $1.variables = bad
                change(&$1)
            } ?? ""
        }
        let messages: [(String, String)] = [
            (
                message { $0.headers = [Parameter("X-A", "{{bad}}")] },
                "the header X-A contains a line break, which would start another header; the value comes from {{bad}}"
            ),
            (message { $0.headers = [Parameter("X-{{bad}}", "1")] }, "header “X-{{bad}}”: with the values of its templates"),
            (message { $0.auth = .bearer(token: "{{bad}}") }, "the header Authorization contains a line break"),
            (
                message { $0.body = .multipart([.init(name: "{{bad}}", value: "v")]) },
                "the part “{{bad}}”: the value of a template contains a line break"
            ),
            (
                message { $0.body = .multipart([.init(name: "p", value: "v", contentType: "{{bad}}")]) },
                "the part “p”: the value of a template contains"
            ),
            (message { $0.body = .multipart([.init(name: "p", value: "v", fileName: "{{bad}}")]) }, "the part “p”: the value of a template contains"),
            (message { $0.body = .text("", contentType: "{{bad}}") }, "body: the media type of the body contains a line break"),
        ]
        for (message, words) in messages {
            #expect(message.contains(words) && message.hasPrefix("shop/orders/get:1:1: ") && !message.contains("geheim"), "\(message)")
        }
    }

    @Test func `contradictory fields about the end of the body are rejected`() {
        let twice = problem { $1.headers = [Parameter("Content-Length", "1"), Parameter("content-length", "2")] }
        #expect(twice?.contains("2 Content-Length fields") == true)
        #expect(problem { $1.headers = [Parameter("Transfer-Encoding", "chunked")] }?.contains("Sortie sets") == true)
    }

    @Test func `a request contains the sources of the values in its parts`() throws {
        let request = try request(overrides: [["q": "1"]]) {
            $0.headers = [Parameter("X-S", "1")]
            $1.query = [Parameter("q", "{{q}}")]
            $1.headers = [Parameter("X-A", "{{own}}"), Parameter("X-B", "text")]
            $1.variables = ["own": "a{{id}}{{$uuid}}"]
        }
        #expect(
            request.origin?.sources == [
                ValueSource(.part("path"), ["variable id, workspace.yaml"]), ValueSource(.part("server"), ["variable host, environment develop"]),
                ValueSource(.part("query “q”"), ["variable q, --var"]), ValueSource(.header("X-S"), ["service.yaml"]),
                ValueSource(.header("X-A"), ["variable id, workspace.yaml", "$uuid"]),
            ])
    }
}

private struct Unexpected: Error {}
