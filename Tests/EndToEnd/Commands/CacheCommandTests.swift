import Foundation
import Support
import Testing

/// Tests cached responses across commands: `cache:` on disk, `--no-cache`, and `sortie cache` (S1.43, S2.61).
@Suite(.serialized)
struct CacheCommandTests {
    private let sortie: Sortie
    private let server: ScriptedServer

    init() throws {
        sortie = try Sortie()
        server = try ScriptedServer { request in .json(#"{"target": "\#(request.target)"}"#) }
        try sortie.write("w/workspace.yaml", "name: W\nenvironments: {dev: {}}\n")
        try sortie.write("w/shop/service.yaml", "name: Shop\nservers: {dev: [\"\(server.url)\"]}\n")
        try sortie.write("w/shop/list.yaml", "path: /list\ncache: {for: 5m, on: disk}\n")
        try sortie.write("w/shop/search.yaml", "method: POST\npath: /search\nbody: {json: {word: blue}}\ncache: {for: 5m, on: disk}\n")
        try sortie.write("w/shop/only.yaml", "path: /list\ncache: {for: 5m, on: disk, policy: cacheOnly}\n")
        try sortie.write("w/shop/change.yaml", "method: PUT\npath: /list\nbody: {json: {}}\n")
        try sortie.write("w/shop/secret.yaml", "path: /secret\nauth: {bearer: s3cret-token}\ncache: {for: 5m, on: disk}\n")
    }

    private func send(_ target: String, _ options: String...) async throws -> ExchangeRecord {
        try ExchangeRecord(await sortie.run(["send", target, "-w", "w", "--json"] + options))
    }

    @Test func `S2.61 the next command uses the response, and --no-cache requests and replaces it`() async throws {
        #expect(try await send("shop/list").response?.fromCache == false)
        #expect(try await send("shop/list").response?.fromCache == true)
        #expect(server.requests.count == 1)
        #expect(try await send("shop/list", "--no-cache").response?.fromCache == false)
        #expect(server.requests.count == 2)
    }

    @Test func `S2.3 the workspace names the cache folder and the lifetime of endpoints that set none`() async throws {
        try sortie.write("w/workspace.yaml", "name: W\nenvironments: {dev: {}}\nfolders: {cache: kept}\ndefaults: {cache: {for: 5m, on: disk}}\n")
        try sortie.write("w/shop/plain.yaml", "path: /plain\n")
        try sortie.write("w/shop/off.yaml", "path: /off\ncache: 0s\n")
        for target in ["shop/plain", "shop/off"] {
            #expect(try await send(target).response?.fromCache == false)
            #expect(try await send(target).response?.fromCache == (target == "shop/plain"))
        }
        let folders = try FileManager.default.contentsOfDirectory(atPath: sortie.work + "/w/kept/sortie/responses")
        #expect(folders.count == 1)
        #expect(try await sortie.run("cache", "list", "-w", "w").output.contains("/plain"))
    }

    @Test func `S1.24 the workspace limits the size of the cache`() async throws {
        try sortie.write("w/workspace.yaml", "name: W\nenvironments: {dev: {}}\nfolders: {cacheLimit: 10}\n")
        for _ in 0..<2 { #expect(try await send("shop/list").response?.fromCache == false) }
        try sortie.write("w/workspace.yaml", "name: W\nenvironments: {dev: {}}\nfolders: {cacheLimit: 1MB}\n")
        #expect(try await send("shop/list").response?.fromCache == false)
        #expect(try await send("shop/list").response?.fromCache == true)
    }

    @Test func `S1.25 a POST with cache: is served by the next command, another body is not`() async throws {
        _ = try await send("shop/search")
        #expect(try await send("shop/search").response?.fromCache == true)
        #expect(try await send("shop/search", "--json-body", #"{"word": "red"}"#).response?.fromCache == false)
    }

    @Test func `S2.61 cacheOnly fails with its name and sends nothing`() async throws {
        let run = try await sortie.run("send", "shop/only", "-w", "w")
        #expect(run.failed(4, "notCached"), "\(run)")
        #expect(server.requests.isEmpty)
        _ = try await send("shop/list")
        #expect(try await send("shop/only").response?.fromCache == true)
    }

    @Test func `a write by another command removes the response`() async throws {
        _ = try await send("shop/list")
        _ = try await send("shop/change")
        #expect(try await send("shop/list").response?.fromCache == false)
    }

    @Test func `-v prints the fields of a cached response, and no request`() async throws {
        _ = try await send("shop/list")
        let run = try await sortie.run("send", "shop/list", "-w", "w", "-v")
        #expect(run.errorLines.count { $0.hasPrefix("< HTTP/") } == 1 && !run.errorLines.contains { $0.hasPrefix("> ") }, "\(run)")
    }

    @Test func `a response to a request with credentials is never in the cache folder`() async throws {
        _ = try await send("shop/secret")
        #expect(try await send("shop/secret").response?.fromCache == false)
        #expect(try await sortie.run("cache", "list", "-w", "w").output == "")
        let run = try await sortie.run("send", "shop/secret", "-w", "w", "-v")
        #expect(run.errorOutput.contains("kept in memory only: the request has credentials"), "\(run)")
    }

    @Test func `S1.43 sortie cache lists, shows, removes and clears the responses`() async throws {
        for target in ["shop/list", "shop/search"] { _ = try await send(target) }
        let list = try await sortie.run("cache", "list", "-w", "w")
        let lines = list.output.split(separator: "\n")
        #expect(lines.count == 2 && lines.allSatisfy { $0.contains(" fresh ") && $0.contains(server.url) }, "\(list)")
        let records = try JSONSerialization.jsonObject(with: Data(await sortie.run("cache", "-w", "w", "--json").output.utf8)) as? [[String: Any]]
        #expect(records?.compactMap { $0["service"] as? String } == ["shop", "shop"])
        let id = try #require(records?.first { ($0["method"] as? String) == "GET" }?["id"] as? String)
        #expect(try await sortie.run("cache", "show", id, "-w", "w").output == #"{"target": "/list"}"#)
        #expect(try await sortie.run("cache", "show", "\(server.url)/search", "-w", "w", "-i").output.hasPrefix("HTTP/1.1 200"))
        #expect(try await sortie.run("cache", "remove", id, "-w", "w").output == "1 cached response removed\n")
        #expect(try await send("shop/list").response?.fromCache == false)
        #expect(try await sortie.run("cache", "clear", "--service", "other", "-w", "w").output == "0 cached responses removed\n")
        #expect(try await sortie.run("cache", "clear", "-w", "w", "--json").output == "{\"removed\": 2}\n")
        #expect(try await sortie.run("cache", "list", "-w", "w").output == "")
    }

    @Test func `an unknown entry is a usage error with a remedy`() async throws {
        let run = try await sortie.run("cache", "remove", "nothing", "-w", "w")
        #expect(run.failed(2, "unknownEntry"), "\(run)")
        #expect(run.hint.contains("sortie cache list"))
    }
}
