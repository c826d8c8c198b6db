import Foundation
import Support
import Testing

@testable import SortieNetworking

/// Tests the verification of TLS certificates (S0.10, S3.2): on by default, and without connections of another policy.
@Suite(.fewAtOnce, .enabled(if: Nginx.isAvailable, "no nginx or openssl on this machine"))
struct ServerTrustTests {
    private let certificates: Certificates
    private let caller: Caller

    init() throws {
        certificates = try Certificates.shared()
        caller = try Caller()
    }

    private func nginx(_ identity: Certificates.Identity, mustShow: Bool = false) throws -> Nginx {
        var options = Nginx.Options()
        options.identity = identity
        options.demandsClientCertificate = mustShow
        return try Nginx.start(options)
    }

    /// Sends a request with the test authority and the changes of `configure`.
    private func ask(_ nginx: Nginx, _ path: String = "/small", _ configure: (inout TrustPolicy) -> Void = { _ in }) async throws
        -> Exchange
    {
        try await caller.get(nginx.httpsURL + path) {
            $0.trust.certificateAuthorityFile = certificates.certificateAuthority
            configure(&$0.trust)
        }
    }

    @Test func `a server with a certificate of the specified authority is trusted`() async throws {
        let exchange = try await ask(nginx(certificates.localhost))
        #expect(exchange.text == "small")
        #expect(exchange.timing.tls >= exchange.timing.connect)
    }

    @Test func `S1.4 a URL without TLS is sent to the port of TLS that the table has`() async throws {
        let nginx = try nginx(certificates.localhost)
        let exchange = try await caller.get(nginx.httpURL + "/small") {
            $0.requiresTLS = true
            $0.tlsPorts = [nginx.httpPort: nginx.httpsPort]
            $0.trust.certificateAuthorityFile = certificates.certificateAuthority
        }
        #expect(exchange.text == "small")
        #expect(exchange.request.url.origin == "https://127.0.0.1:\(nginx.httpsPort)")
    }

    @Test func `an intermediate that the server sends completes the chain`() async throws {
        #expect(try await ask(nginx(certificates.chain)).text == "small")
    }

    @Test func `a certificate for the numeric address is trusted with that address`() async throws {
        let nginx = try nginx(certificates.localhost)
        let exchange = try await caller.get("https://127.0.0.1:\(nginx.httpsPort)/small") {
            $0.trust.certificateAuthorityFile = certificates.certificateAuthority
        }
        #expect(exchange.text == "small")
    }

    @Test func `a name with an address of the request is verified as the name`() async throws {
        let nginx = try nginx(certificates.localhost)
        let addresses = [IPAddress("127.0.0.1")].compactMap { $0 }
        let right = try await caller.get("https://example.test:\(nginx.httpsPort)/echo") {
            $0.addresses = addresses
            $0.trust.certificateAuthorityFile = certificates.certificateAuthority
        }
        #expect(right.text?.hasSuffix("example.test") == true)
        let wrong = try await caller.get("https://other.invalid:\(nginx.httpsPort)/small") {
            $0.addresses = addresses
            $0.trust.certificateAuthorityFile = certificates.certificateAuthority
        }
        #expect(wrong.error?.code == .untrustedCertificate)
    }

    enum Fault: String, CaseIterable, Sendable {
        case wrongHost = "it is for another host, wrong.test"
        case expired = "it expired on 2020-02-01"
        case oldIssuer = "that of its issuer, Old intermediate, expired on 2020-02-01"
        case notYetValid = "it is not valid before 2090-01-01"
        case selfSigned = "it is self-signed"
        case brokenChain = "its issuer, Test intermediate, is unknown, and the server did not send its certificate"

        func identity(_ certificates: Certificates) -> Certificates.Identity {
            switch self {
            case .wrongHost: certificates.wrongHost
            case .expired: certificates.expired
            case .oldIssuer: certificates.oldChain
            case .notYetValid: certificates.notYetValid
            case .selfSigned: certificates.selfSigned
            case .brokenChain: certificates.brokenChain
            }
        }
    }

