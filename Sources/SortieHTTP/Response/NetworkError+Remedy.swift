extension NetworkError {
    /// The remedy of an error, of which the library and the program have a text each: the program names its options and workspace keys.
    package enum Remedy: Hashable, Sendable {
        /// A remedy that is the same for users of the library and of the program.
        case text(String)
        case pinFile, redirectLimit, redirectLoop, proxySetting, httpProxySetting, runningProxy, connectMethod, encryptableBody, excludedNetwork
        case certificateOfKey, httpsURL, totalTimeout, downloadTimeout, connectTimeout, handshakeTimeout, idleTimeout, bodyLimit, spoolSpace
        case signingSecret, otherAuthentication, refreshWithoutAuthentication, simulatedConditions, trustedIssuer, certificateHost
        case clientCertificate, olderTLS, certificateFormat, keyOfCertificate, keyFormat, passphrase, otherPassphrase, busyPart, damagedPart
        case signIn, removedPart, sharedPart, unknownPart, otherFolder, otherFile, existingFile, lateFile, diskSpace, writableFolder, encodedBody
        case otherType
        case resolverOrAddress(host: String)
        case spellingOrAddress(host: String)
        indirect case secretHosts(secret: String, host: String)

        /// The text for users of the library, which names properties of its types.
        package var text: String {
            switch self {
            case .text(let text): text
            case .pinFile: "name a file in PEM or DER in trust.pinFiles of the options"
            case .redirectLimit: "raise maximumRedirects of the options"
            case .redirectLoop: "a cookie or a login may be missing; with maximumRedirects 0, the first response is returned"
            case .resolverOrAddress(let host): "check the resolver, or give the address of \(host) in addresses of the options"
            case .spellingOrAddress(let host): "check the spelling, or give the address of \(host) in addresses of the options"
            case .proxySetting: "check the proxy of the options"
            case .httpProxySetting: "check that the proxy of the options is an HTTP proxy"
            case .runningProxy: "check the proxy of the options, and that it is running"
            case .connectMethod: "set the proxy of the options to send requests through a tunnel"
            case .excludedNetwork: "use another network, or remove it from excludedNetworks of the options"
            case .encryptableBody: "set files of the encryptor to plain or encrypted, or bypassesPlugins of the options to send all in clear text"
            case .certificateOfKey: "set trust.clientCertificateFile of the options"
            case .httpsURL: "use an https URL, or set requiresTLS of the options to false"
            case .secretHosts(let secret, let host): "to permit it, add \(host) to the hosts of the secret \(secret)"
            case .totalTimeout: "raise timeouts.total of the options"
            case .downloadTimeout: "the received bytes are kept, and the same download resumes; raise timeouts.total of the options"
            case .connectTimeout: "raise timeouts.connect of the options, or check that the host is reachable"
            case .handshakeTimeout: "check that the port uses TLS, or raise timeouts.connect of the options"
            case .idleTimeout: "raise timeouts.idle of the options"
            case .bodyLimit: "raise maximumBodyBytes of the options"
            case .spoolSpace: "free some space in the spool folder, or download the response to a file in another place"
            case .signingSecret: "give the signer a secret that is not empty"
            case .otherAuthentication: "use another kind of authentication, such as Basic"
            case .refreshWithoutAuthentication: "send the refresh request with omitsCredentials of the options"
            case .simulatedConditions: "remove the simulated conditions of the client"
            case .trustedIssuer: "give the issuer's certificate in trust.certificateAuthorityFile of the options"
            case .certificateHost: "use a host name of the certificate, with addresses of the options if that name has another address"
            case .clientCertificate: "give the certificate in trust.clientCertificateFile and trust.clientKeyFile of the options"
            case .olderTLS: "allow an older version with trust.minimumTLS of the options; older versions are not safe"
            case .certificateFormat: "name one in trust.clientCertificateFile; openssl x509 and openssl pkcs12 convert other formats"
            case .keyOfCertificate: "name the key of the certificate in trust.clientKeyFile"
            case .keyFormat: "name one in trust.clientKeyFile; openssl pkey converts other formats"
            case .passphrase: "set trust.clientKeyPassphrase of the options, or clientKeyQuestion of the client's configuration"
            case .signIn: "set signIn of the client's configuration, and tokens so that a token is stored"
            case .otherPassphrase: "check trust.clientKeyPassphrase of the options"
            case .busyPart: "wait for it, stop it, or choose another name"
            case .damagedPart: "start the download again"
            case .removedPart: "start the download again; it begins with the first byte"
            case .sharedPart: "another program writes to the part; choose another name"
            case .unknownPart: "remove it, choose another name, or set beginsAfresh of the download to overwrite it"
            case .otherFolder: "choose another file, or set beginsAfresh of the download"
            case .otherFile: "choose another file"
            case .existingFile: "choose another name, or set the collision of the download to replace"
            case .lateFile: "the partial file is kept; start the download again with the collision replace or keepBoth"
            case .otherType: "the partial file is kept; check whether the network asks for a sign-in; beginsAfresh of the download replaces it"
            case .diskSpace: "free some space and start the download again to resume"
            case .writableFolder: "choose a writable folder"
            case .encodedBody: "with decompresses false in the options, the body is returned undecoded"
            }
        }

        /// The remedy with its texts changed, for example masked.
        package func mapped(_ change: (String) -> String) -> Remedy {
            switch self {
            case .text(let text): .text(change(text))
            case .resolverOrAddress(let host): .resolverOrAddress(host: change(host))
            case .spellingOrAddress(let host): .spellingOrAddress(host: change(host))
            case .secretHosts(let secret, let host): .secretHosts(secret: change(secret), host: change(host))
            default: self
            }
        }
    }
}
