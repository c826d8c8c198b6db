/// What a ``ScriptedServer`` does on one connection, from accepting to closing.
///
/// After the last step the connection is closed gracefully. It also ends, silently, when the client goes away.
public struct Script: Sendable, ExpressibleByArrayLiteral {
    /// The steps in order.
    public var steps: [Step]

    /// A script of these steps.
    public init(_ steps: [Step]) { self.steps = steps }

    /// A script of these steps.
    public init(_ steps: Step...) { self.steps = steps }

    /// A script of these steps.
    public init(arrayLiteral elements: Step...) { steps = elements }

    /// Reads a request and answers it, for as long as the client sends requests on the connection.
    public static func answering(_ answer: @escaping @Sendable (ReceivedRequest) -> HTTPAnswer) -> Script {
        Script(.repeat([.readRequest, .respond { answer($0).bytes(for: $0) }]))
    }

    /// Answers every request on the connection with the same response.
    public static func answering(_ answer: HTTPAnswer) -> Script { answering { _ in answer } }

    /// Reads one request for each answer, sends it, then closes.
    public static func answering(_ answers: [HTTPAnswer]) -> Script {
        Script(answers.flatMap { answer in [Step.readRequest, .respond { answer.bytes(for: $0) }] })
    }
}

/// One thing a ``ScriptedServer`` does on a connection.
public enum Step: Sendable {
    /// Reads one request, head and body (`Content-Length` or chunked); ignores `Expect: 100-continue`.
    case readRequest
    /// Reads one request up to the empty line after its head.
    case readHead
    /// Sends `100 Continue` when the last head asked for it.
    case sendContinueIfExpected
    /// Reads the body that belongs to the last head.
    case readBody
    /// Reads this many bytes, whatever they are, and adds them to the last request's body.
    case readBytes(Int)
    /// Sends bytes.
    case sendBytes([UInt8])
    /// Sends bytes in pieces of `chunk` bytes, with a pause between two pieces.
    case sendSlowly([UInt8], chunk: Int, every: Duration)
    /// Sends the same bytes again and again until the client goes away.
    case sendForever([UInt8])
    /// Sends what the closure makes of the last request read.
    case respond(@Sendable (ReceivedRequest) -> [UInt8])
    /// Stops here until the test opens the gate.
    case wait(for: Gate)
    /// Does nothing for a while; ends early when the server is stopped.
    case pause(Duration)
    /// Passes bytes both ways between the client and this port of 127.0.0.1, until either closes. Ends the script.
    case relay(to: UInt16)
    /// Sends FIN, takes in what the client still sends until it closes (at most a second), closes. Ends the script.
    case closeGracefully
    /// Sends RST. Ends the script.
    case reset
    /// Sends FIN, keeps reading.
    case shutdownWrite
    /// Neither reads, sends nor closes until the server is stopped. Ends the script.
    case holdOpen
    /// Reads and drops everything until the client closes. Ends the script.
    case expectClose
    /// Runs the steps this many times; without a number, until the client goes away.
    indirect case `repeat`([Step], times: Int? = nil)

    /// Sends a text as UTF-8.
    public static func send(_ text: String) -> Step { .sendBytes(Array(text.utf8)) }

    /// Sends bytes.
    public static func send(_ bytes: [UInt8]) -> Step { .sendBytes(bytes) }

    /// Sends a whole response.
    public static func send(_ answer: HTTPAnswer) -> Step { .sendBytes(answer.bytes) }

    /// Sends a text in pieces of `chunk` bytes, with a pause between two pieces.
    public static func sendSlowly(_ text: String, chunk: Int, every pause: Duration) -> Step {
        .sendSlowly(Array(text.utf8), chunk: chunk, every: pause)
    }

    /// Reads one request, sending `100 Continue` before the body when the head asks for it.
    public static let readRequestSendingContinue = Step.repeat([.readHead, .sendContinueIfExpected, .readBody], times: 1)
}
