import Foundation
import Support
import Testing

/// Tests the import of files of other tools with the program: the result passes `check`, and importing again updates.
struct ImportFormatCommandTests {
    private let sortie: Sortie

    init() throws {
        sortie = try Sortie()
    }

    @Test func `a gRPC server that is not reached is an error of the network, with a hint that names no option of another command`() async throws {
        let port = try DeadPort(.refusing)
        let refused = try await sortie.run("import", port.url.replacing("http://", with: "grpc://"), "-o", "made")
        #expect(refused.failed(4, "connectionRefused"), "\(refused)")
        let unknown = try await sortie.run("import", "grpc://no-such-host.invalid:1", "-o", "made")
        #expect(unknown.status == .exited(4) && unknown.hint.hasPrefix("check the ") && !unknown.hint.contains("options"), "\(unknown)")
        withExtendedLifetime(port) {}
    }

    @Test func `a missing .proto file is an error of a file`() async throws {
        #expect(try await sortie.run("import", "none.proto", "-o", "made").failed(3, "import"))
    }

    private static let collection = """
        {"info": {"name": "Shop", "_postman_id": "p"}, "variable": [{"key": "base", "value": "BASE"}, {"key": "odd/name", "value": "1"}], "item": [
        {"name": "List", "request": {"method": "GET", "header": [{"key": "X-A", "value": "1"}, {"key": "X-Off", "value": "2", "disabled": true}],
        "url": {"raw": "{{base}}/orders/:id?page=1&flag", "query": [{"key": "page", "value": "1"}, {"key": "flag", "value": null}],
        "variable": [{"key": "id", "value": "7"}]}}, "event": [{"listen": "test", "script": {"exec": ["x: [}"]}}]},
        {"name": "In", "item": [{"name": "Send", "request": {"method": "POST", "url": "{{base}}/in/{{odd/name}}/{{$randomCity}}",
        "auth": {"type": "basic", "basic": {"username": "u", "password": "canary-1"}},
        "body": {"mode": "raw", "raw": "{\\"a\\": 1}", "options": {"raw": {"language": "json"}}}}}]},
        {"name": "Empty", "request": {}}, {"name": "Part", "request": {"method": "POST", "url": "{{undefined}}/x", "body": {"mode": "formdata",
        "formdata": [{"key": "f", "type": "file", "src": null}]}}}]}
        """

    private static let insomnia = """
        _type: export
        __export_format: 4
        resources:
          - {_id: w, parentId: null, name: Insomnia, _type: workspace}
          - {_id: e, parentId: w, name: Base, data: {base: 'BASE', o: {a: 1}, password: canary-1}, _type: environment}
          - {_id: e2, parentId: e, name: 'Dev: 1', data: {base: 'BASE'}, _type: environment}
          - {_id: r, parentId: w, name: List, url: '{{ _.base }}/orders/{{ _.o.a }}', method: GET, _type: request, metaSortKey: 1}
          - {_id: r2, parentId: w, name: Tag, url: '{{ _.base }}/{% faker "x" %}', method: GET, _type: request, metaSortKey: 2}

        """

    private static let archive = """
        {"log": {"version": "1.2", "entries": [{"request": {"method": "POST", "url": "BASE/orders/7?page=1", "headers": [{"name": "Cookie",
        "value": "sid=canary-1"}, {"name": ":path", "value": "/"}], "postData": {"mimeType": "image/png", "text": "/w==", "encoding": "base64"}}},
        {"request": {"method": "GET", "url": "BASE/x?flag"}}]}}
        """

