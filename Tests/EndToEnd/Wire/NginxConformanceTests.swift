import Support
import Testing

/// Compares the responses of nginx to `sortie send` and to curl.
@Suite(.enabled(if: Nginx.isAvailable, "no nginx or openssl on this machine"))
struct NginxConformanceTests {
    private static let shared = Shared { try await onNewThread { try NginxConformanceTests.start() } }

    private static func start() throws -> Nginx {
        var options = Nginx.Options()
        options.directives = """
            location = /small-only { client_max_body_size 10; proxy_pass http://127.0.0.1:1; }
            location = /told { default_type text/plain; return 200 "$request_method $request_uri $http_accept_encoding $content_length $content_type"; }
            """
        let text = Array(String(repeating: "a line of text that compresses well\n", count: 200).utf8)
        return try Nginx.start(files: ["text.txt": text, "digits": Array("0123456789".utf8)], options)
    }

    private let sortie: Sortie
    private let nginx: Nginx

    init() async throws {
        sortie = try Sortie()
        nginx = try await Self.shared.value
    }

    /// Both outputs: status and version, then the body.
    private func answers(_ path: String, _ arguments: [String] = [], overTLS: Bool = false) async throws -> (curl: String, sortie: String) {
        let url = (overTLS ? nginx.httpsURL : nginx.httpURL) + path
        let both = ["--cacert", nginx.certificateAuthority] + arguments + [url]
        let curl = try await ProcessRun.run(
            "/usr/bin/curl", ["-q", "-sS", "--compressed", "-w", "\n%{http_code} %{http_version}"] + both, directory: sortie.work,
            within: Sortie.patience)
        let send = try await sortie.run(["send", "--json"] + both)
        let response = try #require(try ExchangeRecord(send).response, "\(send)")
        return (curl.output, "\(response.body ?? "")\n\(response.status) \(response.httpVersion)")
    }

    @Test(arguments: [false, true]) func `responses of every kind equal curl's, in HTTP 1 and 2`(_ overTLS: Bool) async throws {
        let long = "/" + String(repeating: "x", count: 9000)
        let cases: [(String, [String], String)] = [
            ("/told?a=b%20c", [], "200"), ("/told", ["-X", "POST", "-d", "a=1"], "200"), ("/files/text.txt", [], "200"),
            ("/files/text.txt", ["-H", "Accept-Encoding: identity"], "200"), ("/files/digits", ["-H", "Range: bytes=2-4"], "206"),
            ("/files/digits", ["-H", "Range: bytes=20-"], "416"), ("/files/digits", ["-X", "POST", "-d", "a"], "405"), ("/files/none", [], "404"),
            ("/small-only", ["-X", "POST", "-d", "more than ten bytes"], "413"), (long, [], "414"), ("/status/204", [], "204"),
            ("/status/500", [], "500"), ("/told", ["-H", "If-None-Match: x", "-X", "OPTIONS"], "200"),
        ]
        for (path, arguments, status) in cases {
            let (curl, sortie) = try await answers(path, arguments, overTLS: overTLS)
            #expect(sortie == curl, "\(path.prefix(40)) \(arguments)")
            // nginx uses another status for some of these in HTTP/2.
            #expect(curl.hasSuffix(overTLS ? " 2" : "\n\(status) 1.1"), "\(path.prefix(40)): \(curl.suffix(40))")
        }
    }

    @Test func `a compressed file is requested in the supported codings, and received completely`() async throws {
        let run = try await sortie.run("send", "\(nginx.httpURL)/files/text.txt", "--json")
        let record = try ExchangeRecord(run)
        #expect(record.response?.values(of: "Content-Encoding") == ["gzip"])
        #expect(record.response?.bodyBytes == 7200)
    }

    @Test func `an unchanged file gives a 304`() async throws {
        let first = try ExchangeRecord(try await sortie.run("send", "\(nginx.httpURL)/files/digits", "--json"))
        let tag = try #require(first.response?.values(of: "ETag").first)
        let (curl, send) = try await answers("/files/digits", ["-H", "If-None-Match: \(tag)"])
        #expect(send == curl && send == "\n304 1.1")
    }
}
