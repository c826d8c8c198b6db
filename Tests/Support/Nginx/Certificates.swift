import Foundation
import Glibc

/// Keys and certificates for tests, created with the `openssl` command once in each test process.
public final class Certificates: Sendable {
    /// A certificate file and its key file, both PEM.
    public struct Identity: Sendable {
        /// The path of the certificate, followed in the same file by its intermediates.
        public let certificate: String
        /// The path of the private key.
        public let key: String

        /// Creates an identity of two files, which need not belong together.
        public init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }

    /// The certificates of this process; `result` is nil until they are made.
    private struct State: Sendable {
        var isBegun = false
        var result: Result<Certificates, any Error>?
    }

    private static let state = Watched(State())

    /// Begins to make the certificates of this process on a new thread; does nothing when that has begun.
    static func begin() {
        let isBegun = state.change { state in
            defer { state.isBegun = true }
            return state.isBegun
        }
        if isBegun { return }
        // Static values are never released, and the keys must be removed.
        atexit {
            Certificates.state.block(within: .seconds(300)) { $0.result != nil }
            Certificates.state.change { $0.result = nil }
        }
        Thread.detachNewThread {
            let result = Result { try Certificates() }
            Certificates.state.change { $0.result = result }
        }
    }

    /// The certificates of this process.
    ///
    /// Blocks the calling thread until they are made, which ``Nginx/isAvailable`` begins before the first test runs.
    ///
    /// - Throws: ``NginxFailure`` with the output of openssl when it failed or is missing.
    public static func shared() throws -> Certificates {
        begin()
        state.block { $0.result != nil }
        guard let result = state.current.result else { throw NginxFailure(sentence: "no certificates were made", log: "") }
        return try result.get()
    }

    private let folder: TemporaryFolder

    /// The authority that signed all certificates except ``selfSigned`` and the leaves of ``chain``, ``brokenChain`` and
    /// ``oldChain``.
    public var certificateAuthority: String { folder.path("ca.pem") }
    /// An authority that signed none of the certificates.
    public var otherAuthority: String { folder.path("other-ca.pem") }
    /// For `localhost`, `example.test`, `*.example.test`, 127.0.0.1 to 127.0.0.3 and ::1.
    public var localhost: Identity { identity("localhost") }
    /// For `wrong.test` only.
    public var wrongHost: Identity { identity("wrong-host") }
    /// For `localhost`, expired since February 2020.
    public var expired: Identity { identity("expired") }
    /// For `localhost`, valid from the year 2090 on.
    public var notYetValid: Identity { identity("not-yet-valid") }
    /// For `localhost`, self-signed.
    public var selfSigned: Identity { identity("self-signed") }
    /// For `localhost`, signed by an intermediate that the authority signed; the file has leaf and intermediate.
    public var chain: Identity { identity("chain") }
    /// The leaf of ``chain`` without the intermediate, a common misconfiguration of servers.
    public var brokenChain: Identity { Identity(certificate: folder.path("chain-leaf.pem"), key: folder.path("chain.key")) }
    /// For `localhost`, signed by an intermediate that expired in February 2020; the file has both.
    public var oldChain: Identity { identity("old-chain") }
    /// The intermediate certificate of ``chain``.
    public var intermediate: String { folder.path("intermediate.pem") }
    /// A client certificate with the common name "a client".
    public var client: Identity { identity("client") }

    /// The passphrase of ``encryptedClients`` and ``encryptedClient``.
    public static let passphrase = "open-sesame"
    /// ``client`` with its key encrypted as PKCS #8.
    public var encryptedClient: Identity { Identity(certificate: folder.path("client.pem"), key: folder.path("client-pkcs8.key")) }
    /// A client certificate with an unencrypted RSA key in PKCS #1.
    public var rsaClient: Identity { identity("rsa-client") }
    /// Client identities with encrypted keys: PKCS #8, SEC 1, PKCS #1, and PKCS #8 in the same file as the certificate.
    public var encryptedClients: [Identity] {
        [
            encryptedClient, Identity(certificate: folder.path("client.pem"), key: folder.path("client-sec1.key")),
            Identity(certificate: folder.path("rsa-client.pem"), key: folder.path("rsa-client-pkcs1.key")),
            Identity(certificate: folder.path("client-both.pem"), key: folder.path("client-both.pem")),
        ]
    }

    /// The pin of a certificate's public key in the format of curl: `sha256//` and the base64 of its SHA-256.
    public static func pin(of certificate: String) throws -> String {
        let script = """
            set -e; openssl x509 -in "$1" -noout -pubkey | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary \
            | openssl base64 -A
            """
        return "sha256//" + (try openssl("/bin/sh", ["-c", script, "sh", certificate]).output)
    }

    private init() throws {
        folder = try TemporaryFolder()
        for (name, text) in CertificateRecipes.files { try folder.write(name, text) }
        _ = try Self.openssl("/bin/sh", ["-e", folder.path("make.sh")], directory: folder.path)
    }

    private func identity(_ name: String) -> Identity {
        Identity(certificate: folder.path("\(name).pem"), key: folder.path("\(name).key"))
    }

    private static func openssl(_ path: String, _ arguments: [String], directory: String? = nil) throws -> ProcessRun {
        let run = try ProcessRun.runBlocking(path, arguments, directory: directory, within: .seconds(300))
        guard run.succeeded else { throw NginxFailure(sentence: "openssl could not make the certificates", log: run.description) }
        return run
    }
}