    @Test(arguments: Fault.allCases)
    func `an invalid certificate is not trusted, and the message contains the reason`(_ fault: Fault) async throws {
        let nginx = try nginx(fault.identity(certificates))
        let exchange = try await ask(nginx)
        let error = try #require(exchange.error)
        #expect(error.code == .untrustedCertificate)
        #expect(error.message == "the certificate of localhost is not trusted: \(fault.rawValue)")
        #expect(error.hint != nil)
        #expect(exchange.response == nil)
        #expect(exchange.attempts.last?.certificates.isEmpty == false)
        #expect(nginx.accessLog.isEmpty)
        // Only by the explicit option, and only for its request.
        #expect(try await ask(nginx) { $0.isInsecure = true }.text == "small")
        #expect(try await ask(nginx).error?.code == .untrustedCertificate)
    }

    @Test func `an authority that is not specified is not trusted`() async throws {
        let nginx = try nginx(certificates.localhost)
        let exchange = try await ask(nginx) { $0.certificateAuthorityFile = certificates.otherAuthority }
        #expect(exchange.error?.code == .untrustedCertificate)
        #expect(exchange.error?.message.contains("its issuer, Test authority, is unknown") == true)
        let system = try await caller.get("\(nginx.httpsURL)/small")
        #expect(system.error?.code == .untrustedCertificate)
    }

    @Test func `a file without certificates is reported`() async throws {
        let path = try caller.folder.write("empty.pem", "nothing")
        let exchange = try await ask(nginx(certificates.localhost)) { $0.certificateAuthorityFile = path }
        #expect(exchange.error?.code == .fileUnreadable)
        #expect(exchange.error?.message.contains(path) == true)
    }

    @Test func `the right pin is accepted, alone or beside others`() async throws {
        let nginx = try nginx(certificates.localhost)
        let pin = try Certificates.pin(of: certificates.localhost.certificate)
        let other = try Certificates.pin(of: certificates.expired.certificate)
        #expect(try await ask(nginx) { $0.pins = [pin] }.text == "small")
        #expect(try await ask(nginx) { $0.pins = [other, pin] }.text == "small")
    }

    private struct Limited: TypedEndpoint, Encodable {
        typealias Output = Response
        var path: String { "/small" }
        var options: RequestOptions {
            var options = RequestOptions()
            options.timeouts.total = .seconds(300)
            return options
        }
    }

