import Foundation
import SortieBase
import SortieHTTP
import Testing
import WorkspaceModel

@testable import SortieStorage

/// Tests changes of the settings of services, in their files and as texts.
@Suite struct ServiceSavingTests {
    private static let environments = """
        name: Test
        environments: {develop: {}, release: {}}
        variables: {password: "{{$env.A}}", passphrase: "{{$env.B}}"}

        """

    /// A file with every key of a service, in which a comment follows most of them.
    private static let complete = """
        # the shop
        name: The shop
        description: Sells things.
        tags: [shop, smoke]   # both
        order: [orders, login]   # the rest by name
        servers:
          develop: ["http://127.0.0.1"]   # mine
          release: ["https://a.example", "https://b.example"]
        https: {ports: {80: 443}}
        switchServers: {after: 10, errorRate: 0.5, serverErrors: true, field: X-Server}
        headers: {Accept: application/json, User-Agent: null}   # not ours
        auth: {basic: {user: me, password: "{{password}}"}}
        limits: {connections: 6, requests: 16, downloads: 2, resources: 3}
        trust:
          pins: ["sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]   # of today
          pinFiles: [server.pem]
          pinMatch: certificate
          scope: chain
          ca: ../certs/ca.pem
          clientCertificate: me.pem
          clientKey: me.key
          clientKeyPassphrase: "{{passphrase}}"
          insecure: true
          minimumTLS: 1.3
          pinsExpire: 2031-01-31
        timeout: {connect: 5s, idle: 7s, total: 9s}
        addresses: {source: "https://dns.example/query", preresolve: true, static: [127.0.0.1]}
        envelope: {code: $.code, success: 200, message: $.message, result: $.result}
        contract: {openapi: ../api.yaml, mode: fail}
        texts: zh-Hans
        validateStatus: true
        proxy: {url: "http://p.example:3128", except: [a.example, b.example], ca: proxy.pem, auth: digest}
        parameters: {arrays: repeat}
        publicParameters: {appId: 1}
        plugins:
          - sign: {scheme: hmac-sha256}   # the new one
          - errorFilter
        hooks: [{stage: willSend, run: [./sign.py], timeout: 5s}]

        """

    private func sample(_ service: String = complete) throws -> TemporaryWorkspace {
        try TemporaryWorkspace(["workspace.yaml": Self.environments, "shop/service.yaml": service])
    }

    /// The text of the file after a change.
    private func text(of file: TemporaryWorkspace, after change: (inout Service) throws -> Void) throws -> String {
        let old = try #require(try file.load().service("shop"))
        var new = old
        try change(&new)
        _ = try withExtendedLifetime(file) { try WorkspaceFolder(path: file.path).perform(.changeService(new, from: old)) }
        return try file.read("shop/service.yaml")
    }

    @Test func `the form of a service has every key of its file, apart from the tunnel, which excludes a proxy`() throws {
        let workspace = try sample().load()
        #expect(workspace.readingErrors == [])
        let service = try #require(workspace.service("shop"))
        let form = ServiceForm(root: workspace.folder, base: workspace.timeouts)
        #expect(form.members(of: service).map(\.key) == WorkspaceKeys.service.names.filter { $0 != "tunnel" })
        for key in WorkspaceKeys.trust.names {
            guard case .mapping(let members)? = form.members(of: service).first(where: { $0.key == "trust" })?.value else { break }
            #expect(members.contains { $0.key == key }, "\(key)")
        }
    }

    @Test(arguments: ["{ssh: bastion}", "{command: \"forward 8080\", port: 8080, timeout: 5s}"]) func `a tunnel is the same in the form`(
        tunnel: String
    ) throws {
        let file = try sample("servers: {develop: [\"http://a.example\"]}\ntunnel: \(tunnel)\n")
        let before = try #require(try file.load().service("shop")?.tunnel)
        let text = try text(of: file) { $0.tunnel = nil }
        #expect(text == "servers: {develop: [\"http://a.example\"]}\n")
        _ = try self.text(of: file) { $0.tunnel = before }
        #expect(try file.load().service("shop")?.tunnel == before)
    }

