import Foundation
import Support
import Testing

/// Tests that TLS certificates are verified except with `-k`.
@Suite(.serialized, .enabled(if: Nginx.isAvailable))
struct SendTrustTests {
    @Test func `an unknown authority is not trusted`() async throws {
        let run = try await Sortie().run("send", "\(SharedNginx.value.httpsURL)/small")
        #expect(run.failed(4, "untrustedCertificate"), "\(run)")
        #expect(run.errorOutput.contains("localhost"))
    }

    @Test func `the rejected chain is in the record and in the output of -v`() async throws {
        let url = try await SharedNginx.value.httpsURL
        let run = try await Sortie().run("send", "\(url)/small", "--json", "-v")
        let pin = try Certificates.pin(of: Certificates.shared().localhost.certificate)
        #expect(run.output.contains(#""pin": "\#(pin)""#), "\(run)")
        #expect(run.errorOutput.contains("* tls: the server's certificate: localhost, issued by Test authority"), "\(run)")
    }

    @Test func `--min-tls rejects older versions and invalid values`() async throws {
        var options = Nginx.Options()
        options.tlsVersions = "TLSv1.2"
        let nginx = try Nginx.start(options)
        let run = try await Sortie().run("send", "\(nginx.httpsURL)/small", "--cacert", nginx.certificateAuthority, "--min-tls", "1.3")
        #expect(run.failed(4, "tlsFailed"), "\(run)")
        let wrong = try await Sortie().run("send", "\(nginx.httpsURL)/small", "--min-tls", "ssl3")
        #expect(wrong.status == .exited(2), "\(wrong)")
    }

    @Test func `--pin-scope chain accepts the key of the authority`() async throws {
        let nginx = try await SharedNginx.value
        let pin = try Certificates.pin(of: nginx.certificateAuthority)
        let run = try await Sortie().run(
            "send", "\(nginx.httpsURL)/small", "--cacert", nginx.certificateAuthority, "--pin", pin, "--pin-scope", "chain")
        #expect(run.output == "small", "\(run)")
    }

    @Test func `S3.2 --pin-file accepts a certificate, --pin-match compares it as a whole, and a missing file is named`() async throws {
        let nginx = try await SharedNginx.value
        let own = try Certificates.shared().localhost.certificate
        let sortie = try Sortie()
        let arguments = ["send", "\(nginx.httpsURL)/small", "--cacert", nginx.certificateAuthority]
        let right = try await sortie.run(arguments + ["--pin-file", own, "--pin-match", "certificate"])
        #expect(right.output == "small", "\(right)")
        let wrong = try await sortie.run(arguments + ["--pin-file", try Certificates.shared().expired.certificate])
        #expect(wrong.failed(4, "pinMismatch"), "\(wrong)")
        let missing = try await sortie.run(arguments + ["--pin-file", "nowhere.pem"])
        #expect(missing.failed(3, "fileUnreadable") && missing.errorOutput.contains("nowhere.pem"), "\(missing)")
        let unknown = try await sortie.run(arguments + ["--pin-match", "name"])
        #expect(unknown.status == .exited(2), "\(unknown)")
    }

    @Test func `S0.38 S3.2 an environment verifies with its own authority and pin file`() async throws {
        let nginx = try await SharedNginx.value
        let sortie = try Sortie()
        let certificates = try Certificates.shared()
        try sortie.write("w/ca.pem", try String(contentsOfFile: certificates.certificateAuthority, encoding: .utf8))
        try sortie.write("w/right.pem", try String(contentsOfFile: certificates.localhost.certificate, encoding: .utf8))
        try sortie.write("w/wrong.pem", try String(contentsOfFile: certificates.expired.certificate, encoding: .utf8))
        try sortie.write(
            "w/workspace.yaml",
            """
            name: W
            trust: {ca: ca.pem}
            environments:
              right: {trust: {pinFiles: [right.pem], pinMatch: certificate}}
              wrong: {trust: {pinFiles: wrong.pem}}
              missing: {trust: {pinFiles: [missing.pem]}}
              other: {trust: {ca: wrong.pem}}
            """)
        let url = nginx.httpsURL
        try sortie.write("w/api/service.yaml", "name: Api\nservers: {right: ['\(url)'], wrong: ['\(url)'], missing: ['\(url)'], other: ['\(url)']}\n")
        try sortie.write("w/api/get.yaml", "path: /small\n")
        func send(_ environment: String) async throws -> ProcessRun { try await sortie.run("send", "api/get", "-w", "w", "-e", environment) }
        #expect(try await send("right").output == "small")
        #expect(try await send("wrong").failed(4, "pinMismatch"))
        let missing = try await send("missing")
        #expect(missing.failed(3, "fileUnreadable") && missing.errorOutput.contains("w/missing.pem"), "\(missing)")
        #expect(try await send("other").failed(4, "untrustedCertificate"))
    }

