import Support
import Testing

@Suite(.enabled(if: Nginx.isAvailable, "needs nginx-light and openssl"), .timeLimit(.minutes(30))) struct NginxTests {
    @Test func `nginx serves HTTP 2 over TLS to a client that trusts the test authority`() async throws {
        let nginx = try Nginx.start()
        let run = try await curl("--cacert", nginx.certificateAuthority, "--http2", "\(nginx.httpsURL)/echo?a=1")
        #expect(run.output == "HTTP/2.0 GET /echo?a=1 localhost", "\(run)")

        let untrusting = try await curl("\(nginx.httpsURL)/small")
        #expect(untrusting.status == .exited(60), "\(untrusting)")
    }

    @Test func `nginx serves ranges and compressed text from a folder`() async throws {
        let nginx = try Nginx.start(files: ["digits": Array("0123456789".utf8), "a/long.txt": Array(repeating: 65, count: 5000)])
        #expect(try await curl("-r", "3-5", "\(nginx.httpURL)/files/digits").output == "345")
        let compressed = try await curl(
            "-H", "Accept-Encoding: gzip", "-D", "-", "-o", "/dev/null", "\(nginx.httpURL)/files/a/long.txt")
        #expect(compressed.output.contains("Content-Encoding: gzip"), "\(compressed)")
        #expect(try await nginx.accessLog(containing: "digits", count: 1) == [#"GET /files/digits HTTP/1.1 206 3 "bytes=3-5""#])
    }

    @Test func `each invalid certificate fails for its own reason`() async throws {
        let certificates = try Certificates.shared()
        let cases = [
            (certificates.wrongHost, "no alternative certificate subject name matches"),
            (certificates.expired, "certificate has expired"),
            (certificates.notYetValid, "certificate is not yet valid"),
            (certificates.selfSigned, "self-signed certificate"),
            (certificates.brokenChain, "unable to get local issuer certificate"),
        ]
        for (identity, reason) in cases {
            var options = Nginx.Options()
            options.identity = identity
            let nginx = try Nginx.start(options)
            let run = try await curl("--cacert", nginx.certificateAuthority, "\(nginx.httpsURL)/small")
            #expect(run.status == .exited(60) && run.errorOutput.contains(reason), "\(reason): \(run)")
        }
    }

    @Test func `a chain with its intermediate is accepted, and its leaf's pin is right`() async throws {
        var options = Nginx.Options()
        options.identity = try Certificates.shared().chain
        let nginx = try Nginx.start(options)
        let pin = try Certificates.pin(of: Certificates.shared().chain.certificate)
        let run = try await curl("--cacert", nginx.certificateAuthority, "--pinnedpubkey", pin, "\(nginx.httpsURL)/small")
        #expect(run.output == "small", "\(run)")
    }

    @Test func `nginx can require a client certificate`() async throws {
        var options = Nginx.Options()
        options.demandsClientCertificate = true
        let nginx = try Nginx.start(options)
        let client = try Certificates.shared().client
        let trust = ["--cacert", nginx.certificateAuthority]
        let with = try await curl(
            trust[0], trust[1], "--cert", client.certificate, "--key", client.key, "\(nginx.httpsURL)/client")
        #expect(with.output == "SUCCESS CN=a client", "\(with)")
        let without = try await curl(trust[0], trust[1], "-o", "/dev/null", "-w", "%{http_code}", "\(nginx.httpsURL)/client")
        #expect(without.output == "400", "\(without)")
    }

    @Test func `a configuration that nginx rejects is reported with its message`() throws {
        var options = Nginx.Options()
        options.directives = "nonsense on;"
        let failure = #expect(throws: NginxFailure.self) { try Nginx.start(options) }
        #expect(failure?.log.contains(#"unknown directive "nonsense""#) == true, "\(String(describing: failure))")
    }
}
