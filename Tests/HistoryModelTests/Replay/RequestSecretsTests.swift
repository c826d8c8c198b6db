import HistoryModel
import SortieHTTP
import Testing
import WorkspaceModel

import struct Foundation.Date

/// Tests the secrets of a request, collected while its templates are resolved.
@Suite struct RequestSecretsTests {
    private func workspace(_ endpoint: Endpoint) -> Workspace {
        var workspace = Workspace(name: "W", folder: "/w")
        workspace.environments = [.init(name: "dev", variables: [:])]
        workspace.secrets = ["pw": .environment("PW"), "other": .environment("OTHER")]
        var service = Service(folder: "shop", name: "Shop")
        service.servers = ["dev": ["http://shop.example"]]
        service.endpoints = [endpoint]
        workspace.services = [service]
        return workspace
    }

    private static func scope(_ endpoint: Endpoint, _ builder: RequestBuilder) -> TemplateScope {
        builder.scope(
            of: endpoint, secret: { name throws(TemplateError) in name == "pw" ? "sesame" : name == "other" ? "never used" : nil },
            builtin: { name, argument in
                switch name {
                case "env": "value of \(argument)"
                case "file": "-----BEGIN-----\n  first line of it\nshort\n"
                case "prompt", "promptSecret": "typed"
                case "uuid": "a-uuid-of-its-own"
                default: nil
                }
            })
    }

    private func secrets(
        _ text: String, overrides: [[String: String]] = [], _ change: (inout Workspace) -> Void = { _ in }
    ) throws -> RequestSecrets {
        var endpoint = Endpoint(target: "shop/a", name: "A", path: "/")
        endpoint.headers = [Parameter("X-A", text)]
        var workspace = workspace(endpoint)
        change(&workspace)
        let builder = RequestBuilder(workspace: workspace, environment: "dev", overrides: overrides)
        return try builder.request(for: endpoint, in: Self.scope(endpoint, builder)).secrets
    }

    @Test func `a request without secrets has none`() throws {
        #expect(try secrets("plain {{$uuid}} {{id}}", overrides: [["id": "12345678"]]).isEmpty)
    }

    @Test func `values of used secrets, environment variables, secret prompts and files are secret, and unused ones are not`() throws {
        #expect(try secrets("{{pw}}").values == ["sesame"])
        #expect(try secrets("{{$env.KEY}}").values == ["value of KEY"])
        #expect(try secrets("{{$promptSecret Name}}").values == ["typed"])
        #expect(try secrets("{{$prompt Your password}}").values == ["typed"])
        #expect(try secrets("{{$prompt Name}}").values == [])
        let whole = "-----BEGIN-----\n  first line of it\nshort\n"
        var endpoint = Endpoint(target: "shop/a", name: "A", method: .post, path: "/")
        endpoint.body = .text("{{$file key.pem}}", contentType: nil)
        let builder = RequestBuilder(workspace: workspace(endpoint), environment: "dev")
        let values = try builder.request(for: endpoint, in: Self.scope(endpoint, builder)).secrets.values
        #expect(values == [whole, "-----BEGIN-----\n  first line of it\nshort", "-----BEGIN-----", "first line of it"])
    }

    @Test func `a secret is found through variables of variables`() throws {
        #expect(try secrets("{{a}}") { $0.variables = ["a": "x{{b}}", "b": "{{pw}}y"] }.values.contains("sesame"))
    }

    @Test func `a variable with the name of a credential, or one of redact, is secret`() throws {
        #expect(try secrets("{{api_key}}", overrides: [["api_key": "typed-key"]]).values == ["typed-key"])
        let team = try secrets("{{Team-Id}}", overrides: [["Team-Id": "blue"]]) { $0.redact = ["team_id"] }
        #expect(team.values == ["blue"])
        #expect(team.names == ["team_id"])
    }

    @Test func `the hosts of a secret are stored with its value`() throws {
        let pattern = try #require(HostPattern("api.example"))
        let secrets = try secrets("{{pw}}") { $0.secretHosts = ["pw": [pattern], "other": []] }
        #expect(secrets.restricted == [.init(name: "pw", value: "sesame", hosts: [pattern])])
    }

    @Test func `captured values are secret, short words and the data of the run are not`() throws {
        var endpoint = Endpoint(target: "shop/a", name: "A", path: "/")
        endpoint.headers = [Parameter("X-A", "{{login.ticket}} {{login.count}} {{login.token}} {{row}} {{passed}}")]
        let workspace = workspace(endpoint)
        let builder = RequestBuilder(workspace: workspace, environment: "dev")
        let definition = RunDefinition.Step(target: "shop/a", name: "second", variables: ["passed": "a {{pw}}"])
        let run = RunPlan(RunDefinition(name: "r", kind: .chain, steps: [definition]), rows: [["row": "a long value of the data"]])
        let step = try #require(run.steps.first)
        let captures = ["login.ticket": "ticket-of-12", "login.count": "1234567", "login.token": "abc"]
        let prepared = try builder.prepared(step, captures: captures) { Self.scope($0, $1) }
        #expect(prepared.request.secrets.values == ["ticket-of-12", "abc", "sesame"])
    }

    @Test func `a replayed request has the current secrets`() throws {
        var endpoint = Endpoint(target: "shop/a", name: "A", path: "/")
        endpoint.headers = [Parameter("X-A", "{{pw}}")]
        var workspace = workspace(endpoint)
        workspace.redact = ["X-Team"]
        let builder = RequestBuilder(workspace: workspace, environment: "dev")
        let request = try builder.request(for: endpoint, in: Self.scope(endpoint, builder))
        let exchange = Exchange(id: RequestID(high: 1, low: 1), request: request, startedAt: Date(timeIntervalSince1970: 0))
        let masked = exchange.masked(by: Redaction(values: ["sesame"]))
        #expect(masked.request.secrets.isEmpty)
        let item = HistoryItem(
            number: 1, id: exchange.id, startedAt: exchange.startedAt, target: "shop/a", environment: "dev", url: request.url.description)
        let past = PastExchange(item: item, exchange: masked, masks: MaskedParts(of: request, in: masked.request))
        let replay = Replay(
            past, builder: builder, scope: { Self.scope($0, $1) },
            redaction: { Redaction(values: ["sesame"]) }, file: { _ in nil })
        let secrets = replay.planned().request.secrets
        #expect(secrets.values == ["sesame"])
        #expect(secrets.names == ["X-Team"])
    }
}
