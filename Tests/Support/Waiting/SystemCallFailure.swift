import Glibc

/// A system call that failed where a test cannot go on without it.
public struct SystemCallFailure: Error, CustomStringConvertible {
    /// The call's name and, where it helps, what it was called with.
    public let call: String
    /// The value of `errno`.
    public let code: Int32

    init(_ call: String, _ code: Int32 = errno) {
        self.call = call
        self.code = code
    }

    /// The call, and the system's sentence for the number.
    public var description: String { "\(call) failed: \(String(cString: strerror(code)))" }
}

/// Throws when a call answered with -1, returns its answer otherwise.
@discardableResult
func checked<Answer: SignedInteger>(_ answer: Answer, _ call: @autoclosure () -> String) throws -> Answer {
    if answer == -1 {
        let code = errno
        throw SystemCallFailure(call(), code)
    }
    return answer
}
