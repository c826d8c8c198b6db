import Foundation
import Support
import Testing

@testable import SortieNetworking

/// Tests pins from files: certificates and public keys, in PEM and DER (S3.2).
@Suite(.fewAtOnce, .enabled(if: Nginx.isAvailable, "no nginx or openssl on this machine"))
struct PinFileTests {
    private let certificates: Certificates
    private let caller: Caller

    init() throws {
        certificates = try Certificates.shared()
        caller = try Caller()
    }

    /// Creates a file with a command of openssl; `$1` is the given file, `$2` the new one.
    private func made(_ command: String, from source: String, name: String) async throws -> String {
        let path = caller.folder.path(name)
        let run = try await ProcessRun.run("/bin/sh", ["-ec", command, "sh", source, path])
        #expect(run.succeeded, "\(run)")
        return path
    }

    private func nginx(_ identity: Certificates.Identity) throws -> Nginx {
        var options = Nginx.Options()
        options.identity = identity
        return try Nginx.start(options)
    }

    private func ask(_ nginx: Nginx, _ configure: (inout TrustPolicy) -> Void) async throws -> Exchange {
        try await caller.get(nginx.httpsURL + "/small") {
            $0.trust.certificateAuthorityFile = certificates.certificateAuthority
            configure(&$0.trust)
        }
    }

    /// A command of openssl that creates a pin file, and whether the file has a certificate.
    private static let forms = [
        ("cat \"$1\" > \"$2\"", true), ("openssl x509 -in \"$1\" -outform der -out \"$2\"", true),
        ("openssl x509 -in \"$1\" -noout -pubkey > \"$2\"", false),
        ("openssl x509 -in \"$1\" -noout -pubkey | openssl pkey -pubin -outform der -out \"$2\"", false),
    ]

    @Test(arguments: forms)
    func `S3.2 a certificate or a public key in PEM or DER is a pin of its key`(_ command: String, _ isCertificate: Bool) async throws {
        let right = try await made(command, from: certificates.localhost.certificate, name: "right")
        let wrong = try await made(command, from: certificates.expired.certificate, name: "wrong")
        let nginx = try nginx(certificates.localhost)
        #expect(try await ask(nginx) { $0.pinFiles = [right] }.text == "small")
        #expect(try await ask(nginx) { $0.pinFiles = [wrong, right] }.text == "small")
        #expect(try await ask(nginx) { $0.pinFiles = [wrong] }.error?.code == .pinMismatch)
        let pin = try Certificates.pin(of: certificates.localhost.certificate)
        let beside = try await ask(nginx) { ($0.pinFiles, $0.pins) = ([wrong], [pin]) }
        #expect(beside.text == "small", "one match suffices")
        let whole = try await ask(nginx) { ($0.pinFiles, $0.pinMatch) = ([right], .certificate) }
        if isCertificate { #expect(whole.text == "small") } else { #expect(whole.error?.message.contains("contains no certificate") == true) }
    }

    @Test func `S3.2 a renewed certificate matches by its key and not as a whole`() async throws {
        let renewed = try await made(
            "openssl req -x509 -key \"${1%.pem}.key\" -subj /CN=renewed -days 9 -out \"$2\"", from: certificates.localhost.certificate,
            name: "renewed.pem")
        let nginx = try nginx(certificates.localhost)
        #expect(try await ask(nginx) { $0.pinFiles = [renewed] }.text == "small")
        for _ in 0..<2 {
            let exchange = try await ask(nginx) { ($0.pinFiles, $0.pinMatch) = ([renewed], .certificate) }
            #expect(exchange.error?.code == .pinMismatch && exchange.response == nil)
        }
        #expect(nginx.accessLog.count <= 1)
    }

    @Test(arguments: TrustPolicy.PinMatch.allCases)
    func `S3.2 with the scope chain any certificate of the chain matches, with the scope leaf only the server's own`(
        _ match: TrustPolicy.PinMatch
    ) async throws {
        let nginx = try nginx(certificates.chain)
        for file in [certificates.brokenChain.certificate, certificates.intermediate, certificates.certificateAuthority] {
            let exchange = try await ask(nginx) { ($0.pinFiles, $0.pinMatch, $0.pinScope) = ([file], match, .chain) }
            #expect(exchange.text == "small", "\(file)")
            let leaf = try await ask(nginx) { ($0.pinFiles, $0.pinMatch) = ([file], match) }
            #expect((leaf.text == "small") == (file == certificates.brokenChain.certificate), "\(file)")
        }
    }

    @Test func `S3.2 without verification only the certificate of the server itself matches`() async throws {
        let nginx = try nginx(certificates.chain)
        for (file, isTrusted) in [(certificates.intermediate, false), (certificates.brokenChain.certificate, true)] {
            let exchange = try await ask(nginx) {
                ($0.pinFiles, $0.pinMatch, $0.pinScope, $0.isInsecure) = ([file], .certificate, .chain, true)
            }
            #expect((exchange.text == "small") == isTrusted, "\(file)")
        }
    }

    @Test func `a file that is missing, empty, too large or not a file is an error with its path, and nothing is sent`() async throws {
        let nginx = try nginx(certificates.localhost)
        let pipe = caller.folder.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let paths = [
            caller.folder.path("missing.pem"), try caller.folder.write("empty.pem", ""), try caller.folder.write("text.der", "no certificate"),
            try caller.folder.write("broken.pem", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"),
            try caller.folder.write("large.pem", [UInt8](repeating: 65, count: 2 << 20)), certificates.localhost.key, pipe, caller.folder.path,
        ]
        for path in paths {
            let exchange = try await ask(nginx) { $0.pinFiles = [path] }
            #expect(exchange.error?.message.contains(path) == true, "\(path)")
            #expect([.invalidOption, .fileUnreadable].contains(exchange.error?.code) && exchange.attempts.isEmpty, "\(path)")
            if path == pipe || path == caller.folder.path { #expect(exchange.error?.message.contains("is not a regular file") == true, "\(path)") }
        }
        #expect(nginx.accessLog.isEmpty)
    }

    @Test func `a changed file is read again`() async throws {
        let nginx = try nginx(certificates.localhost)
        let path = try await made("cat \"$1\" > \"$2\"", from: certificates.expired.certificate, name: "pin.pem")
        #expect(try await ask(nginx) { $0.pinFiles = [path] }.error?.code == .pinMismatch)
        let next = try await made("cat \"$1\" > \"$2\"", from: certificates.localhost.certificate, name: "next.pem")
        #expect(rename(next, path) == 0)
        #expect(try await ask(nginx) { $0.pinFiles = [path] }.text == "small")
    }

    @Test func `a dry run reports a missing file`() async throws {
        var request = try Request.to("https://shop.invalid/")
        request.options.trust.pinFiles = ["/nowhere/pin.pem"]
        let result = await caller.client.dryRun(request)
        #expect(result.error?.code == .fileUnreadable && result.error?.message.contains("/nowhere/pin.pem") == true)
    }
}
