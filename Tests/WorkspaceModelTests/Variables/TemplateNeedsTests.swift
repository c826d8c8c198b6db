import SortieHTTP
import Testing
import WorkspaceModel

@Suite struct TemplateNeedsTests {
    private var workspace: Workspace {
        var workspace = Workspace(name: "W", folder: "/w")
        workspace.environments = [.init(name: "dev", variables: ["host": "h", "deep": "{{$prompt From deep}}"]), .init(name: "other")]
        workspace.variables = ["loop": "{{loop}}", "auth": "Bearer {{token}}"]
        workspace.secrets = ["token": .environment("TOKEN")]
        var shop = Service(folder: "shop", name: "Shop")
        shop.servers = ["dev": ["http://{{host}}", "http://{{unknownFallback}}"], "other": ["http://{{host}}"]]
        shop.headers = [Parameter("Authorization", "{{auth}}")]
        workspace.services = [shop]
        return workspace
    }

    private func endpoint(_ change: (inout Endpoint) -> Void = { _ in }) -> Endpoint {
        var endpoint = Endpoint(target: "shop/a", name: "A", path: "/")
        change(&endpoint)
        return endpoint
    }

    private func needs(_ environment: String, overrides: [String: String] = [:], _ change: (inout Endpoint) -> Void = { _ in }) -> TemplateNeeds {
        TemplateNeedsScan(workspace, environment: environment, overrides: overrides).needs(of: endpoint(change))
    }

    @Test func `names without a definition in the environment are found in every part of a request`() {
        #expect(needs("dev").undefined == [])
        #expect(needs("other").undefined == ["host"])
        let all = needs("dev") {
            $0.path = "/{{p}}"
            $0.query = [Parameter("{{q}}", "1"), Parameter("off", "{{disabled}}", isEnabled: false)]
            $0.headers = [Parameter("X", "{{h}} {{p}}")]
            $0.auth = .basic(user: "{{u}}", password: "{{w}}")
            $0.body = .json("{\"a\": {{b}}}")
        }
        #expect(Set(all.undefined) == ["p", "q", "h", "u", "w", "b"] && all.undefined.count == 6 && all.undefined.first == "p")
    }

    @Test func `variables of the command line and of the endpoint are definitions`() {
        #expect(needs("other", overrides: ["host": "x"]).undefined == [])
        #expect(needs("other") { $0.variables = ["host": "x"] }.undefined == [])
        #expect(needs("other") { $0.path = "https://a.example/" }.undefined == [])
    }

    @Test func `an endpoint that inherits nothing does not need the header fields of its service`() {
        #expect(needs("dev").secrets == ["token"])
        #expect(needs("dev") { $0.inherits = false }.secrets == [])
    }

    @Test func `prompts are found through variables, once for each label, with their default`() {
        let prompts = needs("dev") {
            $0.path = "/{{deep}}/{{$prompt Page = 1}}/{{$prompt Page}}"
            $0.headers = [Parameter("X", "{{$promptSecret PIN of the card = 9}} {{loop}}")]
        }.prompts
        #expect(prompts.map(\.label) == ["From deep", "Page", "PIN of the card"])
        #expect(prompts.map(\.suggestion) == ["", "1", ""])
        #expect(prompts.map(\.isSecret) == [false, false, true])
    }

    @Test func `a label with the name of a credential is secret`() {
        for (label, isSecret) in [("Your password", true), ("api key", true), ("One-time code", true), ("Customer", false), ("Codes", false)] {
            #expect(PromptQuestion("prompt", label)?.isSecret == isSecret, "\(label)")
        }
        #expect(PromptQuestion("uuid", "") == nil)
    }

    @Test func `a run needs the prompts of its steps and of their values`() {
        var workspace = workspace
        workspace.services[0].endpoints = [endpoint { $0.path = "/{{id}}/{{login.token}}" }]
        let steps = [RunDefinition.Step(target: "shop/a", name: "a", variables: ["id": "{{$prompt Id}}"])]
        let needs = TemplateNeedsScan(workspace, environment: "dev").needs(of: RunDefinition(name: "r", kind: .chain, steps: steps))
        #expect(needs.prompts.map(\.label) == ["Id"] && needs.undefined.isEmpty)
    }

    @Test func `what the user typed is not part of the origin that the history stores`() throws {
        let builder = RequestBuilder(workspace: workspace, environment: "dev")
        let endpoint = endpoint {
            $0.promptValues = ["Page": "3"]
            $0.path = "/{{$prompt Page}}"
            $0.inherits = false
        }
        let request = try builder.request(for: endpoint, in: builder.scope(of: endpoint) { name, _ in name == "prompt" ? "3" : nil })
        #expect(request.url.description == "http://h/3" && request.origin?.endpoint.promptValues == [:])
        let stored = request.origin?.masked(by: .standard)
        #expect(stored?.builtins == ["prompt Page": ["3"]])
        var secret = endpoint
        secret.path = "/{{$promptSecret Page}}"
        let other = try builder.request(for: secret, in: builder.scope(of: secret) { name, _ in name == "promptSecret" ? "3" : nil })
        #expect(other.origin?.masked(by: .standard).builtins == [:])
    }
}
