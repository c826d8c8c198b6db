/// The identity of one send; every answer about it carries it.
public struct CallID: Hashable, Sendable, CustomStringConvertible {
    /// Counts up from 1.
    public let number: Int

    /// An identity; ``AppState`` makes them.
    public init(_ number: Int) {
        self.number = number
    }

    /// `call 7`, for messages about a mistake in the program.
    public var description: String { "call \(number)" }
}

/// The identity of one piece of work beside sending: a save, an edit, a copy, a search.
public struct JobID: Hashable, Sendable, CustomStringConvertible {
    /// Counts up from 1.
    public let number: Int

    /// An identity; ``AppState`` makes them.
    public init(_ number: Int) {
        self.number = number
    }

    /// `job 7`, for messages about a mistake in the program.
    public var description: String { "job \(number)" }
}
