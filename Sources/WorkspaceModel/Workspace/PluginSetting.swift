package import SortieBase
package import SortieHTTP

/// An entry of a `plugins:` list: a built-in plugin with its options and unresolved templates.
package struct PluginSetting: Hashable, Sendable {
    /// A plugin with its options.
    package enum Kind: Hashable, Sendable {
        /// `token`.
        case token(Token)
        /// `sign`.
        case sign(Sign)
        /// `errorFilter`.
        case errorFilter(ErrorFilter)
        /// `signals`.
        case signals(Signals)
        /// `debugLog`, or `debugLog: false`, which switches off that of the workspace, with the further lines of its blocks.
        case debugLog(isOn: Bool = true, lines: [Parameter] = [])
        /// `encrypt: {aes-gcm: {key, parameter}}`.
        case encrypt(Encrypt)

        /// The name of the plugin.
        package var name: String {
            switch self {
            case .token: "token"
            case .sign: "sign"
            case .errorFilter: "errorFilter"
            case .signals: "signals"
            case .debugLog: "debugLog"
            case .encrypt: "encrypt"
            }
        }
    }

    /// The options for `Authorization: SCHEME TOKEN`.
    package struct Token: Hashable, Sendable {
        /// The initial token; nil where the first one has to be requested.
        package var value: String?
        /// The scheme before the token.
        package var scheme: String
        /// How a rejected token is renewed; nil leaves the response unchanged.
        package var refresh: Refresh?

        /// Creates options.
        package init(value: String? = "{{token}}", scheme: String = "Bearer", refresh: Refresh? = nil) {
            self.value = value
            self.scheme = scheme
            self.refresh = refresh
        }
    }

    /// The endpoint that returns a token, and the location of the token in its response.
    package struct Refresh: Hashable, Sendable {
        /// The target of the endpoint.
        package var target: String
        /// The path of the token.
        package var token: JSONPath
        /// The path of the token's lifetime in seconds; nil where the response contains none.
        package var expires: JSONPath?

        /// Creates options.
        package init(target: String, token: JSONPath, expires: JSONPath? = nil) {
            self.target = target
            self.token = token
            self.expires = expires
        }
    }

    /// The options for a signature in the query.
    package struct Sign: Hashable, Sendable {
        /// The signature scheme.
        package enum Scheme: String, Hashable, Sendable, CaseIterable {
            /// MD5, as in the first source document.
            case legacy
            /// HMAC-SHA256 over method, path, query, body and time.
            case hmac = "hmac-sha256"
        }

        /// The signature scheme.
        package var scheme: Scheme
        /// The secret key.
        package var secret: String
        /// The query parameter for the signature.
        package var parameter: String
        /// The header field for the time, in a scheme that signs the time.
        package var timestampHeader: String

        /// Creates options.
        package init(
            scheme: Scheme = .legacy, secret: String = "{{secret}}", parameter: String = LegacyParameterOrder.signName,
            timestampHeader: String = "X-Timestamp"
        ) {
            self.scheme = scheme
            self.secret = secret
            self.parameter = parameter
            self.timestampHeader = timestampHeader
        }
    }

    /// The options for user-friendly error messages, and for result codes of services without an envelope.
    package struct ErrorFilter: Hashable, Sendable {
        /// The path of the result code, the codes of success, the path of the server's message, and messages by code.
        package var envelope: Envelope
        /// Whether the messages differ by the kind of the failure; otherwise there is one for all.
        package var distinguishes: Bool

        /// `$.result_code`, `success` and `$.message`, as in the first source document.
        package static var standard: ErrorFilter {
            ErrorFilter(envelope: .legacy)
        }

        /// Creates options.
        package init(envelope: Envelope, distinguishes: Bool = false) {
            self.envelope = envelope
            self.distinguishes = distinguishes
        }
    }

    /// The options for AES-GCM encryption of bodies and, optionally, the query.
    package struct Encrypt: Hashable, Sendable {
        /// The key as hexadecimal digits or base64.
        package var key: String
        /// The query parameter for the encrypted query; nil leaves the query unencrypted.
        package var parameter: String?
        /// What happens with files in bodies.
        package var files: EncryptedFiles

        /// Creates options.
        package init(key: String, parameter: String? = nil, files: EncryptedFiles = .refused) {
            self.key = key
            self.parameter = parameter
            self.files = files
        }
    }

    /// The options for what a screen shows while a call runs and after a failure.
    package struct Signals: Hashable, Sendable {
        /// Whether the screen shows that the call is running.
        package var loading: Bool
        /// Whether the screen shows the error of a failed call.
        package var toast: Bool

        /// Creates options.
        package init(loading: Bool = true, toast: Bool = true) {
            self.loading = loading
            self.toast = toast
        }
    }

    /// The names of the plugins.
    package static let names = ["token", "sign", "errorFilter", "signals", "debugLog", "encrypt"]

    /// The plugin with its options.
    package var kind: Kind
    /// The location of the entry.
    package var location: SourceLocation

    /// Creates an entry.
    package init(_ kind: Kind, location: SourceLocation) {
        self.kind = kind
        self.location = location
    }

    /// The name of the plugin.
    package var name: String { kind.name }
}
