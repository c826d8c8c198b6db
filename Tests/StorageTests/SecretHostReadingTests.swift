import SortieBase
import SortieHTTP
import SortieStorage
import Testing
import WorkspaceModel

/// Tests `hosts:` of secrets in `workspace.yaml`.
@Suite struct SecretHostReadingTests {
    private func load(_ secrets: String, _ more: [String: String] = [:]) throws -> Workspace {
        let settings = "name: W\nenvironments: {dev: {}, live: {}}\nsecrets:\n  pw: \(secrets)\n"
        let folder = try TemporaryWorkspace(["workspace.yaml": settings].merging(more) { $1 })
        return try withExtendedLifetime(folder) { try folder.load() }
    }

    private static let shop = [
        "shop/service.yaml": "name: Shop\nservers: {dev: ['http://api.example'], live: ['http://{{host}}.other.example', 'http://b.example']}\n",
        "shop/a.yaml": "path: /orders\nauth: {bearer: '{{pw}}'}\n", "shop/b.yaml": "path: /plain\n",
        "shop/c.yaml": "path: http://c.example/x\nheaders: {X-A: '{{pw}}'}\n",
    ]

    @Test(arguments: ["{command: echo x, hosts: [api.example, \"*.internal.example\"]}", "{env: PW, hosts: [api.example, \"*.internal.example\"]}"])
    func `a secret specifies the hosts that may receive it`(_ text: String) throws {
        let workspace = try load(text)
        #expect(workspace.problems.isEmpty)
        #expect(workspace.secretHosts["pw"]?.map(\.description) == ["api.example", "*.internal.example"])
        #expect(workspace.secrets["pw"] != nil)
    }

    @Test func `a single host needs no list, and without hosts nothing is restricted`() throws {
        #expect(try load("{env: PW, hosts: api.example}").secretHosts["pw"]?.map(\.description) == ["api.example"])
        #expect(try load("{env: PW}").secretHosts.isEmpty)
    }

    @Test(arguments: [
        ("[https://api.example]", "“https://api.example” is not a host"), ("['*']", "“*” is not a host"), ("[]", "hosts is empty"),
        ("{a: b}", "hosts must be a list of texts"), ("[api.example:443]", "without a scheme and a port"),
    ])
    func `a mistake is reported with its location and permits no host`(_ hosts: String, _ message: String) throws {
        let workspace = try load("{env: PW, hosts: \(hosts)}")
        let problem = try #require(workspace.problems.first)
        #expect(problem.description.hasPrefix("workspace.yaml:4:") && problem.message.contains(message), "\(problem)")
        #expect(workspace.secretHosts["pw"] == [])
    }

    @Test func `hosts without env and command do not define a secret`() throws {
        let message = "a secret must have one of env, command, secret, pass, keyring or vault"
        #expect(try load("{hosts: [a.example]}").problems.map(\.message) == [message])
    }

    @Test func `check reports an endpoint whose server may not receive its secret`() throws {
        let workspace = try load("{env: PW, hosts: [api.example]}", Self.shop)
        #expect(
            workspace.problems.filter { $0.severity == .error }.map { "\($0.location.file): \($0.message)" } == [
                "shop/a.yaml: the secret pw may not be sent to http://b.example; secrets: pw: hosts: in workspace.yaml permits api.example",
                "shop/c.yaml: the secret pw may not be sent to http://c.example; secrets: pw: hosts: in workspace.yaml permits api.example",
            ])
    }

    @Test func `capabilities list the hosts that may receive a secret and no server that may not`() throws {
        let workspace = try load("{env: PW, hosts: [api.example]}", Self.shop)
        let sentences = CapabilityList(CapabilityScan(workspace).all).sentences
        #expect(
            sentences == [
                "read the environment variable PW", "send {{pw}} to api.example", "send {{pw}} to http://api.example",
                "send {{pw}} to http://{{host}}.other.example",
            ])
    }

    @Test func `a name server receives the secrets in the names of hosts`() throws {
        let workspace = try load(
            "{env: PW}",
            [
                "shop/service.yaml": "name: Shop\nservers: {dev: ['http://{{pw}}.example']}\naddresses: {source: 'https://dns.example/q'}\n",
                "shop/a.yaml": "path: /orders\n",
            ])
        let sentences = CapabilityList(CapabilityScan(workspace).all).sentences
        #expect(sentences.contains("send {{pw}} to https://dns.example"))
    }
}
