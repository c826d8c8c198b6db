internal import SortieBase
package import SortieHTTP

extension NetworkError {
    /// The hint for users of the program; it names options of commands and keys of workspaces where `hint` names properties of the library.
    package var programHint: String? { remedy?.programText }

    /// The hint for users of the workbench, which names rows of the tabs of endpoints and services in place of options of commands and keys of files.
    package var workbenchHint: String? { remedy.map { $0.workbenchText ?? $0.programText } }

    /// The message and the remedy for users of the workbench, for a place without the key that carries it out.
    package var workbenchSentence: String { [message, workbenchHint].compactMap(\.self).joined(separator: "; ") }
}

extension NetworkError.Remedy {
    private static let serversTab = "the Servers tab of the service"
    private static let trustTab = "the Trust tab of the service"

    /// The text for the workbench, where the one for commands names an option of them or a key of a file.
    fileprivate var workbenchText: String? {
        switch self {
        case .pinFile: "name a file in PEM or DER under Pin files on \(Self.trustTab)"
        case .redirectLimit: "raise Redirects on the Options tab"
        case .redirectLoop: "a cookie or a login may be missing; 0 under Redirects on the Options tab shows the first response"
        case .resolverOrAddress: "check the resolver, or give the address under Addresses: static on \(Self.serversTab)"
        case .spellingOrAddress: "give its address under Addresses: static on \(Self.serversTab), or check the spelling in the URL"
        case .proxySetting: "check Proxy: URL on \(Self.serversTab)"
        case .httpProxySetting: "check whether Proxy: URL on \(Self.serversTab) is an HTTP proxy"
        case .runningProxy: "check that the proxy is running, and Proxy: URL on \(Self.serversTab)"
        case .environmentProxy(let name):
            "the proxy is that of \(name) in the environment; correct it, or set Proxy: URL on \(Self.serversTab) to none"
        case .unusedEnvironmentProxy(let name):
            "the network may require the proxy of \(name) in the environment, which was not used; give it as Proxy: URL on \(Self.serversTab)"
        case .certificateOfKey: "give it as Client certificate on \(Self.trustTab)"
        case .totalTimeout: "raise Total timeout on the Options tab"
        case .connectTimeout: "raise Connect timeout on the Options tab, or check that the host is reachable"
        case .handshakeTimeout: "check that the port uses TLS, or raise Connect timeout on the Options tab"
        case .idleTimeout: "raise Idle timeout on the Options tab"
        case .trustedIssuer: "give the issuer's certificate as CA on \(Self.trustTab)"
        case .certificateHost: "use a host name of the certificate"
        case .clientCertificate: "give the certificate as Client certificate on \(Self.trustTab), and its key as Client key"
        case .olderTLS: "allow an older version with Minimum TLS on \(Self.trustTab); older versions are not safe"
        case .certificateFormat: "give one as Client certificate on \(Self.trustTab); openssl x509 and openssl pkcs12 convert other formats"
        case .keyOfCertificate: "give the key of the certificate as Client key on \(Self.trustTab)"
        case .keyFormat: "give one as Client key on \(Self.trustTab); openssl pkey converts other formats"
        case .passphrase: "give it as a secret under Client key passphrase on \(Self.trustTab)"
        case .otherPassphrase: "check the secret under Client key passphrase on \(Self.trustTab)"
        case .connectMethod: "give the proxy as Proxy: URL on \(Self.serversTab), for a tunnel through it"
        case .downloadTimeout: "the received bytes are kept, and the same download resumes; raise Total timeout on the Options tab"
        case .bodyLimit: "download the response to a file (Download in the palette)"
        case .spoolSpace: "free some space, or download the response to a file in another place"
        case .otherAuthentication: "choose another kind on the Auth tab, such as Basic"
        case .signIn: "send the request again and sign in with the browser"
        case .busyPart: "wait for it, stop it, or choose another name"
        case .damagedPart, .removedPart: "start the download again"
        case .sharedPart: "another program writes to the part; choose another name"
        case .unknownPart: "remove it, or choose another name"
        case .otherFolder, .otherFile: "choose another file"
        case .existingFile: "choose another name"
        case .lateFile: "the partial file is kept; download to another name, or remove the file and start the download again"
        case .otherType: "the partial file is kept; check whether the network asks for a sign-in"
        case .diskSpace: "free some space and start the download again to resume"
        case .writableFolder: "choose a writable folder"
        case .encodedBody: "switch Compression on the Options tab off to get the body undecoded"
        case .excludedNetwork: "use another network, or change Networks on the Options tab"
        case .httpsURL: "write an https URL, or change HTTPS on the Options tab or on \(Self.serversTab)"
        case .ofProgram(let remedy): remedy.workbenchText
        case .stored(_, let text): text
        case .simulatedConditions: "switch the network conditions off"
        case .text, .encryptableBody, .secretHosts, .signingSecret, .refreshWithoutAuthentication: nil
        }
    }
}

