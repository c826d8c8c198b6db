/// One entry of a `plugins:` list: a shipped plugin with its options, templates unresolved (S0.25, S0.28).
public struct PluginSetting: Hashable, Sendable {
    /// Which plugin, with its options.
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

    /// `Authorization: SCHEME TOKEN` (S0.26).
    public struct Token: Hashable, Sendable {
        /// The token to begin with; nil where the first one is asked for.
        public var value: String?
        /// What stands before it in the field.
        public var scheme: String
        /// How a refused one is renewed; nil leaves the refusal as it is.
        public var refresh: Refresh?

        /// A token.
        public init(value: String? = "{{token}}", scheme: String = "Bearer", refresh: Refresh? = nil) {
            self.value = value
            self.scheme = scheme
            self.refresh = refresh
        }
    }

    /// Which endpoint gives a token, and where in its answer it is.
    public struct Refresh: Hashable, Sendable {
        /// The endpoint's target.
        public var target: String
        /// Where the token is.
        public var token: JSONPath
        /// Where the seconds are for which it is good, if the answer says so.
        public var expires: JSONPath?

        /// A way to a new token.
        public init(target: String, token: JSONPath, expires: JSONPath? = nil) {
            self.target = target
            self.token = token
            self.expires = expires
        }
    }

    /// The signature in the query (S0.30).
    public struct Sign: Hashable, Sendable {
        /// What is computed.
        public enum Scheme: String, Hashable, Sendable, CaseIterable {
            /// MD5, as the first source document has it.
            case legacy
            /// HMAC-SHA256 over method, path, query, body and time.
            case hmac = "hmac-sha256"
        }

        /// What is computed.
        public var scheme: Scheme
        /// What it is computed with.
        public var secret: String
        /// The query parameter that carries it.
        public var parameter: String
        /// The field that carries the time, for the scheme that signs one.
        public var timestampHeader: String

        /// A signature.
        public init(
            scheme: Scheme = .legacy, secret: String = "{{secret}}", parameter: String = FullRequestOrder.signName,
            timestampHeader: String = "X-Timestamp"
        ) {
            self.scheme = scheme
            self.secret = secret
            self.parameter = parameter
            self.timestampHeader = timestampHeader
        }
    }

    /// Friendly words for failures (S0.27), and the codes of services that have no envelope (S0.16).
    public struct ErrorFilter: Hashable, Sendable {
        /// The code in an answer, what says success, where the server's message is, and messages by code.
        public var envelope: Envelope

        /// `$.result_code`, `success` and `$.message`, as the first source document has them.
        public static var standard: ErrorFilter {
            ErrorFilter(envelope: .legacy)
        }

        /// A filter.
        public init(envelope: Envelope) {
            self.envelope = envelope
        }
    }

    /// AES-GCM over bodies, and over the query where it is asked for (S4.9).
    public struct Encrypt: Hashable, Sendable {
        /// The key as hexadecimal digits or base64.
        public var key: String
        /// The query parameter that carries the encrypted query; nil leaves the query as it is.
        public var parameter: String?

        /// What is encrypted, and how.
        public init(key: String, parameter: String? = nil) {
            self.key = key
            self.parameter = parameter
        }
    }

    /// What a screen shows by itself while a call runs and when it failed (S3.3).
    public struct Signals: Hashable, Sendable {
        /// Whether it hears that the call runs.
        public var loading: Bool
        /// Whether it hears why the call failed.
        public var toast: Bool

        /// The switches.
        public init(loading: Bool = true, toast: Bool = true) {
            self.loading = loading
            self.toast = toast
        }
    }

    /// The names that a list may hold.
    public static let names = ["token", "sign", "errorFilter", "signals", "debugLog", "encrypt"]

    /// Which plugin, with its options.
    public var kind: Kind
    /// Where it stands.
    public var location: SourceLocation

    /// An entry.
    public init(_ kind: Kind, location: SourceLocation) {
        self.kind = kind
        self.location = location
    }

    /// Its name in the list.
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
