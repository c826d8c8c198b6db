internal import ArgumentParser
internal import SortieHTTP

/// The trusted authorities and the client certificate.
struct TrustOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Trust these certificates instead of the system's.", valueName: "file"), completion: .file())
    var cacert: String?

    @Option(help: ArgumentHelp("The client certificate.", valueName: "file"), completion: .file())
    var cert: String?

    @Option(help: ArgumentHelp("The key of the client certificate.", valueName: "file"), completion: .file())
    var key: String?

    @Option(
        name: .customLong("key-passphrase"),
        help: ArgumentHelp("The passphrase of an encrypted key, from a file or standard input; by default from the terminal.", valueName: "@file|@-"))
    var keyPassphrase: String?

    @Option(help: ArgumentHelp("Accept only this public key.", valueName: "sha256//base64"))
    var pin: [String] = []

    @Option(
        name: .customLong("pin-file"),
        help: ArgumentHelp("Accept only the certificates or public keys in this file, in PEM or DER; also beside --pin.", valueName: "file"),
        completion: .file())
    var pinFile: [String] = []

    @Option(
        name: .customLong("pin-match"),
        help: ArgumentHelp("What is compared with certificates of --pin-file: key or certificate.", valueName: "what"),
        completion: .list(["key", "certificate"]))
    var pinMatch: String?

    @Option(
        name: .customLong("pin-scope"), help: ArgumentHelp("The certificates that pins are compared with: leaf or chain.", valueName: "scope"),
        completion: .list(["leaf", "chain"]))
    var pinScope: String?

    @Option(
        name: .customLong("min-tls"), help: ArgumentHelp("The minimum version of TLS: 1.0 to 1.3; default 1.2.", valueName: "version"),
        completion: .list(TLSVersion.allCases.map(\.rawValue)))
    var minimumTLS: String?

    @Flag(name: [.customShort("k"), .long], help: "Do not verify the server: anyone can read and change the traffic.")
    var insecure = false

    /// Replaces settings of the service by the options; `redaction` hides the secrets.
    func apply(to policy: inout TrustPolicy, hiding redaction: LiveRedaction, _ locations: LocationOptions, in program: ProgramContext) throws {
        if ([cacert, cert, key] + pinFile).contains("") { throw CommandFailure.emptyFileName }
        if let cacert { policy.certificateAuthorityFile = program.path(cacert) }
        if let cert { policy.clientCertificateFile = program.path(cert) }
        if let key { policy.clientKeyFile = program.path(key) }
        // The passphrase of the service belongs to the key of the service.
        if cert != nil || key != nil { policy.clientKeyPassphrase = nil }
        if let keyPassphrase {
            policy.clientKeyPassphrase = try SecretArgument(keyPassphrase, option: "--key-passphrase", locations, in: program).value
        }
        if let passphrase = policy.clientKeyPassphrase { redaction.hide(passphrase) }
        // Pins of the command line replace all pins of the service.
        if !pin.isEmpty || !pinFile.isEmpty { (policy.pins, policy.pinFiles) = (pin, pinFile.map(program.path)) }
        if let pinMatch {
            guard let match = TrustPolicy.PinMatch(rawValue: pinMatch) else {
                throw CommandFailure(.usage, "--pin-match \(pinMatch) is neither key nor certificate")
            }
            policy.pinMatch = match
        }
        if let pinScope {
            guard let scope = TrustPolicy.PinScope(rawValue: pinScope) else {
                throw CommandFailure(.usage, "--pin-scope \(pinScope) is neither leaf nor chain")
            }
            policy.pinScope = scope
        }
        if let minimumTLS {
            guard let version = TLSVersion(rawValue: minimumTLS) else {
                throw CommandFailure(.usage, "--min-tls \(minimumTLS) is none of \(TLSVersion.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            policy.minimumTLS = version
        }
        if insecure { policy.isInsecure = true }
    }
}
