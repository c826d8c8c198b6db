public import Model

/// What happens during a run that the workbench started; ``finished(_:)`` or ``failedToStart(_:)`` ends it.
public enum RunUpdate: Hashable, Sendable {
    /// It begins; steps that are done already are so in the record.
    case began(RunRecord)
    /// A step is further than it was.
    case step(Int, StepRecord)
    /// Bytes went or came for a step.
    case progressed(Int, Progress)
    /// What a step sent and got.
    case exchanged(Int, Exchange)
    /// The end.
    case finished(RunRecord)
    /// It could not begin: a file stands in its way.
    case failedToStart(String)
}

/// The identity of one start of a run; every answer about it carries it.
public struct RunID: Hashable, Sendable, CustomStringConvertible {
    /// Counts up from 1.
    public let number: Int

    /// An identity; ``AppState`` makes them.
    public init(_ number: Int) {
        self.number = number
    }

    /// `run 7`, for messages about a mistake in the program.
    public var description: String { "run \(number)" }
}
