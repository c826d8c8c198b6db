/// What came of one member of a batch.
public enum BatchOutcome<Value: Sendable>: Sendable {
    /// It ended well.
    case succeeded(Value)
    /// It failed by itself.
    case failed(any Error)
    /// It was under way when the batch stopped.
    case cancelled
    /// The batch stopped before its turn.
    case skipped

    /// The value of a success.
    public var value: Value? {
        if case .succeeded(let value) = self { return value }
        return nil
    }

    /// The error of a failure.
    public var error: (any Error)? {
        if case .failed(let error) = self { return error }
        return nil
    }
}

/// What came of a batch: of every member, in the order they were added.
public struct BatchResult<Value: Sendable>: Sendable {
    /// Of every member, in the order they were added.
    public let outcomes: [BatchOutcome<Value>]
    /// The index of the member that failed first in time; nil when none did.
    public let firstFailure: Int?
    /// Whether it was cancelled from outside.
    public let isCancelled: Bool

    /// The values of the members that succeeded, in order.
    public var values: [Value] { outcomes.compactMap(\.value) }

    /// Whether every member succeeded; so did those of an empty batch.
    public var isSuccess: Bool { outcomes.allSatisfy { $0.value != nil } }
}

/// Why a batch cannot do what it is asked for.
public enum BatchError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It was started before; add members first, and make a new batch for another run.
    case alreadyStarted
    /// As a member of another batch it did not succeed: so many of its members failed.
    case membersFailed(Int)

    /// The text as a person reads it.
    public var description: String {
        switch self {
        case .alreadyStarted: "the batch has started already; add all members first, and make a new one for another run"
        case .membersFailed(let count): "\(count) of the batch's members did not succeed"
        }
    }
}
