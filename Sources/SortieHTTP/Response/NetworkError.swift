public import Foundation
package import SortieBase

/// The failure of a call: the layer at fault, a code to act on, and a message for the user.
///
/// A 4xx or 5xx status is a response; it becomes an error only where a caller requests validation. Two errors are equal regardless of their attempt, timing,
/// response and cause.
public struct NetworkError: Error, Hashable, Sendable {
    /// The layer at fault.
    public enum Class: String, Hashable, Sendable {
        /// No valid response: offline, name lookup, connection, TLS, timeout, or a malformed response.
        case transport
        /// A response whose status was rejected.
        case http
        /// A response that the business rules rejected.
        case business
        /// A failure in the client: an invalid request, a file, or a cancellation.
        case client
    }

    /// A time limit that a request can exceed.
    public enum TimeLimit: String, Hashable, Sendable {
        /// The limit for the name lookup.
        case lookup
        /// The limit for connecting, including TLS; no part of the request was sent.
        case connect
        /// The limit for the time without a byte in either direction.
        case idle
        /// The limit for the whole call.
        case total
    }

    /// The properties, which are documented at those of the error.
    @usableFromInline
    struct Storage: Hashable, Sendable {
        @usableFromInline var errorClass: Class
        @usableFromInline var code: Code
        @usableFromInline var message: String
        @usableFromInline var remedy: Remedy?
        @usableFromInline var businessCode: String?
        @usableFromInline var underlying: String?
        @usableFromInline var cause: (any Error)?
        @usableFromInline var response: Response?
        @usableFromInline var timeLimit: TimeLimit?
        @usableFromInline var attempt: Int?
        @usableFromInline var timing: Timing?
    }

    /// Behind one reference, because results, attempts and frames of functions that throw have room for an error, which is seldom there.
    @usableFromInline var storage: CopyOnWrite<Storage>

    /// The layer at fault.
    public var errorClass: Class {
        @inlinable _read { yield storage.wrappedValue.errorClass }
        @inlinable _modify { yield &storage.wrappedValue.errorClass }
    }
    /// The kind of the failure.
    public var code: Code {
        @inlinable _read { yield storage.wrappedValue.code }
        @inlinable _modify { yield &storage.wrappedValue.code }
    }
    /// The problem, its location and the remedy, as a sentence for the user.
    public var message: String {
        @inlinable _read { yield storage.wrappedValue.message }
        @inlinable _modify { yield &storage.wrappedValue.message }
    }
    /// A hint for a separate line, which names the remedy in terms of this library; nil without one.
    public var hint: String? {
        get { remedy?.text }
        set { remedy = newValue.map(Remedy.text) }
    }
    /// The remedy; nil without one.
    package var remedy: Remedy? {
        @inlinable _read { yield storage.wrappedValue.remedy }
        @inlinable _modify { yield &storage.wrappedValue.remedy }
    }
    /// The result code of the server's envelope, where that reported a failure.
    public var businessCode: String? {
        @inlinable _read { yield storage.wrappedValue.businessCode }
        @inlinable _modify { yield &storage.wrappedValue.businessCode }
    }
    /// The message of the component that failed, such as libcurl, for the log.
    public var underlying: String? {
        @inlinable _read { yield storage.wrappedValue.underlying }
        @inlinable _modify { yield &storage.wrappedValue.underlying }
    }
    /// The error of another type from which this one was made: a `DecodingError`, or one that code of the program threw; nil for other failures.
    public var cause: (any Error)? {
        @inlinable _read { yield storage.wrappedValue.cause }
        @inlinable _modify { yield &storage.wrappedValue.cause }
    }
    /// The response that was rejected, or what had arrived of one; nil where none had.
    public var response: Response? {
        @inlinable _read { yield storage.wrappedValue.response }
        @inlinable _modify { yield &storage.wrappedValue.response }
    }
    /// The limit that was exceeded, with the code ``Code/timedOut``; nil with other codes, and where it is unknown.
    public var timeLimit: TimeLimit? {
        @inlinable _read { yield storage.wrappedValue.timeLimit }
        @inlinable _modify { yield &storage.wrappedValue.timeLimit }
    }
    /// The number of the attempt that failed, from 1; nil when nothing had been sent.
    public var attempt: Int? {
        @inlinable _read { yield storage.wrappedValue.attempt }
        @inlinable _modify { yield &storage.wrappedValue.attempt }
    }
    /// The timing of that attempt; nil when nothing had been sent.
    public var timing: Timing? {
        @inlinable _read { yield storage.wrappedValue.timing }
        @inlinable _modify { yield &storage.wrappedValue.timing }
    }

    /// Creates an error; its class follows from the code.
    ///
    /// - Parameters:
    ///   - code: The kind of the failure.
    ///   - message: The problem, its location and the remedy, as a sentence for the user.
    ///   - hint: A hint for a separate line; nil for none.
    ///   - underlying: The message of the component that failed; nil for none.
    ///   - timeLimit: The limit that was exceeded, with the code ``Code/timedOut``.
    public init(_ code: Code, _ message: String, hint: String? = nil, underlying: String? = nil, timeLimit: TimeLimit? = nil) {
        self.init(code, message, remedy: hint.map(Remedy.text), underlying: underlying, timeLimit: timeLimit)
    }

