import Foundation
import SortieStorage
import Testing
import WorkspaceModel

@Suite struct WorkspaceCapabilityTests {
    /// The sentences of all capabilities in the files of a workspace.
    private func sentences(_ files: [String: String], downloads: String? = nil) throws -> [String] {
        let folder = try TemporaryWorkspace(files)
        return try withExtendedLifetime(folder) { CapabilityList(CapabilityScan(try folder.load(), downloadFolder: downloads).all).sentences }
    }

    private func needed(_ files: [String: String], target: String = "shop/a", environment: String? = "dev") throws -> [String] {
        let folder = try TemporaryWorkspace(files)
        return try withExtendedLifetime(folder) {
            let workspace = try folder.load()
            let endpoint = try #require(workspace.endpoint(target))
            return CapabilityList(CapabilityScan(workspace).needed(by: endpoint, environment: environment)).sentences
        }
    }

    private static let settings = "name: W\nenvironments: {dev: {variables: {host: api.example}}, live: {variables: {host: live.example}}}\n"
    private static let service = "name: Shop\nservers: {dev: ['https://{{host}}'], live: ['https://{{host}}:8443']}\n"

    @Test func `a long command is shortened in the message of a refusal, to its beginning, its end and its length`() {
        let capability = Capability(.command, "echo \(String(repeating: "A", count: 5000)); touch hidden")
        #expect(CapabilityList([capability]).sentences.first?.contains(capability.subject) == true)
        let short = CapabilityList([capability], limit: CapabilityList.messageLimit).sentences.first ?? ""
        #expect(short.count < 300 && short.hasPrefix("run the command  echo AAA"))
        #expect(short.contains("AAA; touch hidden  (5036 characters)"), "\(short)")
    }

    @Test func `an endpoint that needs a value of another one, and so on for hundreds, requires what the last one does`() throws {
        var files = ["workspace.yaml": Self.settings + "secrets: {key: {env: KEY}}\n", "shop/service.yaml": Self.service]
        for number in 0..<500 {
            let value = number == 0 ? "{{key}}" : "{{e\(number - 1).v}}"
            files["shop/e\(number).yaml"] = "path: /\nquery: {v: \"\(value)\"}\ncapture: {v: $.v}\n"
        }
        #expect(try needed(files, target: "shop/e499") == ["read the environment variable KEY", "send {{key}} to https://api.example"])
    }

    @Test func `a workspace of plain requests requires no permission`() throws {
        let files = [
            "workspace.yaml": Self.settings, "shop/service.yaml": Self.service,
            "shop/a.yaml": "path: /orders\nquery: {page: 1}\nbody: {file: a.json}\nmethod: POST\n", "shop/a.json": "{}",
        ]
        #expect(try sentences(files) == [])
    }

    @Test(arguments: [
        "{text: a, contentType: 'text/{{$env.CANARY}}'}", "{file: a.json, contentType: 'text/{{$env.CANARY}}'}",
        "{multipart: [{name: a, value: b, type: 'text/{{$env.CANARY}}'}]}",
    ])
    func `a variable in the media type of a body requires permission`(body: String) throws {
        let files = [
            "workspace.yaml": Self.settings, "shop/service.yaml": Self.service, "shop/a.yaml": "method: POST\npath: /\nbody: \(body)\n",
            "shop/a.json": "",
        ]
        #expect(try needed(files).contains("read the environment variable CANARY"))
    }