    @Test func `--cacert trusts the authority`() async throws {
        let nginx = try await SharedNginx.value
        let run = try await Sortie().run("send", "\(nginx.httpsURL)/small", "--cacert", nginx.certificateAuthority)
        #expect(run.output == "small", "\(run)")
        #expect(run.errorOutput.isEmpty)
    }

    @Test func `--cacert of another authority does not`() async throws {
        let nginx = try await SharedNginx.value
        let other = try Certificates.shared().otherAuthority
        let run = try await Sortie().run("send", "\(nginx.httpsURL)/small", "--cacert", other)
        #expect(run.failed(4, "untrustedCertificate"), "\(run)")
    }

    @Test(arguments: ["wrongHost", "expired", "selfSigned"]) func `a wrong certificate is not trusted`(kind: String) async throws {
        let certificates = try Certificates.shared()
        var options = Nginx.Options()
        options.identity =
            switch kind {
            case "wrongHost": certificates.wrongHost
            case "expired": certificates.expired
            default: certificates.selfSigned
            }
        let nginx = try Nginx.start(options)
        let run = try await Sortie().run("send", "\(nginx.httpsURL)/small", "--cacert", certificates.certificateAuthority)
        #expect(run.failed(4, "untrustedCertificate"), "\(run)")
        #expect(!nginx.accessLog.contains { $0.contains("/small") })
    }

    @Test func `-k accepts any certificate and reports it`() async throws {
        let server = try await SharedNginx.value.httpsURL
        let run = try await Sortie().run("send", "\(server)/small", "-k")
        #expect(run.status == .exited(0), "\(run)")
        #expect(run.output == "small")
        #expect(run.errorLines == ["sortie: warning: certificates of \(server) are not verified (--insecure)"])
    }

    @Test func `the right pin is accepted`() async throws {
        let nginx = try await SharedNginx.value
        let pin = try Certificates.pin(of: Certificates.shared().localhost.certificate)
        let run = try await Sortie().run(
            "send", "\(nginx.httpsURL)/small", "--cacert", nginx.certificateAuthority, "--pin", pin)
        #expect(run.output == "small", "\(run)")
    }

    @Test func `a wrong pin is rejected before anything is sent`() async throws {
        let nginx = try Nginx.start()
        let pin = try Certificates.pin(of: Certificates.shared().client.certificate)
        let run = try await Sortie().run(
            "send", "\(nginx.httpsURL)/small", "--cacert", nginx.certificateAuthority, "--pin", pin)
        #expect(run.failed(4, "pinMismatch"), "\(run)")
        #expect(!nginx.accessLog.contains { $0.contains("/small") })
    }

    @Test func `one right pin of several is enough`() async throws {
        let nginx = try await SharedNginx.value
        let certificates = try Certificates.shared()
        let pins = try [certificates.client, certificates.localhost].map { try Certificates.pin(of: $0.certificate) }
        let run = try await Sortie().run(
            "send", "\(nginx.httpsURL)/small", "--cacert", nginx.certificateAuthority, "--pin", pins[0], "--pin", pins[1])
        #expect(run.output == "small", "\(run)")
    }

    @Test func `--cert and --key send the client certificate`() async throws {
        let certificates = try Certificates.shared()
        var options = Nginx.Options()
        options.demandsClientCertificate = true
        let nginx = try Nginx.start(options)
        let run = try await Sortie().run(
            "send", "\(nginx.httpsURL)/client", "--cacert", nginx.certificateAuthority, "--cert",
            certificates.client.certificate, "--key", certificates.client.key)
        #expect(run.output.hasPrefix("SUCCESS "), "\(run)")
    }

    @Test func `a plain HTTP server behind https gives a TLS error`() async throws {
        let server = try ScriptedServer([.readBytes(1), .send("HTTP/1.1 400 Bad\r\n\r\n"), .closeGracefully])
        let run = try await Sortie().run("send", "https://\(server.authority)/")
        #expect(run.failed(4, "tlsFailed"), "\(run)")
    }
}
