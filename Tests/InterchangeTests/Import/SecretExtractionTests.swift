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
        #expect(entry?.reason.contains("API_EXAMPLE_TOKEN") == true && entry?.reason.contains("abc") == false)
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

    @Test(arguments: [
        ("X-Api-Key", "apiKey"), ("api_key", "apiKey"), ("PASSWORD", "password"), ("sessionId", "sessionId"), ("9x", "secret"), ("ü", "secret"),
    ])
    func `names of variables are camel case`(_ text: String, _ name: String) {
        #expect(SecretExtraction.variableName(text) == name)
    }
}
