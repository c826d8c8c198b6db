import Foundation
import Support
import Testing

@testable import SortieNetworking

/// Tests servers whose TLS handshake fails, each with a specific message.
///
/// Certificate errors are in ``ServerTrustTests``.
@Suite(.fewAtOnce, .enabled(if: Nginx.isAvailable, "no nginx or openssl on this machine"))
struct BadTLSTests {
    private let certificates: Certificates
    private let caller: Caller

    init() throws {
        certificates = try Certificates.shared()
        caller = try Caller()
    }

    private func ask(_ url: String, _ configure: (inout RequestOptions) -> Void = { _ in }) async throws -> Exchange {
        try await caller.get(url) {
            $0.trust.certificateAuthorityFile = certificates.certificateAuthority
            configure(&$0)
        }
    }

    private func strict(_ argument: String) async throws -> OpenSSLServer {
        try await onNewThread { [certificates] in
            try OpenSSLServer(
                certificates.localhost, "-Verify", "2", "-verify_return_error", "-CAfile", certificates.certificateAuthority, argument)
        }
    }

    @Test func `a server with TLS 1-0 only is rejected unless an old version is permitted`() async throws {
        var options = Nginx.Options()
        options.tlsVersions = "TLSv1"
        options.directives = "ssl_ciphers DEFAULT:@SECLEVEL=0;"
        let nginx = try Nginx.start(options)
        let error = try #require(try await ask("\(nginx.httpsURL)/small").error)
        #expect(error.code == .tlsFailed)
        #expect(error.message.hasSuffix("does not support TLS 1.2 or later"), "\(error)")
        #expect(error.remedy == .olderTLS)
        #expect(try await ask("\(nginx.httpsURL)/small") { $0.trust.minimumTLS = .tls10 }.text == "small")
    }

    @Test func `a server without TLS 1-3 is rejected where that is the minimum`() async throws {
        var options = Nginx.Options()
        options.tlsVersions = "TLSv1.2"
        let nginx = try Nginx.start(options)
        let error = try await ask("\(nginx.httpsURL)/small") { $0.trust.minimumTLS = .tls13 }.error
        #expect(error?.code == .tlsFailed)
        #expect(error?.message.hasSuffix("does not support TLS 1.3 or later") == true, "\(String(describing: error))")
    }

    @Test func `a stalled handshake ends with the connect timeout, and the message names it`() async throws {
        try await growing(from: .milliseconds(500)) { limit -> Void? in
            let hello = Gate()
            let server = try ScriptedServer(Script(.readBytes(1), .wait(for: hello)))
            let error = try #require(try await ask("https://127.0.0.1:\(server.port)/") { $0.timeouts.connect = limit }.error)
            #expect(error.code == .timedOut)
            // The client must have begun the handshake within the limit.
            guard hello.arrivals > 0 else { return nil }
            #expect(error.message.hasSuffix("the server accepted it, but did not finish the TLS handshake"), "\(error)")
            return ()
        }
    }

    @Test func `plain HTTP on a TLS port is reported`() async throws {
        let nginx = try Nginx.start()
        let error = try #require(try await ask("https://127.0.0.1:\(nginx.httpPort)/small").error)
        #expect(error.code == .tlsFailed)
        #expect(error.message.hasSuffix("does not use TLS"), "\(error)")
        #expect(error.hint?.contains("http://") == true)
    }

    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func `a server that requires a client certificate is reported`(version: String) async throws {
        let server = try await strict(version)
        let error = try #require(try await ask("\(server.url)/").error)
        #expect([.clientCertificate, .tlsFailed].contains(error.code))
        #expect(error.message.contains("requires a client certificate"), "\(error)")
        #expect(error.remedy == .clientCertificate)
        let shown = try await ask("\(server.url)/") {
            $0.trust.clientCertificateFile = certificates.client.certificate
            $0.trust.clientKeyFile = certificates.client.key
        }
        #expect(shown.response?.status == 200)
    }

    @Test func `a server that refuses a request without a client certificate while it is being sent is reported`() async throws {
        let server = try await strict("-tls1_3")
        var request = try Request.to("\(server.url)/") { [certificates] in $0.trust.certificateAuthorityFile = certificates.certificateAuthority }
        request.method = .post
        request.body = .bytes([UInt8](repeating: 0x61, count: 20_000_000), contentType: "text/plain")
        request.options.removedFields = ["expect"]
        #expect(try await caller.exchange(request).error?.code == .clientCertificate)
    }

    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func `a client certificate that the server does not trust is reported as the reason`(version: String) async throws {
        let server = try await strict(version)
        let error = try #require(
            try await ask("\(server.url)/") {
                $0.trust.clientCertificateFile = certificates.selfSigned.certificate
                $0.trust.clientKeyFile = certificates.selfSigned.key
            }.error)
        #expect(error.code == .clientCertificate)
        #expect(error.message.contains("rejected the client certificate"), "\(error)")
    }
}
