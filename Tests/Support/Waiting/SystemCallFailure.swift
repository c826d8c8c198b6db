import Glibc

/// The error for a failed system call that a test depends on.
public struct SystemCallFailure: Error, CustomStringConvertible {
    /// The name of the call, with its arguments where useful.
    public let call: String
    /// The value of `errno`.
    public let code: Int32

    init(_ call: String, _ code: Int32 = errno) {
        self.call = call
        self.code = code
    }

    /// The call, and the system's message for the code.
    public var description: String { "\(call) failed: \(String(cString: strerror(code)))" }
}

/// Throws when the result of a call is -1; otherwise returns it.
@discardableResult
func checked<Answer: SignedInteger>(_ answer: Answer, _ call: @autoclosure () -> String) throws -> Answer {
    if answer == -1 {
        let code = errno
        throw SystemCallFailure(call(), code)
    }
    return answer
}