extension NetworkError.Remedy {
    fileprivate var programText: String {
        switch self {
        case .text(let text): text
        case .pinFile: "name a file in PEM or DER under trust.pinFiles or with --pin-file"
        case .redirectLimit: "raise the limit with --max-redirects"
        case .redirectLoop: "a cookie or a login may be missing; --no-redirects shows the first response"
        case .resolverOrAddress(let host): "check the resolver, or give the address with --resolve \(host):ADDRESS"
        case .spellingOrAddress(let host): "check the spelling, or give its address with --resolve \(host):ADDRESS"
        case .proxySetting: "check --proxy, or proxy: of the service"
        case .httpProxySetting: "check that it is an HTTP proxy: --proxy, or proxy: of the service"
        case .runningProxy: "check --proxy, or proxy: of the service, and that the proxy is running"
        case .environmentProxy(let name):
            "the proxy is that of \(name) in the environment; correct it, or connect directly with --no-proxy '*' or proxy: none"
        case .unusedEnvironmentProxy(let name):
            "the network may require the proxy of \(name) in the environment, which was not used; give it with --proxy, or proxy: of the service"
        case .connectMethod: "use --proxy for a tunnel through a proxy"
        case .excludedNetwork: "use another network, or remove it from excludeNetworks: of the endpoint"
        case .encryptableBody: "write files: plain or files: encrypted below aes-gcm, or plugins: none in the endpoint to send all in clear text"
        case .certificateOfKey: "give it with --cert, or trust.clientCertificate"
        case .httpsURL: "write an https URL, or remove https: required"
        case .secretHosts(let secret, let host): "to permit it, add \(host) to hosts under secrets: \(secret) in workspace.yaml"
        case .totalTimeout: "raise the limit with --timeout or timeout: in the endpoint"
        case .downloadTimeout:
            "the received bytes are kept, and the same download resumes; raise the limit with --timeout, or total: of the endpoint's timeout"
        case .connectTimeout: "raise the limit with --connect-timeout, or check that the host is reachable"
        case .handshakeTimeout: "check that the port uses TLS, or raise the limit with --connect-timeout"
        case .idleTimeout: "raise timeout.idle in the endpoint, its service or the workspace"
        case .bodyLimit: "raise the limit with --max-body"
        case .spoolSpace: "free some space in XDG_CACHE_HOME, or use -o FILE in another place"
        case .signingSecret: "give it under secrets: in workspace.yaml"
        case .otherAuthentication: "use another kind of auth, such as -u without --digest for Basic"
        case .refreshWithoutAuthentication: "send the refresh request without this authentication (auth: none)"
        case .simulatedConditions: "switch off the network conditions in the workbench"
        case .trustedIssuer: "give the issuer's certificate with --cacert FILE or trust.ca; --insecure disables verification"
        case .certificateHost: "use a host name of the certificate, with --resolve if that name has another address"
        case .clientCertificate: "give the certificate with --cert and --key, or trust.clientCertificate and trust.clientKey"
        case .olderTLS: "allow an older version with --min-tls or trust.minimumTLS; older versions are not safe"
        case .certificateFormat: "give one with --cert or trust.clientCertificate; openssl x509 and openssl pkcs12 convert other formats"
        case .keyOfCertificate: "give the key of the certificate with --key or trust.clientKey"
        case .keyFormat: "give one with --key or trust.clientKey; openssl pkey converts other formats"
        case .passphrase: "give it with --key-passphrase @FILE, or as a secret in trust.clientKeyPassphrase"
        case .signIn: "sign in with “sortie token get TARGET” in a terminal; the token is stored"
        case .otherPassphrase: "check --key-passphrase, or the secret in trust.clientKeyPassphrase"
        case .busyPart: "wait for it, stop it, or choose another name with -o"
        case .damagedPart: "run the same command again"
        case .removedPart: "run the same command again; it starts from the first byte"
        case .sharedPart: "another program writes to the part; choose another name with -o"
        case .unknownPart: "remove it, choose another name with -o, or overwrite it with --restart"
        case .otherFolder: "give another file with -o, or restart with --restart"
        case .otherFile: "give another file with -o"
        case .existingFile: "choose another name with -o, or --on-exists replace"
        case .lateFile: "the partial file is kept; run the command again with --on-exists replace or keep-both"
        case .otherType: "check whether the network asks for a sign-in; --restart replaces the partial file"
        case .diskSpace: "free some space and run the same command again to resume"
        case .writableFolder: "choose a writable folder with -o"
        case .encodedBody: "--no-compression, or compression: false in the endpoint, delivers the body undecoded"
        case .ofProgram(let remedy): remedy.programText
        case .stored(let text, _): text
        }
    }
}
