import Foundation
import HistoryModel
import SortieHTTP
import Testing
import WorkspaceModel

/// Tests that a stored exchange contains no secret.
@Suite struct ExchangeMaskedTests {
    private let redaction = Redaction(adding: ["deviceId"], values: ["s3cret"])

    @Test func `literal secrets in documents of any notation are masked, and templates are preserved`() {
        func masked(_ body: BodyTemplate, type: String? = nil) -> BodyTemplate {
            var endpoint = Endpoint(target: "a/b", name: "B", path: "/")
            endpoint.body = body
            if let type { endpoint.headers = [Parameter("Content-Type", type)] }
            return RequestOrigin(endpoint: endpoint).masked(by: .standard).endpoint.body
        }
        #expect(
            masked(.text("<a><password>s3cret</password><token>{{t}}</token><b>{{c}}</b></a>", contentType: "application/xml"))
                == .text("<a><password>••••</password><token>{{t}}</token><b>{{c}}</b></a>", contentType: "application/xml"))
        #expect(
            masked(.text("a: {{a}}\npassword: s3cret\ntoken: {{t}}\n", contentType: nil), type: "application/yaml")
                == .text("a: {{a}}\npassword: ••••\ntoken: {{t}}\n", contentType: nil))
        #expect(
            masked(.text("{a(token: \"s3cret\", secret: \"{{t}}\", b: \"{{c}}\")}", contentType: "application/graphql"))
                == .text("{a(token: \"••••\", secret: \"{{t}}\", b: \"{{c}}\")}", contentType: "application/graphql"))
        #expect(
            masked(.json(#"{"query": "{a(token: \"s3cret\")}", "n": {{n}}}"#)) == .json(#"{"query": "{a(token: \"••••\")}", "n": {{n}}}"#))
        #expect(masked(.form([Parameter("payload", #"{"token":"s3cret"}"#)])) == .form([Parameter("payload", #"{"token":"••••"}"#)]))
    }

    @Test func `header fields, URLs, bodies, cookies and errors are masked, and the rest is preserved`() throws {
        var request = Request(
            method: .post, url: try HTTPURL(parsing: "http://me:pw@a/s3cret/b?token=x&page=2"), headers: [HeaderField("Authorization", "Bearer x")],
            body: .text(#"{"password": "p", "n": 1}"#, contentType: "application/json"))
        request.options.credential = .digest(user: "me", password: "pw")
        request.otherServers = [try HTTPURL(parsing: "http://b/?token=x")]
        var exchange = Exchange(id: RequestID(high: 1, low: 2), request: request, startedAt: Date(timeIntervalSince1970: 0))
        exchange.response = Response(
            status: 200, headers: [HeaderField("Set-Cookie", "sid=1")], trailers: [HeaderField("X-Api-Key", "k")], body: BodyBytes([1]))
        var attempt = Attempt(url: request.url, method: .post, startedAt: exchange.startedAt)
        attempt.sentHeaders = [HeaderField("Cookie", "a=b"), HeaderField("X-Note", "say s3cret")]
        attempt.body = request.body
        attempt.response = Response(status: 302, headers: [HeaderField("Location", "/?say=s3cret")])
        attempt.error = NetworkError(.badRedirect, "to http://a/?token=x", underlying: "s3cret")
        attempt.sentCookies = [Cookie(name: "sid", value: "1", domain: "a")]
        attempt.setCookies = [CookieDecision(name: "sid", cookie: Cookie(name: "sid", value: "2", domain: "a"), outcome: .refused("s3cret"))]
        exchange.attempts = [attempt]
        exchange.value = ["token": "x", "deviceId": "d", "n": "1"]
        exchange.error = attempt.error

        let masked = exchange.masked(by: redaction)
        #expect(masked.request.url.description == "http://a/••••/b?token=••••&page=2" && masked.request.url.credentials == nil)
        #expect(masked.request.otherServers.map(\.description) == ["http://b/?token=••••"])
        #expect(masked.request.headers["Authorization"] == "••••" && masked.request.options.credential.login?.password == "••••")
        #expect(masked.request.body == .text(#"{"password": "••••", "n": 1}"#, contentType: "application/json"))
        #expect(masked.sentHeaders == [HeaderField("Cookie", "••••"), HeaderField("X-Note", "say ••••")])
        #expect(masked.response?.headers["Set-Cookie"] == "••••" && masked.response?.trailers["X-Api-Key"] == "••••")
        #expect(masked.attempts[0].url == masked.request.url && masked.attempts[0].error?.message == "to http://a/?token=••••")
        #expect(masked.attempts[0].sentCookies[0].value == "••••" && masked.attempts[0].setCookies[0].cookie?.value == "••••")
        #expect(masked.attempts[0].setCookies[0].outcome == .refused("••••") && masked.error?.underlying == "••••")
        #expect(masked.attempts[0].body == masked.request.body && masked.attempts[0].response?.headers["Location"] == "/?say=••••")
        #expect(masked.value == ["token": "••••", "deviceId": "••••", "n": "1"])
        #expect(exchange.masked(by: .none) == exchange)
    }

    @Test func `the parts of a form are masked by their names`() throws {
        let request = Request(
            method: .post, url: try HTTPURL(parsing: "http://a/"),
            body: .multipart([
                .init(name: "password", content: .bytes(Array("p".utf8))), .init(name: "note", content: .bytes(Array("a s3cret".utf8))),
                .init(name: "file", content: .file(path: "/tmp/token")),
            ]))
        let masked = Exchange(id: RequestID(high: 1, low: 2), request: request, startedAt: Date()).masked(by: redaction)
        #expect(
            masked.request.body
                == .multipart([
                    .init(name: "password", content: .bytes(Array("••••".utf8))), .init(name: "note", content: .bytes(Array("a ••••".utf8))),
                    .init(name: "file", content: .file(path: "/tmp/token")),
                ]))
    }

    // MARK: Origin

    private func masked(_ change: (inout Endpoint) -> Void) -> Endpoint {
        var endpoint = Endpoint(target: "shop/login", name: "Login", method: .post, path: "/login")
        change(&endpoint)
        return RequestOrigin(endpoint: endpoint).masked(by: redaction).endpoint
    }

    @Test(arguments: [
        ("abc", "••••"), ("{{token}}", "{{token}}"), ("Bearer {{token}}", "Bearer {{token}}"), ("abc{{x}}", "••••{{x}}"), ("", ""),
        ("{{$env.TOKEN}}", "{{$env.TOKEN}}"), ("{{a}}-{{b}}", "{{a}}-{{b}}"),
    ]) func `a literal secret is masked, and one from a template stays a template`(text: String, result: String) {
        let endpoint = masked { endpoint in
            endpoint.headers = [Parameter("Authorization", text), Parameter("Accept", text)]
            endpoint.query = [Parameter("token", text), Parameter("user[password]", text)]
            endpoint.body = .form([Parameter("pwd", text)])
            endpoint.variables = ["password": text, "page": "2"]
            endpoint.auth = .basic(user: "me", password: text)
        }
        #expect(endpoint.headers.map(\.value) == [result, text] && endpoint.query.map(\.value) == [result, result])
        #expect(endpoint.body == .form([Parameter("pwd", result)]) && endpoint.variables == ["password": result, "page": "2"])
        #expect(endpoint.auth == .basic(user: "me", password: result))
    }

    @Test func `literal cookies are masked individually`() {
        #expect(masked { $0.headers = [Parameter("Cookie", "sid={{sid}}; theme=dark")] }.headers[0].value == "sid={{sid}}; theme=••••")
    }

    @Test(arguments: [
        (#"{"password": "{{password}}", "token": "abc", "n": {{count}}}"#, #"{"password": "{{password}}", "token": "••••", "n": {{count}}}"#),
        (#"{"token": {{token}}, "a": "{{token}}"}"#, #"{"token": {{token}}, "a": "{{token}}"}"#),
        (#"{"secret": {"a": "{{x}}"}, "say": "s3cret"}"#, #"{"secret": "••••", "say": "••••"}"#),
    ]) func `templates in JSON are preserved`(text: String, result: String) {
        #expect(masked { $0.body = .json(text) }.body == .json(result))
    }

    @Test func `templates in a path are preserved`() {
        #expect(masked { $0.path = "/a/{{id}}?token=abc&sign={{sign}}&x=s3cret" }.path == "/a/{{id}}?token=••••&sign={{sign}}&x=••••")
        #expect(masked { $0.path = "http://me:pw@a/?token=abc" }.path == "http://me:••••@a/?token=••••")
    }

    @Test func `the values of secrets are not stored`() {
        let origin = RequestOrigin(
            endpoint: Endpoint(target: "a/b", name: "B", path: "/"),
            variables: ["token": "x", "page": "2", "note": "a s3cret", "callback": "http://a/?token=x"],
            builtins: ["uuid": ["1"], "env PASSWORD": ["p"], "prompt token": ["t"], "env HOME": ["/s3cret"]])
        let masked = origin.masked(by: redaction)
        #expect(masked.variables == ["page": "2"] && masked.builtins == ["uuid": ["1"]])
        #expect(origin.masked(by: .none) == origin)
    }
}