    /// Creates an error whose hint depends on where it is displayed.
    package init(_ code: Code, _ message: String, remedy: Remedy?, underlying: String? = nil, timeLimit: TimeLimit? = nil) {
        storage = CopyOnWrite(
            wrappedValue: Storage(
                errorClass: code.errorClass, code: code, message: message, remedy: remedy, underlying: underlying, timeLimit: timeLimit))
    }

    /// Creates an error for one of another type that other code threw; it is the ``cause``, and its description with its type is ``underlying``.
    package init(_ code: Code, _ message: String, hint: String? = nil, cause: any Error) {
        self.init(code, message, hint: hint, underlying: String(reflecting: cause))
        self.cause = cause
    }

    /// The number of the kind of the failure, 101 to 106, which `--json` and texts for users have.
    package var documentNumber: Int {
        switch code {
        case .timedOut: 101
        case .hostNotFound, .connectionRefused, .cannotConnect, .offline: 102
        case .cancelled, .superseded: 103
        case .noData: 105
        case .noMoreData: 106
        default: 104
        }
    }
}

extension NetworkError {
    /// Whether the call ended because it or its task was cancelled, or because a newer call superseded it.
    ///
    /// No call of this library throws a `CancellationError`: a cancelled one throws, or returns an exchange with, this error.
    public var isCancellation: Bool { code == .cancelled || code == .superseded }

    /// Whether the user must sign in again, when the request carried a bearer token.
    package var meansLoginExpired: Bool { businessCode == "auth_failed" || businessCode == "another_device_logged_in" }
}

extension NetworkError {
    /// The error for a file that cannot be read completely.
    package init(_ failure: WholeFile.Failure, reading path: String) {
        guard case .system(let code) = failure else {
            self.init(.fileUnreadable, "\(path): \(failure.reason)")
            return
        }
        let reason = String(cString: strerror(code))
        self.init(.fileUnreadable, "the file \(path) cannot be read: \(reason.lowercased())", underlying: reason)
    }
}

extension NetworkError.Storage {
    /// Whether two errors are equal, regardless of their attempt, timing, response and cause.
    @usableFromInline
    static func == (left: Self, right: Self) -> Bool {
        left.errorClass == right.errorClass && left.code == right.code && left.message == right.message && left.remedy == right.remedy
            && left.businessCode == right.businessCode && left.underlying == right.underlying && left.timeLimit == right.timeLimit
    }

    /// Hashes the code and the message.
    @usableFromInline
    func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(message)
    }
}

extension NetworkError: CustomStringConvertible {
    /// The code and the message for the user.
    public var description: String { "\(code.rawValue): \(message)" }
}

extension Error {
    /// The words for an error of another type within a message: its text for users where it has one, else its description.
    ///
    /// `EncodingError` and `DecodingError` have only general texts for users.
    package var wordsInMessage: String {
        if self is EncodingError || self is DecodingError { return "\(self)" }
        return (self as? any LocalizedError)?.errorDescription ?? "\(self)"
    }
}

extension NetworkError: LocalizedError {
    /// The message.
    public var errorDescription: String? { message }
    /// The hint.
    public var recoverySuggestion: String? { hint }
}

extension NetworkError {
    /// The kind of a failure, on which a user or a program can act.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        // Transport
        case hostNotFound, connectionRefused, cannotConnect, offline, timedOut
        case tlsFailed, untrustedCertificate, pinMismatch, clientCertificate
        /// The client key is encrypted, and its passphrase is missing or wrong.
        case clientKeyPassphrase
        case connectionLost, emptyResponse, badResponse, truncatedBody, badEncoding, proxyFailed
        /// The connection broke after the request may have been processed; it was not sent again.
        case ambiguousDelivery
        // HTTP
        case status, tooManyRedirects, badRedirect
        // Business
        case business
        /// The caller cannot use the body.
        case badBody
        /// The digest of a file differs from the expected one.
        case digestMismatch
        /// The server closed a WebSocket connection with another code than 1000 and 1001.
        case closed
        /// The first page is empty.
        case noData
        /// A later page is empty.
        case noMoreData
        // Client
        case invalidURL, invalidMethod, invalidHeader, invalidOption, invalidTemplate, fileUnreadable
        /// A secret that `hosts:` restricts would be sent to another host.
        case secretNotPermitted
        /// The cache has no response, and the request may not be sent (``RequestOptions/CachePolicy/cacheOnly``).
        case notCached
        case bodyTooLarge, storage, cancelled, superseded, shutDown, pluginFailed, internalFailure