    @Test(arguments: [("c.json", collection), ("i.yaml", insomnia), ("a.har", archive)])
    func `an imported workspace passes check, has no credentials, and an import again updates`(_ file: String, _ text: String) async throws {
        let server = try ScriptedServer { .ok("\($0.method) \($0.target)") }
        let source = text.replacing("BASE", with: server.url)
        try sortie.write(file, source)
        let run = try await sortie.run("import", file, "-o", "ws")
        #expect(run.status == .exited(0) && !run.output.contains("canary"), "\(run)")
        let check = try await sortie.run("check", "ws")
        #expect(check.status == .exited(0), "\(check)")
        for path in try FileManager.default.subpathsOfDirectory(atPath: "\(sortie.work)/ws") where path.hasSuffix("l") || path.hasSuffix("json") {
            #expect(try !String(decoding: sortie.read("ws/\(path)"), as: UTF8.self).contains("canary"), "\(path)")
        }
        let again = try await sortie.run("import", file, "-o", "ws", "--json")
        let record = try #require(try JSONSerialization.jsonObject(with: Data(again.outputBytes)) as? [String: Any])
        let files = try #require(record["files"] as? [[String: Any]])
        #expect(!files.isEmpty && files.allSatisfy { $0["outcome"] as? String == "unchanged" }, "\(again)")
        try sortie.write(file, source.replacing("/orders/", with: "/changed/"))
        let updated = try await sortie.run("import", file, "-o", "ws", "--json")
        #expect(updated.output.contains("\"updated\"") || file == "a.har" && updated.output.contains("\"created\""), "\(updated)")
    }

    @Test func `an imported request sends what the source says`() async throws {
        let server = try ScriptedServer { .ok("\($0.method) \($0.target)") }
        try sortie.write("c.json", Self.collection.replacing("BASE", with: server.url))
        #expect(try await sortie.run("import", "c.json", "-o", "ws").status == .exited(0))
        let targets = try await sortie.run("list", "-w", "ws").output
        let target = try #require(
            targets.split { $0.isWhitespace }.first { $0.hasPrefix("shop/") && $0.hasSuffix("list") }.map(String.init), "\(targets)")
        let sent = try await sortie.run("send", target, "-w", "ws")
        #expect(sent.output == "GET /orders/7?page=1&flag", "\(sent)")
        #expect(server.requests.first?["X-A"] == "1" && server.requests.first?["X-Off"] == nil)
    }

    @Test func `a malformed file is an error with its place, and nothing is written`() async throws {
        try sortie.write("c.json", "{\"info\": {\"name\": \"x\"},\n \"item\": [}")
        let run = try await sortie.run("import", "c.json", "-o", "ws")
        #expect(run.status == .exited(3) && run.errorOutput.contains("c.json:2:11: "), "\(run)")
        #expect(!FileManager.default.fileExists(atPath: "\(sortie.work)/ws"))
    }

    @Test func `a large archive is read in pieces`() async throws {
        let body = String(repeating: "é\\\\ ", count: 1 << 18)
        let entry = "{\"request\": {\"method\": \"GET\", \"url\": \"http://h/N\"}, \"response\": {\"content\": {\"text\": \"\(body)\"}}}"
        let entries = (0..<18).map { entry.replacing("/N", with: "/\($0)") }
        try sortie.write("big.har", "{\"log\": {\"entries\": [\(entries.joined(separator: ",\n"))]}}")
        let run = try await sortie.run("import", "big.har", "-o", "ws")
        #expect(run.status == .exited(0) && run.output.contains("GET /17"), "\(run)")
    }

    @Test func `an exchange of the history is exported as an archive with its response, and as a collection`() async throws {
        let server = try ScriptedServer { .ok("got \($0.method) \($0.target)") }
        try sortie.write("c.sh", "curl \(server.url)/orders?page=1")
        #expect(try await sortie.run("import", "c.sh", "-o", "ws").status == .exited(0))
        #expect(try await sortie.run("send", "127-0-0-1-\(server.port)/get-orders", "-w", "ws").status == .exited(0))
        let archive = try await sortie.run("export", "history:last", "--as", "har")
        #expect(archive.status == .exited(0) && archive.output.contains("got GET /orders?page=1"), "\(archive)")
        let root = try #require(try JSONSerialization.jsonObject(with: Data(archive.outputBytes)) as? [String: Any])
        #expect(((root["log"] as? [String: Any])?["entries"] as? [Any])?.count == 1)
        let collection = try await sortie.run("export", "history:last", "--as", "postman")
        #expect(collection.status == .exited(0) && collection.output.contains("\(server.url)/orders?page=1"), "\(collection)")
    }
}
