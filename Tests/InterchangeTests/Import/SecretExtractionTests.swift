import SortieHTTP
import Testing
import WorkspaceModel

@testable import Interchange

/// Tests that credentials of an import become secrets, and that nothing else changes.
struct SecretExtractionTests {
    private func extracted(_ change: (inout Endpoint) -> Void, into base: Workspace? = nil) throws -> (Endpoint, ImportedWorkspace) {
        var endpoint = Endpoint(target: "", name: "e", path: "/")
        change(&endpoint)
        var workspace = ImportedWorkspace(name: "w")
        workspace.services = [ImportedService(id: "s", Service(folder: "", name: "api.example"), items: [.endpoint(.init(id: "e", endpoint))])]
        let result = SecretExtraction.extracting(from: workspace, into: base)
        guard case .endpoint(let item)? = result.services.first?.items.first else { throw CancellationError() }
        return (item.endpoint, result)
    }

    @Test func `a bearer token in a field becomes the authentication with a secret`() throws {
        let (endpoint, workspace) = try extracted { $0.headers = [Parameter("Authorization", "Bearer abc"), Parameter("X", "abc")] }
        #expect(endpoint.auth == .bearer(token: "{{token}}") && endpoint.headers == [Parameter("X", "abc")])
        #expect(workspace.secrets == ["token": .environment("API_EXAMPLE_TOKEN")])
        let entry = workspace.report.entries.first
        #expect(entry?.reason.programText.contains("API_EXAMPLE_TOKEN") == true && entry?.reason.programText.contains("abc") == false)
    }

    @Test func `variables of an endpoint with the name of a credential refer to a secret of another name`() throws {
        let (endpoint, workspace) = try extracted { $0.variables = ["password": "canary", "page": "1", "token": "{{other}}"] }
        #expect(endpoint.variables == ["password": "{{password2}}", "page": "1", "token": "{{other}}"])
        #expect(workspace.secrets == ["password2": .environment("API_EXAMPLE_PASSWORD2")])
    }

    @Test func `credentials in fields, rows, JSON and forms are replaced, other bytes stay`() throws {
        let (endpoint, workspace) = try extracted {
            $0.headers = [Parameter("X-Api-Key", "k1"), Parameter("Cookie", "a=b")]
            $0.query = [Parameter("api_key", "k1"), Parameter("page", "1")]
            $0.body = .json("{ \"user\": \"me\",\n  \"password\" : \"s3\", \"n\": {\"Token\":\"t\"}}")
        }
        #expect(endpoint.headers.map(\.value) == ["{{apiKey}}", "{{cookie}}"])
        #expect(endpoint.query.map(\.value) == ["{{apiKey}}", "1"])
        #expect(endpoint.body == .json("{ \"user\": \"me\",\n  \"password\" : \"{{password}}\", \"n\": {\"Token\":\"{{token}}\"}}"))
        #expect(workspace.secrets.count == 4)
    }

    @Test func `two values of one name are two secrets`() throws {
        let (endpoint, workspace) = try extracted { $0.headers = [Parameter("X-Token", "a"), Parameter("Token", "b"), Parameter("token", "a")] }
        #expect(endpoint.headers.map(\.value) == ["{{token}}", "{{token2}}", "{{token}}"])
        #expect(workspace.secrets["token2"] == .environment("API_EXAMPLE_TOKEN2"))
    }

    @Test func `a reference to a variable and an empty value stay`() throws {
        let (endpoint, workspace) = try extracted { $0.headers = [Parameter("Token", "{{$env.T}}"), Parameter("X-Token", "")] }
        #expect(endpoint.headers.map(\.value) == ["{{$env.T}}", ""])
        #expect(workspace.secrets.isEmpty)
    }

    @Test func `the password of a raw query and of a proxy is replaced in its encoding`() throws {
        let (endpoint, _) = try extracted { $0.path = "/?token=a%2Fb&&x" }
        #expect(endpoint.path == "/?token={{token|raw}}&&x")
        var workspace = ImportedWorkspace(name: "w")
        var service = Service(folder: "", name: "s")
        service.proxy = ProxyTemplate(url: "http://u:p%40w@p:1")
        workspace.services = [ImportedService(id: "s", service)]
        let result = SecretExtraction.extracting(from: workspace, into: nil)
        #expect(result.services[0].service.proxy?.url == "http://u:{{proxyPassword}}@p:1")
    }

