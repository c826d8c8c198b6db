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
            (self.value, self.scheme, self.refresh) = (value, scheme, refresh)
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
            (self.target, self.token, self.expires) = (target, token, expires)
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
            scheme: Scheme = .legacy, secret: String = "{{secret}}", parameter: String = SignedParameterOrder.signName,
            timestampHeader: String = "X-Timestamp"
        ) {
            (self.scheme, self.secret, self.parameter, self.timestampHeader) = (scheme, secret, parameter, timestampHeader)
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
            ErrorFilter(envelope: .resultCode)
        }

        /// Creates options.
        package init(envelope: Envelope, distinguishes: Bool = false) {
            (self.envelope, self.distinguishes) = (envelope, distinguishes)
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
            (self.key, self.parameter, self.files) = (key, parameter, files)
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
            (self.loading, self.toast) = (loading, toast)
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
        (self.kind, self.location) = (kind, location)
    }

    /// The name of the plugin.
    package var name: String { kind.name }
}

/// An entry of a `hooks:` list: a program that takes part in calls at one stage.
///
/// The stages are those of a plugin. The program receives the request or the exchange as JSON on its standard input and writes its
/// changes as JSON to its standard output (``HookOutput``).
package struct HookSetting: Hashable, Sendable {
    /// When the program runs.
    package enum Stage: String, Hashable, Sendable, CaseIterable {
        /// Once, before the request is built for the first attempt.
        case willPrepare
        /// For every attempt, before the plugins, so that `sign` signs what the program changes.
        case prepare
        /// For every attempt, after the plugins: the request as it is about to be sent.
        case willSend
        /// For every attempt: a response arrived.
        case didReceive
        /// Once: the call has a result or an error.
        case process

        /// Whether the program can change the request.
        package var changesRequest: Bool { self == .willPrepare || self == .prepare || self == .willSend }
    }

    /// The stage.
    package var stage: Stage
    /// The program and its arguments, without templates.
    ///
    /// A program whose name has a slash is a path relative to the workspace, any other one is searched in `PATH`.
    package var command: [String]
    /// Environment variables for the program in addition to those of Sortie: names and templates.
    package var environment: [String: String]
    /// The maximum duration of one run, or of one response of a program that keeps running.
    package var timeout: Duration
    /// Whether one process handles all calls: it reads a line of JSON for each and writes one line in return.
    package var keepsRunning: Bool

    /// The limit of ``timeout`` where the file names none.
    package static let standardTimeout = Duration.seconds(10)

    /// Creates an entry.
    package init(
        _ stage: Stage, command: [String], environment: [String: String] = [:], timeout: Duration = HookSetting.standardTimeout,
        keepsRunning: Bool = false
    ) {
        (self.stage, self.command, self.environment, self.timeout, self.keepsRunning) = (stage, command, environment, timeout, keepsRunning)
    }

    /// The name in messages: the words of the command.
    package var name: String { command.joined(separator: " ") }

    /// The names that may be files.
    package var fileNames: Set<String> { ProgramFiles.names(in: command) }

    /// The text for which the user gives permission: the variables of its environment and the words, in JSON where they could be read as others,
    /// and the digests of the files of the workspace among them, so that a changed script needs a new permission.
    package func permissionText(digests: [String: String]) -> String {
        let variables = environment.sorted { $0.key < $1.key }.map { Self.quoted("\($0.key)=\($0.value)") }
        // A program whose name has an equals sign could be read as a variable.
        let words = command.enumerated().map { Self.quoted($0.element, always: $0.offset == 0 && $0.element.contains("=")) }
        return (variables + words).joined(separator: " ") + ProgramFiles.text(in: command, digests)
    }

    private static func quoted(_ word: String, always: Bool = false) -> String {
        let isPlain =
            !always && !word.isEmpty
            && word.utf8.allSatisfy { byte in
                byte > 0x20 && byte < 0x7f && !"\"'\\,[]".utf8.contains(byte)
            }
        return isPlain ? word : JSONValue.string(word).text
    }
}

extension Endpoint {
    /// The plugins that process an endpoint's calls.
    package enum PluginUse: Hashable, Sendable {
        /// No plugin changes the request: it is sent as its file describes it.
        case none
        /// Those of the workspace and the service, then these; an entry replaces the one of the same name.
        case adding([PluginSetting.Kind])
        /// Only these.
        case only([PluginSetting.Kind])

        /// The endpoint's own entries.
        package var own: [PluginSetting.Kind] {
            switch self {
            case .none: []
            case .adding(let kinds), .only(let kinds): kinds
            }
        }
    }
}

extension Endpoint.PluginUse {
    /// Parses `none`, a list of names such as `sign, debugLog`, or a list after `only`.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - known: Entries whose options a name takes over; the other ones get the default options.
    /// - Throws: The error, for a person who typed the text.
    package init(text: String, known: [PluginSetting.Kind]) throws(TemplateError) {
        var names = text.split { $0 == "," || $0.isWhitespace }.map(String.init)
        guard names != ["none"] else {
            self = .none
            return
        }
        let isOnly = names.first == "only"
        if isOnly { names.removeFirst() }
        var kinds: [PluginSetting.Kind] = []
        for name in names {
            guard !kinds.contains(where: { $0.name == name }) else { throw TemplateError("the plugin \(name) is in the list twice; keep one") }
            if let kind = known.first(where: { $0.name == name }) {
                kinds.append(kind)
            } else {
                kinds.append(try PluginSetting.Kind(plain: name))
            }
        }
        guard isOnly || !kinds.isEmpty else { throw TemplateError("write none, the names of plugins, or only and the names") }
        self = isOnly ? .only(kinds) : .adding(kinds)
    }

    /// The text from which it can be parsed; the options of the entries are left out.
    package var text: String {
        let names = own.map(\.name).joined(separator: ", ")
        switch self {
        case .none: return "none"
        case .adding: return names
        case .only: return names.isEmpty ? "only" : "only \(names)"
        }
    }
}

extension PluginSetting.Kind {
    /// The plugin of a name with its default options.
    fileprivate init(plain name: String) throws(TemplateError) {
        switch name {
        case "token": self = .token(.init())
        case "sign": self = .sign(.init())
        case "errorFilter": self = .errorFilter(.standard)
        case "signals": self = .signals(.init())
        case "debugLog": self = .debugLog()
        case "encrypt": throw TemplateError("encrypt needs a key; write it in the file of the endpoint")
        default: throw TemplateError("there is no plugin “\(name)”; write one of \(PluginSetting.names.joined(separator: ", "))")
        }
    }
}