    @Test func `a change of one setting changes only its line`() throws {
        #expect(try text(of: sample()) { $0.limits.requests = 20 } == Self.complete.replacing("requests: 16", with: "requests: 20"))
        let file = try sample()
        let workspace = try file.load()
        #expect(
            try text(of: file) { $0 = try sections.setting(key("trust", "insecure"), of: $0, to: "", in: workspace) }
                == Self.complete.replacing("  insecure: true\n", with: ""))
        #expect(try text(of: sample()) { $0.headers[0].value = "text/html" } == Self.complete.replacing("application/json", with: "text/html"))
        #expect(
            try text(of: sample()) { $0.servers["develop"]?.append("http://127.0.0.2") }
                == Self.complete.replacing("127.0.0.1\"]   # mine", with: "127.0.0.1\", http://127.0.0.2]   # mine"))
        #expect(
            try text(of: sample()) { $0.servers["release"]?.swapAt(0, 1) }
                == Self.complete.replacing("[\"https://a.example\", \"https://b.example\"]", with: "[\"https://b.example\", \"https://a.example\"]"))
    }

    @Test(arguments: ["# nothing yet\n", "{}\n", "", "# nothing yet"]) func `a file without keys gets them`(text: String) throws {
        let after = try self.text(of: sample(text)) { $0.servers = ["develop": ["http://a.example"], "release": ["https://a.example"]] }
        let comment = text.hasPrefix("#") ? "# nothing yet\n" : ""
        #expect(after == comment + "servers: {develop: [http://a.example], release: [https://a.example]}\n")
    }

    @Test func `a value that is also the standard one is written, because it takes precedence over that of the environment`() throws {
        let file = try sample("name: Shop\n")
        let workspace = try file.load()
        let service = try #require(workspace.service("shop"))
        let new = try sections.setting(key("trust", "insecure"), of: service, to: "false", in: workspace)
        #expect(new != service && new.trust == service.trust)
        #expect(try text(of: file) { $0 = new } == "name: Shop\ntrust: {insecure: false}\n")
    }

    @Test func `an item of a list that cannot be read is kept where others are changed, added and removed`() throws {
        let lines = """
            servers:
              develop:
                - http://a
                - ftp://b   # later
                - http://c
            addresses: {static: [127.0.0.1, nowhere, 127.0.0.2]}

            """
        let changed = try text(of: try sample(lines)) { service in
            service.servers["develop"] = ["http://a", "http://d", "http://e"]
            service.addresses.fixed.removeFirst()
        }
        #expect(
            changed
                == lines.replacing("http://c\n", with: "http://d\n    - http://e\n").replacing("127.0.0.1, ", with: ""))
        let file = try sample(lines)
        let error = #expect(throws: WorkspaceError.self) { try text(of: file) { $0.servers = [:] } }
        #expect(error?.code == .cannotExpress)
        #expect(try file.read("shop/service.yaml") == lines)
    }

    @Test func `changes of another program stay, and a change of the same key is refused`() throws {
        let file = try sample("limits: {requests: 4}\n")
        let old = try #require(try file.load().service("shop"))
        var new = old
        new.limits.requests = 8
        try file.write("# theirs\ntags: [a]\nlimits: {requests: 4}\n", to: "shop/service.yaml")
        let folder = WorkspaceFolder(path: file.path)
        _ = try folder.perform(.changeService(new, from: old))
        #expect(try file.read("shop/service.yaml") == "# theirs\ntags: [a]\nlimits: {requests: 8}\n")
        try file.write("limits: {requests: 5}\n", to: "shop/service.yaml")
        let error = #expect(throws: WorkspaceError.self) { try folder.perform(.changeService(new, from: old)) }
        #expect(error?.message.contains("in the same places: limits") == true)
        #expect(try file.read("shop/service.yaml") == "limits: {requests: 5}\n")
    }

    @Test func `a header field and a server that another program inserted stay beside those that were changed here`() throws {
        let file = try sample("headers: {X-One: a}\nservers: {develop: [http://a.test]}\n")
        let old = try #require(try file.load().service("shop"))
        var new = old
        new.headers[0].value = "typed"
        new.servers["develop"] = ["http://a.test", "http://c.test"]
        try file.write("headers: {X-Zero: 0, X-One: a}\nservers: {develop: [http://b.test, http://a.test]}\n", to: "shop/service.yaml")
        _ = try WorkspaceFolder(path: file.path).perform(.changeService(new, from: old))
        let saved = try #require(try file.load().service("shop"))
        #expect(saved.headers == [Parameter("X-Zero", "0"), Parameter("X-One", "typed")])
        #expect(saved.servers["develop"] == ["http://b.test", "http://a.test", "http://c.test"])
    }

    @Test func `a file that the settings name is created with them, and reverted with them; another one of its name is not replaced`() throws {
        let file = try sample("name: Shop\n")
        let old = try #require(try file.load().service("shop"))
        var new = old
        new.trust.certificateAuthorityFile = file.path + "/shop/certs/a.pem"
        let folder = WorkspaceFolder(path: file.path)
        let edit = WorkspaceEdit.changeService(new, from: old, files: ["shop/certs/a.pem": Array("PEM".utf8)])
        let changes = try folder.perform(edit)
        #expect(try file.read("shop/service.yaml") == "name: Shop\ntrust: {ca: certs/a.pem}\n" && file.read("shop/certs/a.pem") == "PEM")
        _ = try folder.perform(.apply(changes.reverted))
        #expect(try file.read("shop/service.yaml") == "name: Shop\n")
        try file.write("another", to: "shop/certs/a.pem")
        #expect(throws: WorkspaceError.self) { try folder.perform(edit) }
        #expect(try file.read("shop/certs/a.pem") == "another" && file.read("shop/service.yaml") == "name: Shop\n")
    }

    // MARK: Texts

    private let sections = YAMLSections()

    @Test func `the text of each setting is one that sets it to the same value`() throws {
        let workspace = try sample().load()
        let service = try #require(workspace.service("shop"))
        let texts = { sections.texts(of: $0, folder: workspace.folder, base: workspace.timeouts) }
        let before = texts(service)
        #expect(Set(Set(sections.serviceKeys).subtracting(before.keys).map(\.path)) == [["tunnel"], ["proxy", "pac"]])
        for (key, text) in before {
            let empty = try sections.setting(key, of: service, to: "", in: workspace)
            #expect(texts(empty)[key] == nil, "\(key.path)")
            let again = try sections.setting(key, of: service, to: text, in: workspace)
            #expect(texts(again) == before, "\(key.path): \(text)")
        }
    }

    private func key(_ path: String...) throws -> ServiceKey { try #require(sections.serviceKeys.first { $0.path == path }) }

    @Test func `words, numbers and lists have the forms of the key table`() throws {
        #expect(try key("trust", "scope").words == ["leaf", "chain"])
        #expect(try key("validateStatus").words == ["true", "false"])
        #expect(try key("https").words.isEmpty && key("https").hasLines == false)
        #expect(try key("plugins").hasLines && key("tunnel").hasLines && key("publicParameters").hasLines)
        #expect(try key("proxy", "except").form == "list of texts")
    }

    @Test func `an invalid text is refused with the reason, and for a text of several lines with its place`() throws {
        let workspace = try sample("name: Shop\n").load()
        let service = try #require(workspace.service("shop"))
        func problem(_ key: ServiceKey, _ text: String) throws -> Diagnostic {
            try #require(throws: Diagnostic.self) { try sections.setting(key, of: service, to: text, in: workspace) }
        }
        let limit = try problem(key("limits", "requests"), "many")
        #expect(limit.message.contains("requests must be a whole number") && limit.location == .nowhere)
        let plugins = try problem(key("plugins"), "- token\n- sing")
        #expect(plugins.message.contains("did you mean “sign”?") && plugins.location.line == 2 && plugins.location.column == 3)
        #expect(try problem(key("trust", "clientKeyPassphrase"), "hunter2").message.contains("everyone with this file can read the passphrase"))
    }

    @Test func `a problem that the file has already refuses no other setting`() throws {
        let workspace = try sample("trust: {clientKeyPassphrase: hunter2}\nservers: {stage: [\"http://a.example\"]}\n").load()
        let service = try #require(workspace.service("shop"))
        let new = try sections.setting(key("trust", "minimumTLS"), of: service, to: "1.3", in: workspace)
        #expect(new.trust.minimumTLS == .tls13 && new.trust.clientKeyPassphrase == "hunter2")
    }

    @Test func `a list is typed with commas, a proxy as its URL or none, and a path is written relative to the file`() throws {
        let workspace = try sample("name: Shop\n").load()
        var service = try #require(workspace.service("shop"))
        service = try sections.setting(key("proxy", "url"), of: service, to: "http://p.example:3128", in: workspace)
        service = try sections.setting(key("proxy", "except"), of: service, to: "a.example, b.example", in: workspace)
        #expect(service.proxy?.except == ["a.example", "b.example"])
        service = try sections.setting(key("trust", "ca"), of: service, to: "ca.pem", in: workspace)
        #expect(service.trust.certificateAuthorityFile == workspace.folder + "/shop/ca.pem")
        let none = try sections.setting(
            key("proxy", "url"), of: sections.setting(key("proxy", "except"), of: service, to: "", in: workspace), to: "none", in: workspace)
        #expect(none.proxy == ProxyTemplate(url: ""))
        let script = try sections.setting(key("proxy", "pac"), of: none, to: "../auto.pac", in: workspace)
        #expect(script.proxy == ProxyTemplate(url: "", script: workspace.folder + "/auto.pac"))
        #expect(try sections.setting(key("proxy", "url"), of: script, to: "", in: workspace) == script)
        #expect(try sections.setting(key("proxy", "pac"), of: script, to: "", in: workspace).proxy == nil)
        #expect(sections.texts(of: none, folder: workspace.folder, base: Timeouts())[try key("proxy", "url")] == "none")
    }

    @Test func `a server that is no URL is a problem of its key`() throws {
        let workspace = try sample("name: Shop\n").load()
        var service = try #require(workspace.service("shop"))
        service.servers = ["develop": ["http://[::1"]]
        #expect(sections.problem(ofKey: "servers", in: service, of: workspace) != nil)
        service.servers = ["develop": ["http://[::1]"]]
        #expect(sections.problem(ofKey: "servers", in: service, of: workspace) == nil)
    }
}