    @Test func `a variable with the name of a credential becomes a secret of that name`() {
        var workspace = ImportedWorkspace(name: "Shop")
        workspace.environments = [WorkspaceEnvironment(name: "dev", variables: ["password": "x", "host": "h"])]
        let result = SecretExtraction.extracting(from: workspace, into: nil)
        #expect(result.environments[0].variables == ["host": "h"])
        #expect(result.secrets == ["password": .environment("SHOP_PASSWORD")])
    }

    @Test func `names that the workspace uses for something else are not reused`() throws {
        var base = Workspace(name: "", folder: "/")
        base.secrets = ["token": .command("pass x")]
        base.variables = ["token2": "x"]
        let (endpoint, _) = try extracted({ $0.auth = .bearer(token: "t") }, into: base)
        #expect(endpoint.auth == .bearer(token: "{{token3}}"))
    }

    @Test func `variables that credentials refer to are secrets, also through other variables`() {
        var workspace = ImportedWorkspace(name: "w")
        workspace.variables = ["mine": "{{prefix}}{{first}}", "first": "a", "second": "b", "third": "c", "user": "me", "prefix": "Bearer"]
        workspace.environments = [WorkspaceEnvironment(name: "dev", variables: ["second": "d", "host": "h"])]
        var service = Service(folder: "", name: "s")
        service.auth = .bearer(token: "{{mine}}")
        var endpoint = Endpoint(target: "", name: "e", path: "/")
        endpoint.auth = .basic(user: "{{user}}", password: "{{second}}")
        endpoint.headers = [Parameter("X-Api-Key", "{{third}}")]
        workspace.services = [ImportedService(id: "s", service, items: [.endpoint(.init(id: "e", endpoint))])]
        let result = SecretExtraction.extracting(from: workspace, into: nil)
        #expect(result.variables == ["mine": "{{prefix}}{{first}}", "user": "me", "prefix": "Bearer"])
        #expect(result.environments[0].variables == ["host": "h"])
        #expect(Set(result.secrets.keys) == ["first", "second", "third"])
    }

    @Test(arguments: ["prod_password", "AUTH0_CLIENT_SECRET", "bearer_auth_token", "secretToken", "pat", "githubPat", "db_pass", "APIToken"])
    func `variables, fields and members whose names end in that of a credential have no value`(_ name: String) throws {
        let (endpoint, workspace) = try extracted {
            $0.headers = [Parameter(name, "canary")]
            $0.body = .json("{\"\(name)\": \"canary\"}")
            $0.variables = [name: "canary"]
        }
        #expect(workspace.secrets.count == 1 && !"\(endpoint)".contains("canary"))
        var variables = ImportedWorkspace(name: "w")
        variables.variables = [name: "canary"]
        #expect(Array(SecretExtraction.extracting(from: variables, into: nil).secrets.keys) == [name])
    }

    @Test(arguments: ["page_token", "nextPageToken", "AccountSid", "token_url", "passwordPolicy", "max_tokens", "use_auth"])
    func `names that only resemble those of credentials keep their value`(_ name: String) {
        var workspace = ImportedWorkspace(name: "w")
        workspace.variables = [name: name == "use_auth" ? "true" : "x"]
        #expect(SecretExtraction.extracting(from: workspace, into: nil).variables == workspace.variables)
    }

    @Test func `passwords in URLs of servers and variables are secrets`() {
        var workspace = ImportedWorkspace(name: "w")
        workspace.variables = ["base": "http://root:p%40w@h:1/v1?a=b:c@d", "plain": "http://root@h"]
        var service = Service(folder: "", name: "s")
        service.servers = ["*": ["http://user:p%40w@x.test/v1"]]
        workspace.services = [ImportedService(id: "s", service)]
        let result = SecretExtraction.extracting(from: workspace, into: nil)
        #expect(result.services[0].service.servers == ["*": ["http://user:{{serverPassword}}@x.test/v1"]])
        #expect(result.variables == ["base": "http://root:{{basePassword}}@h:1/v1?a=b:c@d", "plain": "http://root@h"])
        #expect(result.report.entries.map(\.item) == ["s", "variable base"])
    }

    @Test(arguments: [
        "sk_live_51Habcdefghijklmnop", "ghp_0123456789abcdefghijklmnopqrstuvwxyz", "AKIAIOSFODNN7EXAMPLE", "xoxb-1234567890-abcdefghij",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln",
    ])
    func `tokens of services are found by their shape in every place`(_ token: String) throws {
        let (endpoint, workspace) = try extracted {
            $0.path = "/\(token)/x"
            $0.query = [Parameter("q", token)]
            $0.headers = [Parameter("X-Note", "see \(token).")]
            $0.body = .text("a \(token)\n{{v}}", contentType: "text/plain")
            $0.variables = ["v": token, "url": "https://h/\(token)"]
        }
        #expect(!"\(endpoint)".contains(token))
        let names = workspace.secrets.keys.sorted()
        #expect(names.count == 2 && names.contains("v2"), "\(names)")
        let name = try #require(names.first { $0 != "v2" })
        #expect(endpoint.path == "/{{\(name)}}/x" && endpoint.headers[0].value == "see {{\(name)}}.")
        #expect(endpoint.body == .text("a {{\(name)}}\n{{v}}", contentType: "text/plain"))
    }

