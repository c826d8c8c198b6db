/// Why a call gave no result (X4): who is to blame, a code to act on, and a sentence for the person.
///
/// A 4xx or 5xx status is a response; it becomes an error only where a caller asks for validation.
public struct NetworkError: Error, Hashable, Sendable {
    /// Where the failure lies (S3.17).
    public enum Class: String, Hashable, Sendable {
        /// No answer: offline, name, connection, TLS, timeout, a broken answer.
        case transport
        /// An answer whose status was refused.
        case http
        /// An answer that the business rules refused.
        case business
        /// We never got as far: a bad request, a file, a cancel.
        case client
    }

    /// Where the failure lies.
    public var errorClass: Class
    /// What happened.
    public var code: Code
    /// What is wrong, where, and the way out: a sentence for the person.
    public var message: String
    /// A hint on a line of its own, where one helps.
    public var hint: String?
    /// The code of the server's own envelope, where that was refused (S0.17, S1.31).
    public var businessCode: String?
    /// The words of whoever failed below us, for the log.
    public var underlying: String?
    /// Which attempt of the call it ended, from 1; nil when nothing had been sent (X4).
    public var attempt: Int?
    /// Whether the time was over before a connection was established, so that nothing was sent and another address may do better.
    public var isBeforeConnection = false
    /// The moments of that attempt; nil when nothing had been sent (X4).
    public var timing: Timing? {
        get { boxedTiming?.wrappedValue }
        set { boxedTiming = newValue.map { Boxed(wrappedValue: $0) } }
    }
    /// Errors are passed on through many hands; seven numbers that few look at must not make each of them larger.
    private var boxedTiming: Boxed<Timing>?

    /// An error; `errorClass` follows from the code.
    public init(_ code: Code, _ message: String, hint: String? = nil, underlying: String? = nil) {
        self.errorClass = code.errorClass
        self.code = code
        self.message = message
        self.hint = hint
        self.underlying = underlying
    }

    /// The number that the second source document gives this failure (S1.27–S1.29).
    public var legacyCode: Int {
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
    /// Whether the person must log in again, when the request carried a bearer token (S0.27).
    public var meansLoginExpired: Bool { businessCode == "auth_failed" || businessCode == "another_device_logged_in" }
}

extension NetworkError {
    /// Whether both say the same; in which attempt it happened, and when, is no part of that.
    public static func == (left: NetworkError, right: NetworkError) -> Bool {
        left.errorClass == right.errorClass && left.code == right.code && left.message == right.message && left.hint == right.hint
            && left.businessCode == right.businessCode && left.underlying == right.underlying
    }

    /// Feeds what it says.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(message)
    }
}

extension NetworkError: CustomStringConvertible {
    /// The text as a person reads it.
    public var description: String { "\(code.rawValue): \(message)" }
}
