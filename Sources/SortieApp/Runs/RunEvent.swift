package import SortieHTTP
package import WorkspaceModel

/// An event of a run, in order; exactly one ``finished(_:)`` ends every run, including a cancelled one.
package enum RunEvent: Hashable, Sendable {
    /// The record of a step changed.
    case step(Int, StepRecord)
    /// Steps were added; the indices of later steps change.
    case expanded(RunExpansion)
    /// An event of a step's request; its `finished` comes before the end of the step.
    case call(Int, CallEvent)
    /// No further step is sent until the run is continued, with false.
    case paused(Bool)
    /// The run ended.
    case finished(RunRecord)
}