    @Test func `a scheme before a value marks a credential in a field of any name`() throws {
        let (endpoint, _) = try extracted { $0.headers = [Parameter("Authentication", "Bearer abc"), Parameter("X-Plain", "Barer abc")] }
        #expect(endpoint.headers.map(\.value) == ["Bearer {{token}}", "Barer abc"])
    }

    @Test func `samples in the path of a description are no secrets`() throws {
        var endpoint = Endpoint(target: "", name: "e", path: "/calls/{Sid}")
        endpoint.variables = ["Sid": "string"]
        var workspace = ImportedWorkspace(name: "w")
        workspace.hasSamples = true
        workspace.services = [ImportedService(id: "s", Service(folder: "", name: "s"), items: [.endpoint(.init(id: "e", endpoint))])]
        #expect(SecretExtraction.extracting(from: workspace, into: nil).secrets.isEmpty)
        workspace.hasSamples = false
        #expect(SecretExtraction.extracting(from: workspace, into: nil).secrets.count == 1)
    }

    @Test func `two variables whose names give one environment variable have one each`() {
        var workspace = ImportedWorkspace(name: "w")
        workspace.variables = ["api_key": "a", "apiKey": "b"]
        let result = SecretExtraction.extracting(from: workspace, into: nil)
        #expect(result.secrets == ["apiKey": .environment("W_API_KEY"), "api_key": .environment("W_API_KEY2")])
    }

    @Test(arguments: [
        ("X-Api-Key", "apiKey"), ("api_key", "apiKey"), ("PASSWORD", "password"), ("sessionId", "sessionId"), ("9x", "secret"), ("ü", "secret"),
    ])
    func `names of variables are camel case`(_ text: String, _ name: String) {
        #expect(SecretName.variable(text) == name)
    }

    @Test func `a credential that has other values in environments is a secret of each environment`() {
        var workspace = ImportedWorkspace(name: "Shop")
        workspace.variables = ["token": "canary0", "other": "1"]
        workspace.environments = [
            WorkspaceEnvironment(name: "dev", variables: ["token": "canary1"]),
            WorkspaceEnvironment(name: "Production EU", variables: ["token": "canary2"]),
            WorkspaceEnvironment(name: "empty", variables: [:]),
        ]
        let result = SecretExtraction.extracting(from: workspace, into: nil)
        #expect(result.variables == ["token": "{{tokenDefault}}", "other": "1"])
        #expect(result.environments.map(\.variables) == [["token": "{{tokenDev}}"], ["token": "{{tokenProductionEu}}"], [:]])
        #expect(
            result.secrets == [
                "tokenDefault": .environment("SHOP_TOKEN_DEFAULT"), "tokenDev": .environment("SHOP_TOKEN_DEV"),
                "tokenProductionEu": .environment("SHOP_TOKEN_PRODUCTION_EU"),
            ])
    }

    @Test func `a credential that only one environment changes is a secret of it, and one of the others`() {
        var workspace = ImportedWorkspace(name: "Shop")
        workspace.variables = ["token": "canary0"]
        workspace.environments = [
            WorkspaceEnvironment(name: "dev", variables: ["token": "canary1"]), WorkspaceEnvironment(name: "live", variables: [:]),
        ]
        let result = SecretExtraction.extracting(from: workspace, into: nil)
        #expect(result.variables == ["token": "{{tokenDefault}}"])
        #expect(result.environments.map(\.variables) == [["token": "{{tokenDev}}"], [:]])
    }

    @Test func `tokens in names and descriptions are masked, and listed`() throws {
        let token = "ghp_" + String(repeating: "a1B2", count: 9)
        let (endpoint, workspace) = try extracted {
            $0.name = "with \(token)"
            $0.summary = "use \(token) here"
            $0.query = [Parameter("page", "1", summary: token)]
        }
        #expect(!"\(endpoint)".contains(token) && endpoint.summary == "use \(HeaderField.mask) here")
        #expect(workspace.secrets.isEmpty && workspace.report.count(.changed) == 3)
    }
}
