import Foundation
import Support
import Testing

/// Imports the importable commands of curl's own tests, and compares the requests of curl with those of the imported endpoints.
///
/// Order of fields, user agent, boundaries and random values are not compared, see ``WireRequest``.
@Suite(.enabled(if: Corpora.url("curl-tests/cases.visible.jsonl") != nil, "the corpora are not here"))
struct CurlCorpusTests {
    struct Case: Decodable, Sendable {
        struct File: Decodable, Sendable {
            var name: String
            var b64: String
        }

        var n: Int
        var command: String
        var reply: [String: String]
        var files: [File]
        var importable: Bool
        var oracle: String
        var setenv: [String]
    }

    /// Cases that send another request although the report does not list an option, with the reason.
    static let differences: [Int: String] = [
        1249: "the variables http_proxy and NO_PROXY are not read",
        40: "a blank in the query of a Location is percent-encoded, see CurlDifferenceTests",
        663: "a blank in the query of a Location is percent-encoded, see CurlDifferenceTests",
        185: "a loop of redirects ends after 20 of them, or when it is recognized; in curl after 50",
        188: "a loop of redirects ends after 20 of them, or when it is recognized; in curl after 50",
        189: "a loop of redirects ends after 20 of them, or when it is recognized; in curl after 50",
        1318: "a host is in lower case (RFC 3986 §6.2.2.1)",
    ]

    /// Cases in which curl waits for the end of a connection that this server keeps open, after it has sent its requests.
    private static let unended: Set = [4, 40]

    /// Read once, because each argument of the test needs its case.
    static let cases = Result { try read() }

    private static func read() throws -> [Case] {
        guard let url = Corpora.url("curl-tests/cases.visible.jsonl") else { return [] }
        return try Data(contentsOf: url).split(separator: 0x0a).map { try JSONDecoder().decode(Case.self, from: $0) }
            // 197 repeats a request for a quarter of an hour. In 52 and 1074, curl waits for the end of a connection that this server keeps open.
            .filter { $0.importable && $0.oracle == "pass" && ![52, 197, 1074].contains($0.n) }
    }

    /// A server that replies as curl's test server does: the number at the end of the path selects the part of the reply.
    private func server(_ item: Case) throws -> ScriptedServer {
        let replies = item.reply.compactMapValues(Base64.decoded)
        let port = Watched("")
        let server = try ScriptedServer(
            Script(
                .repeat([
                    .readRequest,
                    .respond { request in
                        let digits = request.target.split { !$0.isNumber }.last.flatMap { Int($0) } ?? 0
                        let part = digits >= 10_000 ? digits % 10_000 : 0
                        var bytes = replies[part == 0 ? "data" : "data\(part)"] ?? replies["data"] ?? []
                        if request["Authorization"]?.hasPrefix("Digest") == true, let second = replies["data1001"] { bytes = second }
                        let text = String(decoding: bytes, as: UTF8.self)
                        guard Array(text.utf8) == bytes else { return bytes }
                        return Array(text.replacing(":8990", with: ":\(port.current)").utf8)
                    },
                ])))
        port.change { $0 = "\(server.port)" }
        return server
    }

    /// The result for one case: nil for equal requests, and where the report lists what is not carried over.
    private func difference(_ item: Case) async throws -> String? {
        let sortie = try Sortie()
        for file in item.files { try sortie.write(file.name, Base64.decoded(file.b64) ?? []) }
        try FileManager.default.createDirectory(atPath: sortie.home.path("work/log"), withIntermediateDirectories: true)
        let (curlServer, sendServer) = (try server(item), try server(item))
        func command(_ server: ScriptedServer) -> String { "curl " + item.command.replacing("8990", with: "\(server.port)") }
        let variables = Dictionary(
            item.setenv.compactMap { text in text.firstIndex(of: "=").map { (String(text[..<$0]), String(text[text.index(after: $0)...])) } },
            uniquingKeysWith: { $1 })
        let limit = Self.unended.contains(item.n) ? 10 : 60
        let curl = try await ProcessRun.run(
            "/bin/sh", ["-c", command(curlServer).replacing("curl ", with: "curl -q -sS --max-time \(limit) ", maxReplacements: 1)],
            environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"].merging(variables) { $1 }, inheriting: false, directory: sortie.work,
            within: .seconds(300))
        try sortie.write("command.sh", command(sendServer) + "\n")
        let imported = try await sortie.run("import", "command.sh", "-o", "ws", "--keep-secrets", "--json")
        guard imported.succeeded, let record = try JSONSerialization.jsonObject(with: Data(imported.outputBytes)) as? [String: Any],
            let report = record["report"] as? [[String: Any]]
        else {
            // A command that is refused with its place is not another request.
            return imported.status == .exited(3) && imported.errorOutput.contains("command.sh:1:") ? nil : "import: \(imported)"
        }
        for entry in report where entry["outcome"] as? String == "imported" {
            guard let target = entry["target"] as? String else { return "no target" }
            // In some cases the response has no end, because this server keeps the connection open; the requests have been sent then.
            _ = try await sortie.run(["send", target, "-w", "ws", "--trust", "--timeout", "10", "--no-history"], environment: variables)
        }
        let wire = curlServer.requests.map { WireRequest($0, port: curlServer.port).text }
        let ours = sendServer.requests.map { WireRequest($0, port: sendServer.port).text }
        guard wire != ours else { return nil }
        let reasons = report.compactMap { $0["reason"] as? String }
        // Explicit: the report lists what is not carried over.
        guard reasons.isEmpty else { return nil }
        return "--- curl (\(curl.status))\n\(wire.joined(separator: "\n\n"))\n--- sortie\n\(ours.joined(separator: "\n\n"))"
    }

    @Test(arguments: try CurlCorpusTests.cases.get().map(\.n))
    func `an imported command sends the requests of curl, or the report lists what is missing`(_ number: Int) async throws {
        let item = try #require(try Self.cases.get().first { $0.n == number })
        let difference = try await difference(item)
        if let reason = Self.differences[number] {
            #expect(difference != nil, "the case \(number) has no difference any more: \(reason)")
        } else {
            #expect(difference == nil, "\(item.command)\n\(difference ?? "")")
        }
    }
}
