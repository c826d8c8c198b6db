import Foundation
import SortieBase
import SortieHTTP
import Support
import Testing
import WorkspaceModel

@testable import SortieStorage

/// Tests packing and unpacking workspaces.
struct WorkspaceBundleTests {
    private let workspace: TemporaryWorkspace
    private let target = FileManager.default.temporaryDirectory.appendingPathComponent("sortie-bundle-\(UUID().uuidString)").path

    init() throws {
        workspace = try TemporaryWorkspace([
            "workspace.yaml": """
            name: W   # the name
            environments: {dev: {variables: {port: "80", password: canary-1}}}
            variables:
              token: 'canary-2'     # a token
              apiKey: "{{key}}"
            secrets: {key: {env: KEY}, password2: {command: pass}}

            """,
            "shop/service.yaml": "name: Shop\nservers: {dev: [\"http://h\"]}\nheaders: {X-Api-Key: canary-3, A: b}\n",
            "shop/a.yaml": """
            method: POST
            path: /a
            auth: {basic: {user: me, password: canary-4}}
            query:
              - {name: access_token, value: canary-5}
            body:
              json: {password: canary-6, b: 1}
            capture: {token: $.token}
            expect: {json: {$.token: exists}}

            """,
            "shop/data.csv": "a,b\n1,2\n", ".git/config": "canary-7", "shop/.hidden": "canary-8",
        ])
        try FileManager.default.createSymbolicLink(atPath: workspace.path + "/shop/link.yaml", withDestinationPath: "/etc/passwd")
    }

    private func files(_ folder: String) throws -> [String: Data] {
        var result: [String: Data] = [:]
        for case let name as String in FileManager.default.enumerator(atPath: folder) ?? .init() {
            let path = folder + "/" + name
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue {
                result[name] = try Data(contentsOf: URL(fileURLWithPath: path))
            }
        }
        return result
    }

    private func cleanUp() throws {
        if FileManager.default.fileExists(atPath: target) { try FileManager.default.removeItem(atPath: target) }
    }

    @Test func `a bundle contains the files without credentials, and unpacking restores them`() throws {
        let bundle = try WorkspaceBundle(packing: workspace.path)
        #expect(bundle.files == ["shop/a.yaml", "shop/data.csv", "shop/service.yaml", "workspace.yaml"])
        #expect(!String(decoding: bundle.archive, as: UTF8.self).contains("canary"))
        #expect(bundle.blanked.count == 6, "\(bundle.blanked)")
        #expect(Set(bundle.omitted.map(\.location.file)) == [".git", "shop/.hidden", "shop/link.yaml"])
        #expect(bundle.unsearched.isEmpty)
        _ = try WorkspaceBundle.unpack(bundle.archive, file: "b.tar", into: target)
        defer { #expect(throws: Never.self) { try cleanUp() } }
        let unpacked = try files(target)
        #expect(Set(unpacked.keys) == Set(bundle.files))
        let text = String(decoding: unpacked["workspace.yaml"] ?? Data(), as: UTF8.self)
        #expect(
            text.contains("name: W   # the name") && text.contains("token: \"\"     # a token") && text.contains("apiKey: \"{{key}}\""), "\(text)")
        let loaded = try WorkspaceFolder(path: target).load()
        #expect(loaded.problems.filter { $0.severity == .error }.isEmpty, "\(loaded.problems)")
        #expect(loaded.endpoint("shop/a")?.captures.first?.path == "$.token")
        #expect(loaded.endpoint("shop/a")?.auth == .basic(user: "me", password: ""))
    }

