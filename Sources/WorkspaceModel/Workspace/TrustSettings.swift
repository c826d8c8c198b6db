package import SortieHTTP

/// `trust:` of a service, an environment or a workspace; settings that a file does not have are nil.
package struct TrustSettings: Hashable, Sendable {
    /// The path of a file with PEM certificates that replace the system's.
    package var certificateAuthorityFile: String?
    /// The path of a PEM file with the client certificate.
    package var clientCertificateFile: String?
    /// The path of a PEM file with the client key.
    package var clientKeyFile: String?
    /// The passphrase of the client key as a template, usually the name of a secret.
    package var clientKeyPassphrase: String?
    /// The accepted public keys.
    package var pins: [String]?
    /// The paths of files with accepted certificates or keys.
    package var pinFiles: [String]?
    /// What is compared with the certificates in the files.
    package var pinMatch: TrustPolicy.PinMatch?
    /// The certificates that are compared with the pins.
    package var pinScope: TrustPolicy.PinScope?
    /// The time from which the pins are ignored, in seconds since 1970.
    package var pinsExpire: Double?
    /// The minimum version of TLS.
    package var minimumTLS: TLSVersion?
    /// Whether verification is disabled.
    package var isInsecure: Bool?

    /// Creates settings that set nothing.
    package init() {}

    /// These settings, and those of a more general place where they set nothing.
    ///
    /// Pins and their conditions belong together, and so do the client certificate, its key and the passphrase: a place that sets one of them
    /// replaces all of them.
    package func over(_ base: TrustSettings) -> TrustSettings {
        var result = self
        result.certificateAuthorityFile = certificateAuthorityFile ?? base.certificateAuthorityFile
        result.minimumTLS = minimumTLS ?? base.minimumTLS
        result.isInsecure = isInsecure ?? base.isInsecure
        if clientCertificateFile == nil, clientKeyFile == nil {
            result.clientCertificateFile = base.clientCertificateFile
            result.clientKeyFile = base.clientKeyFile
            result.clientKeyPassphrase = clientKeyPassphrase ?? base.clientKeyPassphrase
        }
        if pins == nil, pinFiles == nil {
            result.pins = base.pins
            result.pinFiles = base.pinFiles
            result.pinMatch = pinMatch ?? base.pinMatch
            result.pinScope = pinScope ?? base.pinScope
            result.pinsExpire = pinsExpire ?? base.pinsExpire
        }
        return result
    }

    /// The policy of a request, without the passphrase.
    package var policy: TrustPolicy {
        TrustPolicy(
            certificateAuthorityFile: certificateAuthorityFile, clientCertificateFile: clientCertificateFile, clientKeyFile: clientKeyFile,
            pins: pins ?? [], pinFiles: pinFiles ?? [], pinMatch: pinMatch ?? .key, pinScope: pinScope ?? .leaf, pinsExpire: pinsExpire,
            minimumTLS: minimumTLS ?? .usual, isInsecure: isInsecure ?? false)
    }
}

extension Workspace {
    /// The trust settings of a service in an environment: its own, then those of the environment, then those of the workspace.
    package func trust(of service: Service?, in environment: String?) -> TrustSettings {
        let common = (environments.first { $0.name == environment }?.trust).map { $0.over(trust) } ?? trust
        return service?.trust.over(common) ?? common
    }

    /// The use of cached responses that an endpoint inherits; nil for one whose responses are not cached by default.
    package func cache(for endpoint: Endpoint) -> CacheSetting? {
        (endpoint.method == .get || endpoint.method == .head) && endpoint.kind == .data ? cache : nil
    }
}
