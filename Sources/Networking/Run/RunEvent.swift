public import Model

/// What happens during a run, in order; exactly one ``finished(_:)`` ends it, cancelled included.
public enum RunEvent: Hashable, Sendable {
    /// A step is further than it was.
    case step(Int, StepRecord)
    /// Something happened in a step's call; its `finished` comes before the step's own end.
    case call(Int, CallEvent)
    /// The end of the run.
    case finished(RunRecord)
}
