import SortieBase
import SortieHTTP
import Testing

@testable import WorkspaceModel

/// Tests what counts as a credential in clear text, and the secrets that credentials become.
struct ClearCredentialsTests {
    private func endpoint(_ change: (inout Endpoint) -> Void) -> Endpoint {
        var endpoint = Endpoint(target: "shop/list", name: "List", path: "/orders")
        change(&endpoint)
        return endpoint
    }

    @Test func `credentials are found by their place, their name and their shape, with names for secrets`() {
        let endpoint = endpoint {
            $0.auth = .basic(user: "me", password: "pw-1")
            $0.headers = [Parameter("X-Api-Key", "key-1"), Parameter("Accept", "text/plain")]
            $0.query = [Parameter("q", "ghp_0123456789abcdefghij"), Parameter("page", "1")]
            $0.body = .json(#"{"user": "me", "client_secret": "cs-1"}"#)
        }
        let found = ClearCredentials(of: endpoint)
        #expect(found.credentials.map(\.name) == ["password", "apiKey", "githubToken", "clientSecret"])
        #expect(found.credentials.map(\.value) == ["pw-1", "key-1", "ghp_0123456789abcdefghij", "cs-1"])
        let replaced = found.replaced(in: endpoint)
        #expect(replaced.auth == .basic(user: "me", password: "{{password}}"))
        #expect(replaced.headers.map(\.value) == ["{{apiKey}}", "text/plain"] && replaced.query.map(\.value) == ["{{githubToken}}", "1"])
        #expect(replaced.body == .json(#"{"user": "me", "client_secret": "{{clientSecret}}"}"#))
        #expect(ClearCredentials(of: replaced).credentials.isEmpty)
    }

    @Test func `equal values are one secret, and no name is used twice`() {
        let endpoint = endpoint { $0.headers = [Parameter("X-Token", "a-1"), Parameter("Token", "b-1"), Parameter("X-Auth-Token", "a-1")] }
        let found = ClearCredentials(of: endpoint, taken: ["token"])
        #expect(found.credentials.map(\.name) == ["token2", "token3"])
        #expect(found.replaced(in: endpoint).headers.map(\.value) == ["{{token2}}", "{{token3}}", "{{token2}}"])
    }

    @Test func `ignored values stay as they are, also encoded in a URL`() {
        let endpoint = endpoint {
            $0.path = "http://me:p%40w@api.example/?token=a%2Fb"
            $0.auth = .bearer(token: "old-1")
        }
        let found = ClearCredentials(of: endpoint, ignoring: ["p@w", "a%2Fb", "old-1"])
        #expect(found.credentials.isEmpty && found.replaced(in: endpoint) == endpoint)
    }

    @Test func `only the credentials that were found are replaced later`() {
        let endpoint = endpoint { $0.auth = .bearer(token: "t-1") }
        let found = ClearCredentials(of: endpoint)
        var changed = endpoint
        changed.headers = [Parameter("X-Api-Key", "typed-since")]
        let replaced = found.replaced(in: changed)
        #expect(replaced.auth == .bearer(token: "{{token}}") && replaced.headers == changed.headers)
    }

    @Test func `the value of a known secret gets its name and no other one`() {
        let endpoint = endpoint {
            $0.auth = .bearer(token: "t-1")
            $0.headers = [Parameter("X-Api-Key", "k-1")]
        }
        let found = ClearCredentials(of: endpoint, taken: ["mine"], secrets: ["t-1": "mine"])
        #expect(found.credentials.map(\.name) == ["apiKey"] && found.known == ["mine"] && !found.isEmpty)
        #expect(found.replaced(in: endpoint).auth == .bearer(token: "{{mine}}"))
    }

    @Test func `a value with braces is stored as it is sent`() {
        let endpoint = endpoint { $0.auth = .bearer(token: "a{{$braces}}b") }
        let found = ClearCredentials(of: endpoint)
        #expect(found.credentials.map(\.value) == ["a{{b"])
        #expect(found.replaced(in: endpoint).auth == .bearer(token: "{{token}}"))
    }

    @Test func `a warning names a credential among the variables of a step, also one that only its use shows`() {
        var workspace = Workspace(name: "W", folder: "/w")
        var shop = Service(folder: "shop", name: "Shop")
        shop.endpoints = [endpoint { $0.auth = .bearer(token: "{{entry}}") }]
        workspace.services = [shop]
        var run = RunDefinition(name: "buy", kind: .chain, sending: ["shop/list"])
        run.steps[0].variables = ["password": "canary-1", "entry": "canary-2", "page": "2", "token": "{{mine}}"]
        run.steps[0].location = SourceLocation(file: "runs/buy.yaml", line: 2, column: 5)
        workspace.runs = [run]
        let warnings = workspace.credentialWarnings()
        #expect(Set(warnings.map { $0.message.prefix { $0 != " " } }) == ["password", "entry"])
        #expect(warnings.allSatisfy { $0.location.line == 2 && !$0.message.contains("canary") && $0.message.contains("sortie secret set") })
        var found = ClearCredentials()
        found.add(run.steps[0])
        #expect(found.replaced(in: run.steps[0]).variables["password"] == "{{password}}")
    }

    @Test func `warnings name the place of a credential and never its value`() {
        var workspace = Workspace(name: "W", folder: "/w")
        workspace.environments = [WorkspaceEnvironment(name: "dev", variables: ["password": "canary-1", "host": "a.example"])]
        workspace.variablePlaces = [VariableKey("password", .environment("dev")): SourceLocation(file: "workspace.yaml", line: 4)]
        var shop = Service(folder: "shop", name: "Shop")
        shop.headers = [Parameter("X-Api-Key", "canary-2")]
        shop.location = SourceLocation(file: "shop/service.yaml")
        var base = endpoint { $0.auth = .bearer(token: "canary-3") }
        base.location = SourceLocation(file: "shop/list.yaml")
        var heir = base
        (heir.target, heir.extends, heir.location) = ("shop/heir", base.target, SourceLocation(file: "shop/heir.yaml"))
        var fine = endpoint { $0.auth = .bearer(token: "{{password}}") }
        fine.target = "shop/fine"
        shop.endpoints = [base, fine, heir]
        workspace.services = [shop]
        let warnings = workspace.credentialWarnings()
        #expect(warnings.map(\.location.file) == ["shop/list.yaml", "shop/service.yaml", "workspace.yaml"])
        #expect(warnings.map { $0.message.prefix { $0 != " " } } == ["token", "X-Api-Key", "password"])
        #expect(warnings.last?.location.line == 4 && warnings.allSatisfy { $0.severity == .warning && !$0.message.contains("canary") })
        let placed = workspace.credentialWarnings { SourceLocation(file: $1, line: $0.label == "token" ? 7 : 8, column: 9) }
        #expect(placed.map(\.location.description) == ["shop/list.yaml:7:9", "shop/service.yaml:8:9", "workspace.yaml:4:1"])
        workspace.publicValues = ["canary-1", "canary-3"]
        #expect(workspace.credentialWarnings().map(\.location.file) == ["shop/service.yaml"])
    }

    @Test(arguments: [
        ("Shop API", "token", "shop-api-token"), ("Büro", "pass/word", "b-ro-pass-word"), ("", "token", "token"), ("日本", "秘密", "secret"),
    ]) func `the name in the store is made of the workspace and the secret`(workspace: String, name: String, stored: String) {
        let made = SecretName.stored(name, in: workspace)
        #expect(made == stored && SecretSource.problem(ofStored: made) == nil)
    }

    @Test func `long names in the store are different for each secret`() {
        let start = String(repeating: "a", count: 80)
        #expect(SecretName.stored(start, in: "w") == "w-\(start)")
        let names = ["b", "c"].flatMap { [SecretName.stored(start + $0, in: "w"), SecretName.stored("k", in: start + $0)] }
        #expect(Set(names).count == 4 && names.allSatisfy { SecretSource.problem(ofStored: $0) == nil && $0.count == 82 })
    }
}
