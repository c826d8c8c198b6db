import Glibc

/// Keys and certificates for tests, made with the `openssl` command once in each test process.
public final class Certificates: Sendable {
    /// A certificate file and its key file, both PEM.
    public struct Identity: Sendable {
        /// The path of the certificate, followed in the same file by the intermediates that belong to it.
        public let certificate: String
        /// The path of the private key.
        public let key: String

        /// A pair of files that need not belong together.
        public init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }

    private static let made = Watched<Result<Certificates, any Error>?>(nil)

    /// The certificates of this process, made at the first call.
    ///
    /// - Throws: An error with openssl's own words when it failed or is not there.
    public static func shared() throws -> Certificates {
        try made.change { result in
            if result == nil {
                result = Result { try Certificates() }
                // Nothing static is ever released, and the keys are not to stay behind.
                atexit { Certificates.made.change { $0 = nil } }
            }
            guard let now = result else { throw NginxFailure(sentence: "no certificates were made", log: "") }
            return try now.get()
        }
    }

    private let folder: TemporaryFolder

    /// The authority that signed all but ``selfSigned`` and ``intermediate``'s leaf.
    public var certificateAuthority: String { folder.path("ca.pem") }
    /// An authority that signed none of them.
    public var otherAuthority: String { folder.path("other-ca.pem") }
    /// For `localhost`, `example.test`, `*.example.test`, 127.0.0.1 to 127.0.0.3 and ::1.
    public var localhost: Identity { identity("localhost") }
    /// For `wrong.test` only.
    public var wrongHost: Identity { identity("wrong-host") }
    /// For `localhost`, over since February 2020.
    public var expired: Identity { identity("expired") }
    /// For `localhost`, valid from the year 2090 on.
    public var notYetValid: Identity { identity("not-yet-valid") }
    /// For `localhost`, signed by itself.
    public var selfSigned: Identity { identity("self-signed") }
    /// For `localhost`, signed by an intermediate that the authority signed; the file has leaf and intermediate.
    public var chain: Identity { identity("chain") }
    /// The same leaf as ``chain`` without the intermediate, the way a server is often set up wrongly.
    public var brokenChain: Identity { Identity(certificate: folder.path("chain-leaf.pem"), key: folder.path("chain.key")) }
    /// For `localhost`, signed by an intermediate that is over since February 2020; the file has both.
    public var oldChain: Identity { identity("old-chain") }
    /// The intermediate of ``chain`` alone.
    public var intermediate: String { folder.path("intermediate.pem") }
    /// For a client, with the name "a client".
    public var client: Identity { identity("client") }

    /// The passphrase of ``encryptedClients`` and ``encryptedClient``.
    public static let passphrase = "open-sesame"
    /// ``client`` with its key encrypted as PKCS #8.
    public var encryptedClient: Identity { Identity(certificate: folder.path("client.pem"), key: folder.path("client-pkcs8.key")) }
    /// For a client, with an RSA key as PKCS #1 without encryption.
    public var rsaClient: Identity { identity("rsa-client") }
    /// Clients with encrypted keys: PKCS #8, SEC 1, PKCS #1, and PKCS #8 in the same file as the certificate.
    public var encryptedClients: [Identity] {
        [
            encryptedClient, Identity(certificate: folder.path("client.pem"), key: folder.path("client-sec1.key")),
            Identity(certificate: folder.path("rsa-client.pem"), key: folder.path("rsa-client-pkcs1.key")),
            Identity(certificate: folder.path("client-both.pem"), key: folder.path("client-both.pem")),
        ]
    }

    /// The pin of a certificate's public key, `sha256//` and the base64 of its SHA-256, the way curl writes it.
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
        let run = try ProcessRun.runBlocking(path, arguments, directory: directory, within: .seconds(60))
        guard run.succeeded else { throw NginxFailure(sentence: "openssl could not make the certificates", log: run.description) }
        return run
    }
}
