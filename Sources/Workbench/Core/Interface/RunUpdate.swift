package import SortieHTTP
package import WorkspaceModel

/// An event of a run; ``finished(_:)``, ``failedToStart(_:)`` or ``cancelledBeforeStart`` is the last.
package enum RunUpdate: Hashable, Sendable {
    /// The run started; the record includes the steps that are already done.
    case began(RunRecord)
    /// A step changed.
    case step(Int, StepRecord)
    /// Steps were added; the indices of later steps change.
    case expanded(RunExpansion)
    /// The progress of a step's body.
    case progressed(Int, CallProgress)
    /// The exchange of a step.
    case exchanged(Int, Exchange)
    /// No further step is sent until the run is continued, with false.
    case paused(Bool)
    /// The run ended.
    case finished(RunRecord)
    /// The run was not started, because a file is invalid.
    case failedToStart(String)
    /// The run waited for its start in other environments, and was cancelled or followed a cancelled one.
    case cancelledBeforeStart
}

/// Identifies a start of a run and all its events.
package struct RunID: Hashable, Sendable, CustomStringConvertible {
    /// The number, starting at 1.
    package let number: Int

    /// Creates an ID.
    ///
    /// Only ``AppState`` creates them.
    package init(_ number: Int) {
        self.number = number
    }

    /// A text such as `run 7`, for messages about a programming error.
    package var description: String { "run \(number)" }
}

/// The start of a run in one environment.
package struct RunStart: Hashable, Sendable {
    /// The identity of its events.
    package var id: RunID
    /// The name of the environment; nil in a workspace without environments.
    package var environment: String?
    /// The record to continue from, with the steps to be sent again reset; nil for a new run.
    package var from: RunRecord?

    /// Creates a start.
    package init(_ id: RunID, environment: String?, from: RunRecord? = nil) {
        self.id = id
        self.environment = environment
        self.from = from
    }
}
