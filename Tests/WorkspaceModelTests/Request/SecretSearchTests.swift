import Foundation
import SortieHTTP
import Testing
import WorkspaceModel

/// Tests that secrets are found in requests in every spelling.
@Suite struct SecretSearchTests {
    private static let value = "pä/ss+w&rd\"1"

    private func request(_ change: (inout Request) -> Void = { _ in }) throws -> Request {
        var request = Request(method: .post, url: try HTTPURL(parsing: "http://api.example/"))
        request.secrets.values = [Self.value]
        request.secrets.names = ["X-Team"]
        change(&request)
        return request
    }

    private static let spellings = [
        value, "p%C3%A4%2Fss%2Bw%26rd%221", "p%c3%a4%2fss%2bw%26rd%221", #"pä/ss+w&rd\"1"#, #"p\u00e4\/ss+w&rd\"1"#,
        Data("user:\(value)".utf8).base64EncodedString(), Data("u:\(value)".utf8).base64EncodedString(),
        Data("us:\(value)!".utf8).base64EncodedString(),
        Data(value.utf8).base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_"),
    ]

    @Test(arguments: spellings)
    func `a value is found in a field and in a body in every spelling`(_ spelling: String) throws {
        let search = SecretSearch(try request())
        #expect(search.isIn(HeaderField("X-Any", "before \(spelling) after")))
        #expect(search.isIn(.text("before \(spelling) after", contentType: "text/plain"), contentType: nil))
        #expect(search.isIn(.text("{\"a\": \"\(spelling)\"}", contentType: "application/json"), contentType: nil))
        #expect(search.isIn(.multipart([.init(name: "a", content: .bytes(Array(spelling.utf8)))]), contentType: nil))
    }

    @Test func `a value is found and masked in the name of a field`() throws {
        let field = HeaderField("X-geheim123", "1")
        let search = SecretSearch(try request { $0.secrets.values = ["geheim123"] })
        #expect(search.isIn(field))
        #expect(Redaction(values: ["geheim123"]).masked(field).name == "X-••••")
    }

    @Test func `a value in a form with another charset than UTF-8 is found, and masked`() throws {
        var workspace = Workspace(name: "W", folder: "/w")
        workspace.secrets = ["pw": .command("x")]
        workspace.secretHosts = ["pw": [try #require(HostPattern("good.example"))]]
        var endpoint = Endpoint(target: "a", name: "A", path: "http://api.example/")
        endpoint.method = .post
        endpoint.parameters = ParameterStyle(charset: "gbk")
        endpoint.body = .form([Parameter("a", "{{pw}}")])
        let builder = RequestBuilder(workspace: workspace, environment: nil)
        let scope = builder.scope(of: endpoint, secret: { _ throws(TemplateError) in "密码密码abc" }, builtin: { _, _ in nil })
        let request = try builder.request(for: endpoint, in: scope)
        #expect(SecretSearch(request).isIn(request.body, contentType: nil))
        #expect(request.refusedSecret?.name == "pw")
        guard case .bytes(let bytes, _) = request.body else { throw CocoaError(.coderInvalidValue) }
        #expect(Redaction.standard.learning(from: request).masked(String(decoding: bytes, as: UTF8.self)) == "a=••••")
    }

    @Test(arguments: ["X-Trace", "Accept", "X-Request-Id"])
    func `a field without a secret is not reported`(_ name: String) throws {
        #expect(!SecretSearch(try request()).isIn(HeaderField(name, "plain/text; p=1")))
    }

    @Test(arguments: ["Authorization", "cookie", "X-Api-Key", "X-VAULT-TOKEN", "x_team"])
    func `a field is secret by its name, and names of redact count`(_ name: String) throws {
        #expect(SecretSearch(try request()).isIn(HeaderField(name, "x")))
    }

    @Test func `a body is secret by the names in it`() throws {
        let search = SecretSearch(try request())
        #expect(search.isIn(.form([("user", "a"), ("password", "b")]), contentType: nil))
        #expect(search.isIn(.text("{\"a\": {\"password\": \"b\"}}", contentType: "application/json"), contentType: nil))
        #expect(search.isIn(.multipart([.init(name: "password", content: .bytes([1]))]), contentType: nil))
        #expect(!search.isIn(.form([("user", "a")]), contentType: nil))
        #expect(!search.isIn(.text("{\"a\": [1, {\"b\": \"c\"}]}", contentType: "application/json"), contentType: nil))
        #expect(!search.isIn(.multipart([.init(name: "a", content: .file(path: "/etc/hostname"), fileName: "a")]), contentType: nil))
        #expect(!search.isIn(.none, contentType: nil))
    }

    @Test func `the value of a credential field is found in every other field`() throws {
        let search = SecretSearch(try request { $0.headers = [HeaderField("Authorization", "Bearer 0123456789")] })
        #expect(search.isIn(HeaderField("X-Copy", "0123456789")))
    }

    @Test func `one value is found in the host, the path, the query, fields, the body and the Digest login`() throws {
        let search = SecretSearch(value: "SeSame")
        func isIn(_ url: String, _ change: (inout Request) -> Void = { _ in }) throws -> Bool {
            var request = Request(method: .post, url: try HTTPURL(parsing: url))
            change(&request)
            return search.isIn(request)
        }
        #expect(try !isIn("http://a.example/x?y=z"))
        #expect(try isIn("http://sesame.example/"))
        #expect(try isIn("http://a.example/x/SeSame"))
        #expect(try isIn("http://a.example/?y=SeSame"))
        #expect(try isIn("http://a.example/") { $0.headers = [HeaderField("X-A", "SeSame")] })
        #expect(try isIn("http://a.example/") { $0.body = .text("SeSame", contentType: nil) })
        #expect(try isIn("http://a.example/") { $0.options.credential = .digest(user: "u", password: "SeSame") })
    }

    @Test func `a value that is too short to be found counts as sent, an empty one does not`() throws {
        #expect(SecretSearch(value: "ab").isIn(try request()))
        #expect(!SecretSearch(value: "").isIn(try request()))
    }
}
