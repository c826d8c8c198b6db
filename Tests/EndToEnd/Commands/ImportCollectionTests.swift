import Foundation
import Support
import Testing

/// Tests `sortie import` of folders and collections of Bruno, posting and slumber with the program.
struct ImportCollectionTests {
    private let sortie: Sortie

    init() throws {
        sortie = try Sortie()
    }

    /// Imports twice, and checks the workspace; nothing changes the second time.
    ///
    /// - Returns: The target of the first endpoint.
    private func imports(_ path: String, as format: String) async throws -> String {
        let record = try await imported(path)
        #expect(record["format"] as? String == format)
        let check = try await sortie.run("check", "ws")
        #expect(check.status == .exited(0), "\(check)")
        let files = try #require(try await imported(path)["files"] as? [[String: Any]])
        #expect(!files.isEmpty && files.allSatisfy { $0["outcome"] as? String == "unchanged" }, "\(files)")
        let report = try #require(record["report"] as? [[String: Any]])
        return try #require(report.first { $0["outcome"] as? String == "imported" }?["target"] as? String)
    }

    private func imported(_ path: String) async throws -> [String: Any] {
        let run = try await sortie.run("import", path, "-o", "ws", "--json")
        #expect(run.status == .exited(0), "\(run)")
        return try #require(try JSONSerialization.jsonObject(with: Data(run.outputBytes)) as? [String: Any])
    }

    private func sends(_ target: String, _ expected: String, _ options: String...) async throws {
        let sent = try await sortie.run(["send", target, "-w", "ws", "--trust"] + options)
        #expect(sent.output == expected, "\(sent)")
    }

    private func server() throws -> ScriptedServer { try ScriptedServer { .ok("got \($0.method) \($0.target) \($0.bodyText)") } }

    @Test func `a folder of .http files is one import`() async throws {
        let server = try server()
        try sortie.write("apis/a/one.http", "@base = \(server.url)\nPOST {{base}}/x?q={{set_by_script}}\nContent-Type: text/plain\n\n< body.txt\n")
        try sortie.write("apis/a/body.txt", "file")
        try sortie.write("apis/two.http", "### second\nGET http://other.example/\n")
        try await sends(try await imports("apis", as: "http"), "got POST /x?q=1 file", "--var", "set_by_script=1")
    }

    @Test func `a Bruno collection is recognized, checked and sent`() async throws {
        let server = try server()
        try sortie.write("shop/bruno.json", #"{"version": "1", "name": "Shop", "type": "collection"}"#)
        try sortie.write("shop/environments/dev.bru", "vars {\n  host: \(server.url)\n}\nvars:secret [\n  key\n]\n")
        try sortie.write(
            "shop/make.bru",
            "meta {\n  name: Make\n  seq: 1\n}\n\npost {\n  url: {{host}}/make?a=1\n  body: json\n  auth: none\n}\n\nbody:json {\n  {\"b\": {{n}}}\n}\n\nvars:pre-request {\n  n: 2\n}\n"
        )
        try await sends(try await imports("shop", as: "bruno"), "got POST /make?a=1 {\"b\": 2}")
    }

    @Test func `a collection of posting is recognized, checked and sent`() async throws {
        let server = try server()
        try sortie.write("coll/posting.env", "HOST=\(server.url)\n")
        try sortie.write("coll/a.posting.yaml", "name: A\nmethod: PUT\nurl: $HOST/a\nbody:\n  content: x$$\n  content_type: text/plain\n")
        try await sends(try await imports("coll", as: "posting"), "got PUT /a x$")
    }

    @Test func `a collection of slumber is recognized, checked and sent`() async throws {
        let server = try server()
        try sortie.write(
            "slumber.yml",
            "profiles:\n  p: {data: {host: \"\(server.url)\"}}\nrequests:\n  a: !request\n    method: POST\n    url: \"{{host}}/a\"\n    body: !json {b: \"{{host}}\"}\n"
        )
        try await sends(try await imports("slumber.yml", as: "slumber"), "got POST /a {\n  \"b\": \"\(server.url)\"\n}")
    }

    @Test func `an endpoint is exported as a .http file that is imported again`() async throws {
        let server = try server()
        try sortie.write("a.http", "@base = \(server.url)\n### One\nPOST {{base}}/x\nContent-Type: application/json\n\n{\"a\": 1}\n")
        #expect(try await sortie.run("import", "a.http", "-o", "ws").status == .exited(0))
        let exported = try await sortie.run("export", "a/one", "--as", "http", "-w", "ws")
        #expect(exported.status == .exited(0), "\(exported)")
        #expect(exported.output.hasPrefix("@base = \(server.url)\n\n### One\nPOST {{base}}/x\n"), "\(exported)")
    }
}