    @Test func `variables whose names end in that of a credential are empty, and positions in lists stay`() throws {
        let settings = "name: W\nvariables: {prod_password: canary, githubPat: canary, page_token: kept}\n"
        let workspace = try TemporaryWorkspace(["workspace.yaml": settings])
        let files = try TarArchive.entries(of: try WorkspaceBundle(packing: workspace.path).archive, file: "b.tar")
        let packed = try #require(files.first { $0.path == "workspace.yaml" })
        #expect(
            String(decoding: packed.bytes, as: UTF8.self)
                == "name: W\nvariables: {prod_password: \"\", githubPat: \"\", page_token: kept}\n")
    }

    @Test func `credentials inside texts of YAML files are emptied, and everything else stays`() throws {
        let workspace = try TemporaryWorkspace([
            "workspace.yaml": "name: W\n",
            "shop/service.yaml": "name: Shop\nservers: {dev: [\"http://u:canary-1@h/a\"]}\nproxy: {url: 'http://me:canary-2@p:3128'}\n",
            "shop/a.yaml": """
            method: POST
            path: /a?access_token=canary-3&q=1
            body:
              text: |
                {"user": "me", "password": "canary-4"}
              contentType: application/json
            name: A

            """, "shop/b.yaml": "method: POST\npath: /b?token={{token}}\nbody: {text: \"grant=x&client_secret=canary-5&token={{t}}\"}\n",
        ])
        let bundle = try WorkspaceBundle(packing: workspace.path)
        let files = try TarArchive.entries(of: bundle.archive, file: "b.tar")
        func text(_ path: String) -> String { files.first { $0.path == path }.map { String(decoding: $0.bytes, as: UTF8.self) } ?? "" }
        #expect(!String(decoding: bundle.archive, as: UTF8.self).contains("canary"))
        #expect(text("shop/service.yaml") == "name: Shop\nservers: {dev: [\"http://u:@h/a\"]}\nproxy: {url: \"http://me:@p:3128\"}\n")
        #expect(text("shop/a.yaml").contains("path: \"/a?access_token=&q=1\""), "\(text("shop/a.yaml"))")
        #expect(text("shop/a.yaml").contains(#"text: "{\"user\": \"me\", \"password\": \"\"}\n""#) && text("shop/a.yaml").hasSuffix("name: A\n"))
        #expect(text("shop/b.yaml").contains("path: /b?token={{token}}\n") && text("shop/b.yaml").contains("client_secret=&token={{t}}"))
    }

    @Test(arguments: [
        ("shop/data.json", "{\"api_key\": \"canary\"}"), ("data.env", "A=1\nDB_PASSWORD=canary\n"), ("list.http", "GET /\nX-Api-Key: canary\n"),
        ("users.csv", "user,password\nme,canary\n"), ("key.pem", "-----BEGIN PRIVATE KEY-----\nMII\n"), ("url.txt", "http://me:canary@h/"),
    ])
    func `another file with a credential is left out with its place unless it is kept`(path: String, content: String) throws {
        let workspace = try TemporaryWorkspace(["workspace.yaml": "name: W\n", path: content])
        let bundle = try WorkspaceBundle(packing: workspace.path)
        #expect(!bundle.files.contains(path))
        #expect(bundle.omitted.map(\.location.file) == [path] && bundle.omitted.first?.location.line != nil, "\(bundle.omitted)")
        #expect(try WorkspaceBundle(packing: workspace.path, keeping: [path]).files.contains(path))
    }

    @Test(arguments: [
        ("data.json", "{\"token\": \"{{token}}\", \"password\": null, \"a\": \"b\"}"), ("notes.txt", "the token is in the vault"),
        ("users.csv", "user,name\nme,x\n"), ("empty.env", "TOKEN=\n"), ("README.md", "token: where to find it"),
    ])
    func `another file without a credential is packed`(path: String, content: String) throws {
        let workspace = try TemporaryWorkspace(["workspace.yaml": "name: W\n", path: content])
        #expect(try WorkspaceBundle(packing: workspace.path).files.contains(path))
    }

    @Test(arguments: ["f/\u{301}.txt", " a.txt", "a\u{2028}b.txt", "\u{e9}.txt"])
    func `a bundle with any name of a file is unpacked`(name: String) throws {
        let workspace = try TemporaryWorkspace(["workspace.yaml": "name: W\n", name: "x"])
        let archive = try WorkspaceBundle(packing: workspace.path).archive
        _ = try WorkspaceBundle.unpack(archive, file: "b.tar", into: target)
        defer { #expect(throws: Never.self) { try cleanUp() } }
        #expect(try files(target).keys.contains(name))
    }

    @Test func `digests of names that differ in their normalization only are those of two files`() throws {
        let entries = [("workspace.yaml", "name: X\n"), ("\u{e9}", "1"), ("e\u{301}", "2")]
        // File systems that normalize names would have one of them, so that the archive is still refused, and not for its digests.
        let problem = #expect(throws: Diagnostic.self) { try WorkspaceBundle.unpack(try Self.archive(entries), file: "b.tar", into: target) }
        #expect(problem?.message.contains("occurs twice") == true, "\(String(describing: problem))")
    }

    @Test(arguments: [["a\rb.txt"], ["a\u{85}.txt"], ["x.txt", "X.txt"]])
    func `a file whose path would prevent unpacking is named when the workspace is packed`(names: [String]) throws {
        let files = Dictionary(uniqueKeysWithValues: names.map { ($0, "x") })
        let workspace = try TemporaryWorkspace(["workspace.yaml": "name: W\n"].merging(files) { $1 })
        let problem = #expect(throws: Diagnostic.self) { try WorkspaceBundle(packing: workspace.path) }
        #expect(problem.map { names.contains($0.location.file) && $0.message.contains("rename it") } == true, "\(String(describing: problem))")
    }

    @Test func `the same files give the same bytes`() throws {
        #expect(try WorkspaceBundle(packing: workspace.path).archive == WorkspaceBundle(packing: workspace.path).archive)
    }

    @Test func `an existing folder is not changed`() throws {
        let bundle = try WorkspaceBundle(packing: workspace.path)
        let before = try files(workspace.path)
        #expect(throws: Diagnostic.self) { try WorkspaceBundle.unpack(bundle.archive, file: "b.tar", into: workspace.path) }
        #expect(try files(workspace.path) == before)
    }

    private static func archive(_ entries: [(String, String)], digests: [(String, String)]? = nil) throws -> [UInt8] {
        let list = (digests ?? entries).map { "\(WorkspaceBundle.digest(Array($0.1.utf8)))  \($0.0)\n" }.joined()
        return try TarArchive.bytes(of: ([(WorkspaceBundle.listName, list)] + entries).map { .init(path: $0.0, bytes: Array($0.1.utf8)) })
    }

    @Test(arguments: [
        "/etc/cron.d/x", "../x", "a/../../x", "a/./b", "a//b", ".git/hooks/post-checkout", "shop/.env", "a/", "a\u{1b}[2J", "a\u{202e}b",
        String(repeating: "a/", count: 80) + "b",
    ])
    func `an archive with a path that leads elsewhere is refused, and nothing is written`(_ path: String) throws {
        let archive = try Self.archive([("workspace.yaml", "name: X\n"), (path, "x")])
        #expect(throws: Diagnostic.self) { try WorkspaceBundle.unpack(archive, file: "b.tar", into: target) }
        #expect(!FileManager.default.fileExists(atPath: target))
    }

    @Test(arguments: [
        [("workspace.yaml", "a"), ("x", "1"), ("x", "2")], [("workspace.yaml", "a"), ("x", "1"), ("X", "2")],
        [("workspace.yaml", "a"), ("x", "1"), ("x/y", "2")], [("workspace.yaml", "a"), ("x/y", "1"), ("x", "2")], [("x", "1")],
    ])
    func `duplicates, a file that is a folder, and an archive without a workspace are refused`(_ entries: [(String, String)]) throws {
        let archive = try Self.archive(entries)
        #expect(throws: Diagnostic.self) { try WorkspaceBundle.unpack(archive, file: "b.tar", into: target) }
        #expect(!FileManager.default.fileExists(atPath: target))
    }

    @Test func `content that differs from its digest, and files that are missing or too many, are refused`() throws {
        let entries = [("workspace.yaml", "name: X\n"), ("a.yaml", "a")]
        for digests in [[entries[0], ("a.yaml", "b")], [entries[0]], entries + [("c.yaml", "c")], entries + [entries[1]]] {
            let archive = try Self.archive(entries, digests: digests)
            #expect(throws: Diagnostic.self) { try WorkspaceBundle.unpack(archive, file: "b.tar", into: target) }
        }
        #expect(!FileManager.default.fileExists(atPath: target))
    }

    @Test(arguments: [("\u{1f}\u{8b}", "gzip"), ("PK\u{3}\u{4}", "zip")])
    func `an archive of another format is named`(_ start: String, _ format: String) {
        let bytes = start.unicodeScalars.map { UInt8($0.value) } + [UInt8](repeating: 0, count: 2000)
        let problem = #expect(throws: Diagnostic.self) { try WorkspaceBundle.unpack(bytes, file: "b.tar.gz", into: target) }
        #expect(problem?.message.contains(format) == true)
    }

    @Test(arguments: Array("12345679xgL".utf8)) func `an entry that is not a file is refused`(_ kind: UInt8) throws {
        var archive = try Self.archive([("workspace.yaml", "name: X\n")])
        let header = 1024
        let old = archive[header + 156]
        archive[header + 156] = kind
        let sum = archive[header..<header + 512].enumerated().reduce(0) { $0 + ((148..<156).contains($1.offset) ? 32 : Int($1.element)) }
        let digits = String(sum, radix: 8)
        archive.replaceSubrange(header + 148..<header + 154, with: (String(repeating: "0", count: 6 - digits.count) + digits).utf8)
        #expect(old == UInt8(ascii: "0"))
        #expect(throws: Diagnostic.self) { try WorkspaceBundle.unpack(archive, file: "b.tar", into: target) }
        #expect(!FileManager.default.fileExists(atPath: target))
    }

    @Test(arguments: [UInt64(60), 61]) func `a damaged archive is refused or gives the same files`(_ seed: UInt64) throws {
        let archive = try WorkspaceBundle(packing: workspace.path).archive
        let expected = try TarArchive.entries(of: archive, file: "b")
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            var damaged = archive
            if Bool.random(using: &generator) { damaged.removeLast(Int.random(in: 1...damaged.count, using: &generator)) }
            if !damaged.isEmpty { damaged[Int.random(in: damaged.indices, using: &generator)] ^= UInt8.random(in: 1...255, using: &generator) }
            do {
                let files = try WorkspaceBundle.verified(damaged, file: "b")
                #expect(files == Array(expected.dropFirst()), "seed \(seed)")
            } catch { continue }
        }
    }

    @Test func `a size that is larger than the archive is refused`() throws {
        var archive = try Self.archive([("workspace.yaml", "name: X\n")])
        archive.replaceSubrange(1024 + 124..<1024 + 135, with: "77777777777".utf8)
        let sum = archive[1024..<1536].enumerated().reduce(0) { $0 + ((148..<156).contains($1.offset) ? 32 : Int($1.element)) }
        let digits = String(sum, radix: 8)
        archive.replaceSubrange(1024 + 148..<1024 + 154, with: (String(repeating: "0", count: 6 - digits.count) + digits).utf8)
        #expect(throws: Diagnostic.self) { try WorkspaceBundle.unpack(archive, file: "b.tar", into: target) }
    }

    @Test func `tar of the system reads the archive, and sha256sum its list`() async throws {
        let bundle = try WorkspaceBundle(packing: workspace.path)
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
        defer { #expect(throws: Never.self) { try cleanUp() } }
        try Data(bundle.archive).write(to: URL(fileURLWithPath: target + "/b.tar"))
        let run = try await ProcessRun.run("/bin/sh", ["-c", "tar xf b.tar && sha256sum --quiet -c SHA256SUMS"], directory: target)
        #expect(run.succeeded, "\(run)")
    }
}