        /// The class of the code.
        public var errorClass: Class {
            switch self {
            case .hostNotFound, .connectionRefused, .cannotConnect, .offline, .timedOut, .tlsFailed, .untrustedCertificate,
                .pinMismatch,
                .clientCertificate, .clientKeyPassphrase, .connectionLost, .emptyResponse, .badResponse, .truncatedBody, .badEncoding, .proxyFailed,
                .ambiguousDelivery:
                .transport
            case .status, .tooManyRedirects, .badRedirect:
                .http
            case .business, .badBody, .digestMismatch, .closed, .noData, .noMoreData:
                .business
            case .invalidURL, .invalidMethod, .invalidHeader, .invalidOption, .invalidTemplate, .fileUnreadable, .bodyTooLarge,
                .storage,
                .secretNotPermitted, .notCached, .cancelled, .superseded, .shutDown, .pluginFailed, .internalFailure:
                .client
            }
        }
    }
}

extension NetworkError {
    /// The remedy of an error, of which the library and the program have a text each: the program names its options and workspace keys.
    @usableFromInline
    package enum Remedy: Hashable, Sendable {
        /// A remedy that is the same for users of the library and of the program.
        case text(String)
        case pinFile, redirectLimit, redirectLoop, proxySetting, httpProxySetting, runningProxy, connectMethod, encryptableBody, excludedNetwork
        case certificateOfKey, httpsURL, totalTimeout, downloadTimeout, connectTimeout, handshakeTimeout, idleTimeout, bodyLimit, spoolSpace
        case signingSecret, otherAuthentication, refreshWithoutAuthentication, simulatedConditions, trustedIssuer, certificateHost
        case clientCertificate, olderTLS, certificateFormat, keyOfCertificate, keyFormat, passphrase, otherPassphrase, busyPart, damagedPart
        case signIn, removedPart, sharedPart, unknownPart, otherFolder, otherFile, existingFile, lateFile, diskSpace, writableFolder, encodedBody
        case otherType
        /// A connection that failed through the proxy of a variable of the environment, or without it.
        case environmentProxy(String), unusedEnvironmentProxy(String)
        case resolverOrAddress(host: String)
        case spellingOrAddress(host: String)
        indirect case secretHosts(secret: String, host: String)
        /// The texts of the error of a call in the history.
        indirect case stored(program: String, workbench: String)
        /// A remedy in the program that sends the request, such as a permission.
        case ofProgram(Diagnostic.Remedy)

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
            case .environmentProxy(let name): "the proxy is that of \(name) in the environment; correct it, or assign nil to proxy of the options"
            case .unusedEnvironmentProxy(let name): "the network may require the proxy of \(name), which was not used; set proxy of the options"
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
            case .refreshWithoutAuthentication: "send the refresh request with the credential none of the options"
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
            case .stored(let text, _): text
            case .ofProgram: "permit the use in the program that sends the request"
            }
        }

        /// The remedy with its texts changed, for example masked.
        package func mapped(_ change: (String) -> String) -> Remedy {
            switch self {
            case .text(let text): .text(change(text))
            case .resolverOrAddress(let host): .resolverOrAddress(host: change(host))
            case .spellingOrAddress(let host): .spellingOrAddress(host: change(host))
            case .secretHosts(let secret, let host): .secretHosts(secret: change(secret), host: change(host))
            case .stored(let program, let workbench): .stored(program: change(program), workbench: change(workbench))
            default: self
            }
        }
    }
}

extension NetworkError {
    /// The message for users of this kind of failure, by its code; a business failure keeps the server's own.
    package func text(in texts: UserTexts) -> String {
        switch code {
        case .business: return message
        case .noData: return texts.noData
        case .noMoreData: return texts.noMoreData
        default: break
        }
        switch documentNumber {
        case 101: return texts.timedOut
        case 102: return texts.noConnection
        case 103: return texts.cancelled
        default: return texts.failed
        }
    }

    /// The failure with the one message of the error filter, unless the server gave its own reason.
    ///
    /// The class and the code are unchanged. The original message moves to ``underlying``.
    package func filtered(in texts: UserTexts) -> NetworkError {
        guard errorClass != .business, code != .cancelled, code != .superseded else { return self }
        return reworded(texts.transport)
    }

    /// The failure with the message of its kind; a reason of the server and a cancellation keep theirs.
    ///
    /// The class and the code are unchanged. The original message moves to ``underlying``.
    package func distinguished(in texts: UserTexts) -> NetworkError {
        let text = text(in: texts)
        guard code != .business, code != .cancelled, code != .superseded, message != text else { return self }
        return reworded(text)
    }

    private func reworded(_ text: String) -> NetworkError {
        var error = self
        error.message = text
        error.underlying = [message, underlying].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ": ")
        return error
    }

    /// The error for a response in another format than agreed, with the received text.
    package static func wrongFormat(at path: String, received: String, in texts: UserTexts = .english) -> NetworkError {
        NetworkError(.business, texts.wrongFormat, hint: path, underlying: received)
    }

    /// The error for an empty page: `noData` for the first page, `noMoreData` for a later one.
    ///
    /// - Parameters:
    ///   - page: The number of the page, from 1.
    ///   - hint: A hint for a separate line; nil for none.
    ///   - texts: The language of the message.
    package static func emptyPage(_ page: Int, hint: String? = nil, in texts: UserTexts = .english) -> NetworkError {
        page <= 1 ? NetworkError(.noData, texts.noData, hint: hint) : NetworkError(.noMoreData, texts.noMoreData, hint: hint)
    }
}