    @Test func `S3.6 an endpoint with a time limit keeps the authority and the pins of its service, which are compared`() async throws {
        let nginx = try nginx(certificates.localhost)
        let folder = try TemporaryFolder()
        let pins = (
            right: try Certificates.pin(of: certificates.localhost.certificate), wrong: try Certificates.pin(of: certificates.expired.certificate)
        )
        let (url, authority, path) = (nginx.httpsURL, certificates.certificateAuthority, folder.path)
        @Sendable func client(_ pin: String) -> Client {
            var service = ServiceConfiguration(servers: ["live": [url]])
            service.options.trust = TrustPolicy(certificateAuthorityFile: authority, pins: [pin])
            return Client(.init(spoolFolder: path, services: ["shop": service], environment: "live"))
        }
        let response = try await withDeadline(.seconds(300), "the call to end") { try await client(pins.right).send(Limited(), through: "shop") }
        #expect(response.status == 200)
        let error = await #expect(throws: NetworkError.self) {
            try await withDeadline(.seconds(300), "the call to end") { try await client(pins.wrong).send(Limited(), through: "shop") }
        }
        #expect(error?.code == .pinMismatch)
        let raw = Request(url: try HTTPURL(parsing: nginx.httpsURL + "/small"), service: "shop")
        let exchange = try await withDeadline(.seconds(300), "the call to end") { await client(pins.wrong).exchange(raw) }
        #expect(exchange.error?.code == .pinMismatch, "also for a request without an endpoint")
    }

    @Test func `a wrong pin is rejected, also where a connection without a pin is open`() async throws {
        let nginx = try nginx(certificates.localhost)
        let wrong = try Certificates.pin(of: certificates.expired.certificate)
        #expect(try await ask(nginx).text == "small")
        for _ in 0..<2 {
            let exchange = try await ask(nginx) { $0.pins = [wrong] }
            #expect(exchange.error?.code == .pinMismatch)
            #expect(exchange.error?.hint != nil)
            #expect(exchange.response == nil)
        }
        #expect(nginx.accessLog.count <= 1)
    }

    @Test func `S3.2 a chain pin matches any key of the verified chain`() async throws {
        let nginx = try nginx(certificates.chain)
        for certificate in [certificates.chain.certificate, certificates.intermediate, certificates.certificateAuthority] {
            let pin = try Certificates.pin(of: certificate)
            let exchange = try await ask(nginx) {
                $0.pins = [pin]
                $0.pinScope = .chain
            }
            #expect(exchange.text == "small", "\(certificate)")
        }
        // The default is the leaf certificate; the chain must be specified.
        let pin = try Certificates.pin(of: certificates.intermediate)
        #expect(try await ask(nginx) { $0.pins = [pin] }.error?.code == .pinMismatch)
    }

    @Test(arguments: [false, true])
    func `a wrong chain pin is rejected, also on a host with a pooled connection and without verification`(isInsecure: Bool) async throws {
        let nginx = try nginx(certificates.chain)
        let wrong = try Certificates.pin(of: certificates.otherAuthority)
        #expect(try await ask(nginx) { $0.isInsecure = isInsecure }.text == "small")
        for _ in 0..<2 {
            let exchange = try await ask(nginx) {
                $0.pins = [wrong]
                $0.pinScope = .chain
                $0.isInsecure = isInsecure
            }
            #expect(exchange.error?.code == .pinMismatch)
            #expect(exchange.response == nil)
        }
        #expect(nginx.accessLog.count <= 1)
    }

    @Test func `without verification, a pinned authority that any server can send proves nothing`() async throws {
        let nginx = try nginx(certificates.chain)
        let (issuer, leaf) = (try Certificates.pin(of: certificates.intermediate), try Certificates.pin(of: certificates.chain.certificate))
        for (pin, isTrusted) in [(issuer, false), (leaf, true)] {
            let exchange = try await ask(nginx) {
                $0.pins = [pin]
                $0.pinScope = .chain
                $0.isInsecure = true
            }
            #expect((exchange.text == "small") == isTrusted)
        }
    }

    @Test func `a wrong pin after its expiry blocks no request, and a decision reports it`() async throws {
        let nginx = try nginx(certificates.localhost)
        let wrong = try Certificates.pin(of: certificates.expired.certificate)
        let today = Date().timeIntervalSince1970
        for scope in [TrustPolicy.PinScope.leaf, .chain] {
            #expect(
                try await ask(nginx) {
                    $0.pins = [wrong]
                    $0.pinScope = scope
                    $0.pinsExpire = today - 1
                }.text == "small")
            #expect(
                try await ask(nginx) {
                    $0.pins = [wrong]
                    $0.pinScope = scope
                    $0.pinsExpire = today + 3600
                }.error?.code == .pinMismatch)
        }
    }

    @Test(arguments: ["pin", "sha256//abc", "sha256//" + String(repeating: "A", count: 44)])
    func `a malformed pin is rejected before anything is sent`(pin: String) async throws {
        let nginx = try nginx(certificates.localhost)
        let exchange = try await ask(nginx) { $0.pins = [pin] }
        #expect(exchange.error?.code == .invalidOption)
        #expect(exchange.attempts.isEmpty)
    }

    @Test func `the certificate chain of a server is available with names, dates and pins`() async throws {
        let exchange = try await ask(nginx(certificates.chain))
        let chain = try #require(exchange.attempts.first?.certificates)
        #expect(chain.map(\.subject) == ["localhost", "Test intermediate"])
        #expect(chain.map(\.issuer) == ["Test intermediate", "Test authority"])
        #expect(chain.first?.names == ["localhost", "example.test", "*.example.test", "127.0.0.1", "127.0.0.2", "127.0.0.3", "::1"])
        #expect(chain.first?.validity == "2020-01-01 to 2099-12-31")
        #expect(try chain.map(\.pin) == [certificates.chain.certificate, certificates.intermediate].map { try Certificates.pin(of: $0) })
    }

    @Test func `different policies never share a connection, equal policies do`() async {
        // In a separate process, because connections of other tests would push these out of the pool.
        await #expect(processExitsWith: .success) {
            var options = Nginx.Options()
            options.offersHTTP2 = false
            options.directives = "location = /serial { default_type text/plain; return 200 \"$connection\"; }"
            let nginx = try Nginx.start(options)
            let tests = try ServerTrustTests()
            let pin = try Certificates.pin(of: tests.certificates.localhost.certificate)
            let policies: [@Sendable (inout TrustPolicy) -> Void] = [
                { _ in }, { $0.pins = [pin] }, { $0.isInsecure = true }, { $0.pins = [pin, pin] },
            ]
            var rounds: [[String?]] = []
            for _ in 0..<2 {
                var serials: [String?] = []
                for policy in policies { serials.append(try await tests.ask(nginx, "/serial", policy).text) }
                rounds.append(serials)
            }
            #expect(Set(rounds[0]).count == policies.count)
            #expect(!rounds[0].contains(nil))
            #expect(rounds[0] == rounds[1])
        }
    }

    @Test func `a server that requires a certificate receives the client's, and rejects connections without one`() async throws {
        let nginx = try nginx(certificates.localhost, mustShow: true)
        let shown = try await ask(nginx, "/client") {
            $0.clientCertificateFile = certificates.client.certificate
            $0.clientKeyFile = certificates.client.key
        }
        #expect(shown.text == "SUCCESS CN=a client")
        #expect(try await ask(nginx, "/client").response?.status == 400)
        let mixed = try await ask(nginx, "/client") {
            $0.clientCertificateFile = certificates.client.certificate
            $0.clientKeyFile = certificates.expired.key
        }
        #expect(mixed.error?.code == .clientCertificate)
    }

    @Test func `a plain server behind https gives a TLS error with a hint`() async throws {
        let server = try ScriptedServer(Script(.send("HTTP/1.1 400 Bad\r\n\r\n"), .expectClose))
        let exchange = try await caller.get("https://127.0.0.1:\(server.port)/")
        #expect(exchange.error?.code == .tlsFailed)
        #expect(exchange.error?.hint?.contains("http://") == true)
    }

    @Test func `a redirect from https to http is rejected`() async throws {
        var options = Nginx.Options()
        options.directives = "location = /down { return 302 http://localhost:1/x; } location = /up { return 302 /small; }"
        let nginx = try Nginx.start(options)
        let exchange = try await ask(nginx, "/down")
        #expect(exchange.error?.code == .badRedirect)
        #expect(exchange.error?.message.contains("http://localhost:1") == true)
        #expect(exchange.attempts.map(\.status) == [302])
        #expect(try await ask(nginx, "/up").text == "small")
    }

    @Test func `a redirect from http to https is followed and verified`() async throws {
        let nginx = try nginx(certificates.localhost)
        let server = try ScriptedServer(answering: .redirect(301, to: "\(nginx.httpsURL)/small"))
        let exchange = try await caller.get(server.url) { $0.trust.certificateAuthorityFile = certificates.certificateAuthority }
        #expect(exchange.text == "small")
        #expect(try await caller.get(server.url).error?.code == .untrustedCertificate)
    }
}
