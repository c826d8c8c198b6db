/// The failure of a call: the layer at fault, a code to act on, and a message for the user.
///
/// A 4xx or 5xx status is a response; it becomes an error only where a caller requests validation.
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

    /// The layer at fault.
    public var errorClass: Class
    /// The kind of the failure.
    public var code: Code
    /// The problem, its location and the remedy, as a sentence for the user.
    public var message: String
    /// A hint for a separate line, which names the remedy in terms of this library; nil without one.
    public var hint: String? {
        get { remedy?.text }
        set { remedy = newValue.map(Remedy.text) }
    }
    /// The remedy; nil without one.
    package var remedy: Remedy?
    /// The result code of the server's envelope, where that reported a failure.
    public var businessCode: String?
    /// The message of the component that failed, such as libcurl, for the log.
    public var underlying: String?
    /// The error that a validator, filter or reformer of the program threw, with its type; nil for other failures.
    public var cause: (any Error)?
    /// The limit that was exceeded, with the code ``Code/timedOut``; nil with other codes, and where it is unknown.
    public var timeLimit: TimeLimit?
    /// The number of the attempt that failed, from 1; nil when nothing had been sent.
    public var attempt: Int?
    /// The timing of that attempt; nil when nothing had been sent.
    public var timing: Timing? {
        get { boxedTiming?.wrappedValue }
        set { boxedTiming = newValue.map { CopyOnWrite(wrappedValue: $0) } }
    }
    /// Boxed, because errors are copied often, and seven numbers that are seldom read would make each copy larger.
    private var boxedTiming: CopyOnWrite<Timing>?

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
        self.timeLimit = timeLimit
        self.errorClass = code.errorClass
        self.code = code
        self.message = message
        self.remedy = remedy
        self.underlying = underlying
    }

    /// The error number of the second source document.
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
    /// Whether the call ended because it or its task was cancelled, or because a newer call superseded it.
    ///
    /// No call of this library throws a `CancellationError`: a cancelled one throws, or returns an exchange with, this error.
    public var isCancellation: Bool { code == .cancelled || code == .superseded }

    /// Whether the user must sign in again, when the request carried a bearer token.
    public var meansLoginExpired: Bool { businessCode == "auth_failed" || businessCode == "another_device_logged_in" }
}

extension NetworkError {
    /// Whether two errors are equal, regardless of their attempt, timing and cause.
    public static func == (left: NetworkError, right: NetworkError) -> Bool {
        left.errorClass == right.errorClass && left.code == right.code && left.message == right.message && left.remedy == right.remedy
            && left.businessCode == right.businessCode && left.underlying == right.underlying && left.timeLimit == right.timeLimit
    }

    /// Hashes the code and the message.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(message)
    }
}

extension NetworkError: CustomStringConvertible {
    /// The code and the message for the user.
    public var description: String { "\(code.rawValue): \(message)" }
}
