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

    /// Read once, because each argument of the test needs its case.
    static let cases = Result { try read() }

    private static func read() throws -> [Case] {
        guard let url = Corpora.url("curl-tests/cases.visible.jsonl") else { return [] }
        return try Data(contentsOf: url).split(separator: 0x0a).map { try JSONDecoder().decode(Case.self, from: $0) }
            // 197 repeats a request for a quarter of an hour.
            .filter { $0.importable && $0.oracle == "pass" && $0.n != 197 }
    }

    /// A server that replies as curl's test server does: the number at the end of the path selects the part of the reply.
    ///
    /// It closes the connection after a reply that has no other end.
    private func server(_ item: Case) throws -> ScriptedServer {
        let replies = item.reply.compactMapValues(Base64.decoded)
        let port = Watched("")
        @Sendable func reply(_ request: ReceivedRequest) -> [UInt8] {
            let digits = request.target.split { !$0.isNumber }.last.flatMap { Int($0) } ?? 0
            let part = digits >= 10_000 ? digits % 10_000 : 0
            var bytes = replies[part == 0 ? "data" : "data\(part)"] ?? replies["data"] ?? []
            if request["Authorization"]?.hasPrefix("Digest") == true, let second = replies["data1001"] { bytes = second }
            let text = String(decoding: bytes, as: UTF8.self)
            guard Array(text.utf8) == bytes else { return bytes }
            return Array(text.replacing(":8990", with: ":\(port.current)").utf8)
        }
        let server = try ScriptedServer(
            Script(.repeat([.readRequest, .respond(reply), .closeIf { Self.endsWithConnection(reply($0)[...], of: $0.method) }])))
        port.change { $0 = "\(server.port)" }
        return server
    }

    /// Whether only the end of the connection ends this reply (RFC 9112 §6.3): it has no framing, or is shorter than its framing says.
    static func endsWithConnection(_ reply: ArraySlice<UInt8>, of method: String) -> Bool {
        let head = reply.indices.first { reply[...$0].hasSuffix("\n\n") || reply[...$0].hasSuffix("\n\r\n") }
        guard let head else { return true }
        let body = reply[(head + 1)...]
        let lines = String(decoding: reply[...head], as: UTF8.self).lowercased().split(whereSeparator: \.isNewline)
        let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        func value(_ name: String) -> String? {
            lines.first { $0.hasPrefix(name + ":") }.map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
        }
        if status / 100 == 1 { return endsWithConnection(body, of: method) }
        if value("connection") == "close" { return true }
        if method == "HEAD" || method == "CONNECT" && status / 100 == 2 || [204, 304].contains(status) { return false }
        if let encoding = value("transfer-encoding") { return !encoding.contains("chunked") || !body.hasSuffix("\r\n\r\n") }
        return value("content-length").flatMap { Int($0) }.map { body.count < $0 } ?? true
    }

    /// The result for one case: nil for equal requests, and where the report lists what is not carried over.
    private func difference(_ item: Case) async throws -> String? {
        let sortie = try Sortie()
        for file in item.files { try sortie.write(file.name, Base64.decoded(file.b64) ?? []) }
        try FileManager.default.createDirectory(atPath: sortie.home.path("work/log"), withIntermediateDirectories: true)
        let (curlServer, sendServer) = (try server(item), try server(item))
        // The server reads the body first, so that curl waits for the whole time, for each of its requests.
        let arguments = item.command.replacing("--expect100-timeout 99", with: "--expect100-timeout 1")
        func command(_ server: ScriptedServer) -> String { "curl " + arguments.replacing("8990", with: "\(server.port)") }
        let variables = Dictionary(
            item.setenv.compactMap { text in text.firstIndex(of: "=").map { (String(text[..<$0]), String(text[text.index(after: $0)...])) } },
            uniquingKeysWith: { $1 })
        let curl = try await ProcessRun.run(
            "/bin/sh", ["-c", command(curlServer).replacing("curl ", with: "curl -q -sS --max-time 300 ", maxReplacements: 1)],
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
            _ = try await sortie.run(["send", target, "-w", "ws", "--trust", "--timeout", "300", "--no-history"], environment: variables)
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

extension ArraySlice<UInt8> {
    fileprivate func hasSuffix(_ text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}
