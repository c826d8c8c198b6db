public import SortieBase
public import SortieHTTP

/// An entry of a `plugins:` list: a built-in plugin with its options and unresolved templates (S0.25, S0.28).
public struct PluginSetting: Hashable, Sendable {
    /// A plugin with its options.
    public enum Kind: Hashable, Sendable {
        /// `token`.
        case token(Token)
        /// `sign`.
        case sign(Sign)
        /// `errorFilter`.
        case errorFilter(ErrorFilter)
        /// `signals`.
        case signals(Signals)
        /// `debugLog`.
        case debugLog
        /// `encrypt: {aes-gcm: {key, parameter}}`.
        case encrypt(Encrypt)
    }

    /// The options for `Authorization: SCHEME TOKEN` (S0.26).
    public struct Token: Hashable, Sendable {
        /// The initial token; nil where the first one has to be requested.
        public var value: String?
        /// The scheme before the token.
        public var scheme: String
        /// How a rejected token is renewed; nil leaves the response unchanged.
        public var refresh: Refresh?

        /// Creates options.
        public init(value: String? = "{{token}}", scheme: String = "Bearer", refresh: Refresh? = nil) {
            self.value = value
            self.scheme = scheme
            self.refresh = refresh
        }
    }

    /// The endpoint that returns a token, and the location of the token in its response.
    public struct Refresh: Hashable, Sendable {
        /// The target of the endpoint.
        public var target: String
        /// The path of the token.
        public var token: JSONPath
        /// The path of the token's lifetime in seconds; nil where the response contains none.
        public var expires: JSONPath?

        /// Creates options.
        public init(target: String, token: JSONPath, expires: JSONPath? = nil) {
            self.target = target
            self.token = token
            self.expires = expires
        }
    }

    /// The options for a signature in the query (S0.30).
    public struct Sign: Hashable, Sendable {
        /// The signature scheme.
        public enum Scheme: String, Hashable, Sendable, CaseIterable {
            /// MD5, as in the first source document.
            case legacy
            /// HMAC-SHA256 over method, path, query, body and time.
            case hmac = "hmac-sha256"
        }

        /// The signature scheme.
        public var scheme: Scheme
        /// The secret key.
        public var secret: String
        /// The query parameter for the signature.
        public var parameter: String
        /// The header field for the time, in a scheme that signs the time.
        public var timestampHeader: String

        /// Creates options.
        public init(
            scheme: Scheme = .legacy, secret: String = "{{secret}}", parameter: String = LegacyParameterOrder.signName,
            timestampHeader: String = "X-Timestamp"
        ) {
            self.scheme = scheme
            self.secret = secret
            self.parameter = parameter
            self.timestampHeader = timestampHeader
        }
    }

    /// The options for user-friendly error messages (S0.27), and for result codes of services without an envelope (S0.16).
    public struct ErrorFilter: Hashable, Sendable {
        /// The path of the result code, the codes of success, the path of the server's message, and messages by code.
        public var envelope: Envelope

        /// `$.result_code`, `success` and `$.message`, as in the first source document.
        public static var standard: ErrorFilter {
            ErrorFilter(envelope: .legacy)
        }

        /// Creates options.
        public init(envelope: Envelope) {
            self.envelope = envelope
        }
    }

    /// The options for AES-GCM encryption of bodies and, optionally, the query (S4.9).
    public struct Encrypt: Hashable, Sendable {
        /// The key as hexadecimal digits or base64.
        public var key: String
        /// The query parameter for the encrypted query; nil leaves the query unencrypted.
        public var parameter: String?

        /// Creates options.
        public init(key: String, parameter: String? = nil) {
            self.key = key
            self.parameter = parameter
        }
    }

    /// The options for what a screen shows while a call runs and after a failure (S3.3).
    public struct Signals: Hashable, Sendable {
        /// Whether the screen shows that the call is running.
        public var loading: Bool
        /// Whether the screen shows the error of a failed call.
        public var toast: Bool

        /// Creates options.
        public init(loading: Bool = true, toast: Bool = true) {
            self.loading = loading
            self.toast = toast
        }
    }

    /// The names of the plugins.
    public static let names = ["token", "sign", "errorFilter", "signals", "debugLog", "encrypt"]

    /// The plugin with its options.
    public var kind: Kind
    /// The location of the entry.
    public var location: SourceLocation

    /// Creates an entry.
    public init(_ kind: Kind, location: SourceLocation) {
        self.kind = kind
        self.location = location
    }

    /// The name of the plugin.
    public var name: String {
        switch kind {
        case .token: "token"
        case .sign: "sign"
        case .errorFilter: "errorFilter"
        case .signals: "signals"
        case .debugLog: "debugLog"
        case .encrypt: "encrypt"
        }
    }
}
