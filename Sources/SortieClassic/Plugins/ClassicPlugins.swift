public import SortieNetworking

public import struct FoundationEssentials.Date

/// Makes the plugins of the source documents; each is added to the plugins of a client, a service, an endpoint or a call.
public enum ClassicPlugins {
    /// Adds the public parameters of a service to the URL of every request, before the parameters of the request, sorted by name.
    ///
    /// - Parameters:
    ///   - sortsOthers: Whether the parameters of the request are sorted, too, in its query or its form, as ``legacySignature(secret:parameter:)``
    ///     requires.
    ///   - values: Returns the parameters of a call; called for every attempt, because one of them may be the time. What it throws ends
    ///     the call.
    public static func publicParameters(
        sortsOthers: Bool = false, _ values: @escaping @Sendable (PluginContext) async throws -> [(name: String, value: String)]
    ) -> any Plugin {
        PublicParametersPlugin(sortsOthers: sortsOthers, values)
    }

    /// Signs every attempt with the first scheme: MD5 over method, path, sorted parameters, the secret and the value of `Authorization`, in lowercase
    /// hexadecimal digits.
    ///
    /// It must come after the plugins that add a token or parameters. MD5 is broken and this construction was never strong; it exists for servers that
    /// require it. New services use ``signature(secret:timestampHeader:parameter:now:)``.
    ///
    /// - Parameters:
    ///   - secret: The secret; the call ends with `invalidOption` where it is empty.
    ///   - parameter: The query parameter that contains the signature, the last one of the URL.
    public static func legacySignature(secret: String, parameter: String = "sign") -> any Plugin {
        SignPlugin(MD5Signer(secret: secret), parameter: parameter)
    }

    /// Signs every attempt with HMAC-SHA256 over method, path, sorted query, the digest of the body and the time, in lowercase hexadecimal digits.
    ///
    /// It must come after the plugins that add a token or parameters. A body that is streamed from a file ends the call with `invalidOption`.
    ///
    /// - Parameters:
    ///   - secret: The secret, whose UTF-8 form is the key; the call ends with `invalidOption` where it is empty.
    ///   - timestampHeader: The header field that contains the signed time, in seconds since 1970.
    ///   - parameter: The query parameter that contains the signature, the last one of the URL.
    ///   - now: Returns the time that is signed.
    public static func signature(
        secret: String, timestampHeader: String, parameter: String = "sign", now: @escaping @Sendable () -> Date = { Date() }
    ) -> any Plugin {
        SignPlugin(HMACSigner(secret: secret), parameter: parameter, timestampHeader: timestampHeader, now: now)
    }

    /// Encrypts the query of every request and sends it as one parameter, in base64url without padding (RFC 4648 §5).
    ///
    /// - Parameters:
    ///   - parameter: The name of the parameter that contains the query.
    ///   - encryptor: Returns the encryptor of a request; called for every attempt. What it throws ends the call.
    public static func encryptedQuery(
        parameter: String, _ encryptor: @escaping @Sendable (Request) async throws(NetworkError) -> any BodyEncryptor
    ) -> any Plugin {
        EncryptParametersPlugin(parameter: parameter, encryptor: encryptor)
    }

    /// Replaces errors by messages for the user, and signals that a login has expired (``ScreenSignal/authExpired(_:)``).
    ///
    /// A transport error gets one message of `RequestOptions.texts`; the original one is kept as the underlying message. A response whose code is not
    /// success becomes the business error of that code, where the service has no envelope.
    ///
    /// - Parameters:
    ///   - envelope: The location and the meaning of the code; responses of a service with an envelope are not changed.
    ///   - distinguishes: Whether failures get the message of their kind.
    public static func errorFilter(envelope: Envelope = .legacy, distinguishes: Bool = false) -> any Plugin {
        ErrorFilterPlugin(envelope: envelope, distinguishes: distinguishes)
    }

    /// Signals that a call runs, and why it failed; a call with `RequestOptions.suppressesUI` signals nothing.
    ///
    /// The signals are events of the call: `CallEvent.signal`.
    public static func signals(loading: Bool = true, toast: Bool = true) -> any Plugin {
        SignalsPlugin(loading: loading, toast: toast)
    }

    /// Adds further lines to the blocks of the debug log, such as the number of an order; they are masked like the block itself.
    ///
    /// - Parameter lines: Returns the lines of a block, in order; the response is nil in the block before sending, and where there is none.
    public static func debugLogLines(
        _ lines: @escaping @Sendable (_ request: Request, _ response: Response?) async -> [(name: String, value: String)]
    ) -> any Plugin {
        DebugLogLinesPlugin(lines)
    }
}
