/// The outcome of one member of a batch.
public enum BatchOutcome<Value: Sendable>: Sendable {
    /// The member succeeded.
    case succeeded(Value)
    /// The member failed before the batch stopped.
    case failed(any Error)
    /// The member was running when the batch stopped.
    case cancelled
    /// The batch stopped before the member started.
    case skipped

    /// The value of a success; nil for another outcome.
    public var value: Value? {
        if case .succeeded(let value) = self { return value }
        return nil
    }

    /// The state of a member with this outcome.
    var memberState: MemberState {
        switch self {
        case .succeeded: .succeeded
        case .failed: .failed
        case .cancelled: .cancelled
        case .skipped: .skipped
        }
    }

    /// The error of a failure; nil for another outcome.
    public var error: (any Error)? {
        if case .failed(let error) = self { return error }
        return nil
    }
}

/// The outcomes of all members of a batch.
public struct BatchResult<Value: Sendable>: Sendable {
    /// The outcome of every member, in the order in which they were added.
    public let outcomes: [BatchOutcome<Value>]
    /// The index of the member that failed first in time; nil without a failure.
    public let firstFailure: Int?
    /// Whether the batch was cancelled by its caller.
    public let isCancelled: Bool

    /// The values of the members that succeeded, in order.
    public var values: [Value] { outcomes.compactMap(\.value) }

    /// Whether every member succeeded; true for an empty batch.
    public var isSuccess: Bool { outcomes.allSatisfy { $0.value != nil } }

    /// The first failure, or ``BatchError/cancelled``; nil where every member succeeded.
    public var error: (any Error)? {
        if isSuccess { return nil }
        return firstFailure.flatMap { outcomes[$0].error } ?? BatchError.cancelled
    }
}

/// An error of a batch as a whole.
public enum BatchError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The batch was started before. Add members before the start, and create a new batch for another run.
    case alreadyStarted
    /// The batch was cancelled.
    case cancelled
    /// A nested batch did not succeed; the value is the number of its members that did not.
    case membersFailed(Int)

    /// The message for the user.
    public var description: String {
        switch self {
        case .alreadyStarted: "the batch has already started; add all members before, and create a new batch for another run"
        case .cancelled: "the batch was cancelled"
        case .membersFailed(let count): "\(count) of the batch's members did not succeed"
        }
    }
}

/// The state of a member of a batch, or of a step of a chain.
public enum MemberState: Hashable, Sendable {
    /// Not started.
    case waiting
    /// Running.
    case running
    /// Ended with a value.
    case succeeded
    /// Ended with an error.
    case failed
    /// Stopped while it was running.
    case cancelled
    /// Not started, because the batch stopped before.
    case skipped
}