    @Test func `a secret of a command lists the command and every origin that receives it`() throws {
        let files = [
            "workspace.yaml": Self.settings + "secrets: {token: {command: pass show shop}}\n", "shop/service.yaml": Self.service,
            "shop/a.yaml": "path: /orders\nauth: {bearer: '{{token}}'}\n",
        ]
        #expect(
            try sentences(files) == [
                "run the command  pass show shop", "send {{token}} to https://api.example", "send {{token}} to https://live.example:8443",
            ])
        #expect(try needed(files) == ["run the command  pass show shop", "send {{token}} to https://api.example"])
    }

    @Test(arguments: ["[token: {value: '{{mine}}'}]", "{only: [token: {value: '{{mine}}'}]}"])
    func `S1.42 the plugins of an endpoint require the permission for their secrets`(plugins: String) throws {
        let files = [
            "workspace.yaml": Self.settings + "secrets: {mine: {command: pass show mine}, key: {command: pass show key}}\n",
            "shop/service.yaml": Self.service, "shop/a.yaml": "path: /a\nplugins: \(plugins)\n",
            "shop/b.yaml": "path: /b\nplugins: [sign: {secret: '{{key}}'}]\n",
        ]
        #expect(try needed(files) == ["run the command  pass show mine", "send {{mine}} to https://api.example"])
        #expect(try needed(files, target: "shop/b") == ["run the command  pass show key"], "the key of a signature is not sent")
    }

    @Test func `S1.4 a secret is permitted for the origin to which a service moves its requests`() throws {
        let files = [
            "workspace.yaml": Self.settings + "secrets: {token: {env: TOKEN}}\n",
            "shop/service.yaml": "servers: {dev: ['http://{{host}}:8080']}\nhttps: {ports: {8080: 8443}}\n",
            "shop/a.yaml": "path: /\nauth: {bearer: '{{token}}'}\n",
        ]
        let sentences = try needed(files)
        #expect(sentences.contains { $0.contains("https://api.example:8443") }, "\(sentences)")
        #expect(!sentences.contains { $0.contains("http://") }, "\(sentences)")
    }

    @Test func `a secret is found through variables of variables`() throws {
        let files = [
            "workspace.yaml": Self.settings + "variables: {a: '{{b}}', b: 'x{{$env.AWS_KEY}}'}\n", "shop/service.yaml": Self.service,
            "shop/a.yaml": "path: /orders\nheaders: {X-Key: '{{a}}'}\n", "shop/b.yaml": "path: /plain\n",
        ]
        #expect(try needed(files) == ["read the environment variable AWS_KEY", "send {{$env.AWS_KEY}} to https://api.example"])
        #expect(try needed(files, target: "shop/b") == [])
    }

    @Test func `a search ends at variables that define each other`() throws {
        let files = [
            "workspace.yaml": Self.settings + "variables: {a: '{{b}}', b: '{{a}}{{$env.X}}'}\n", "shop/service.yaml": Self.service,
            "shop/a.yaml": "path: '/{{a}}'\n",
        ]
        #expect(try needed(files) == ["read the environment variable X", "send {{$env.X}} to https://api.example"])
    }

    @Test func `secrets in a host name are sent to the name server`() throws {
        let files = [
            "workspace.yaml": Self.settings + "secrets: {pw: {env: PW}}\n",
            "shop/service.yaml":
                "name: Shop\nservers: {dev: ['http://{{pw}}.example']}\naddresses: {preresolve: true, source: 'https://dns.example/q'}\n",
            "shop/a.yaml": "path: /\nheaders: {X: '{{pw}}'}\n",
        ]
        #expect(
            try needed(files) == [
                "read the environment variable PW", "resolve names at https://dns.example/q", "send {{pw}} to http://{{pw}}.example",
                "send {{pw}} to https://dns.example",
            ])
    }

    @Test func `files outside the workspace are identified by the target of their links`() throws {
        let folder = try TemporaryWorkspace([
            "workspace.yaml": Self.settings, "shop/service.yaml": Self.service,
            "shop/a.yaml": "method: POST\npath: /\nbody: {file: inside.txt}\n",
            "shop/b.yaml": "method: POST\npath: /\nbody: {multipart: [{name: x, file: ../../../etc/hostname}, {name: y, value: '{{$file link}}'}]}\n",
        ])
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/shop/inside.txt", withDestinationPath: "/etc/passwd")
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: "shop/a.yaml")
        let workspace = try folder.load()
        let files = CapabilityScan(workspace).all.filter { $0.kind == .file }.map(\.subject).sorted()
        #expect(files == ["/etc/hostname", "/etc/passwd"] || files == ["/etc/passwd", FilePathOf.parentsOf(folder.path, "etc/hostname")].sorted())
    }

    @Test func `insecure servers, proxies, client keys and download destinations are listed`() throws {
        let files = [
            "workspace.yaml": Self.settings,
            "shop/service.yaml":
                "name: Shop\nservers: {dev: ['https://{{host}}']}\nproxy: 'http://user:geheim@proxy.example:3128'\n"
                + "trust: {insecure: true, clientKey: /etc/me.pem, clientCertificate: me.crt}\n",
            "shop/a.yaml": "path: /\nkind: download\ndownload: {to: /srv/x.iso}\n", "shop/b.yaml": "path: /\nkind: download\ndownload: {to: b.iso}\n",
            "shop/c.yaml": "path: /\nkind: download\ndownload: {to: /home/me/Downloads/c.iso}\n",
        ]
        #expect(
            try sentences(files, downloads: "/home/me/Downloads") == [
                "use the client key /etc/me.pem", "write downloads to /srv/x.iso", "not verify the certificate of https://api.example",
                "send requests through the proxy http://user:••••@proxy.example:3128",
            ])
    }

    @Test func `capabilities that a user types require no permission, except secrets that the files define`() throws {
        let folder = try TemporaryWorkspace([
            "workspace.yaml": Self.settings + "secrets: {token: {command: evil}}\n", "shop/service.yaml": Self.service, "shop/a.yaml": "path: /\n",
        ])
        let workspace = try folder.load()
        let scan = CapabilityScan(workspace)
        var typed = try #require(workspace.endpoint("shop/a"))
        typed.headers.append(Parameter("X-Home", "{{$env.HOME}}"))
        typed.body = .file(path: "/etc/hostname", contentType: nil)
        #expect(scan.needed(by: typed, environment: "dev") == [])
        typed.headers.append(Parameter("X-Token", "{{token}}"))
        #expect(scan.needed(by: typed, environment: "dev") == [Capability(.command, "evil")])
    }

    @Test func `a run requires the capabilities of its steps with the values it passes to them`() throws {
        let folder = try TemporaryWorkspace([
            "workspace.yaml": Self.settings, "shop/service.yaml": Self.service, "shop/a.yaml": "path: '/{{id}}'\n",
            "runs/r.yaml": "chain:\n  - send: shop/a\n    with: {id: '{{$env.SHELL}}'}\n",
        ])
        let workspace = try folder.load()
        let run = try #require(workspace.runs.first)
        #expect(
            CapabilityList(CapabilityScan(workspace).needed(by: run, environment: "dev")).sentences
                == ["read the environment variable SHELL", "send {{$env.SHELL}} to https://api.example"])
    }

    @Test func `an exponential variable is listed quickly`() throws {
        let doubling = (1...40).map { "v\($0): '{{v\($0 - 1)}}{{v\($0 - 1)}}'" }.joined(separator: ", ")
        let files = [
            "workspace.yaml": Self.settings + "variables: {v0: x, \(doubling)}\n",
            "shop/service.yaml": "name: Shop\nservers: {dev: ['http://{{v40}}']}\ntrust: {insecure: true}\n", "shop/a.yaml": "path: /\n",
        ]
        #expect(try needed(files).count >= 1)
    }

    @Test func `a capability is parsed from its line`() throws {
        for capability in [Capability(.command, "a \"b\"\n\u{202e}c"), Capability(.secret, "token", to: "https://a.example")] {
            #expect(try Capability(line: capability.line) == capability)
        }
        #expect(try Capability(line: "[\"later\",\"x\"]") == nil)
    }
}

/// The target of a path with many parent segments from a temporary folder.
private enum FilePathOf {
    static func parentsOf(_ folder: String, _ path: String) -> String {
        URL(fileURLWithPath: folder + "/shop/../../../" + path).standardizedFileURL.path
    }
}
