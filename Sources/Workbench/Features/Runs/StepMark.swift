internal import SortieTerminal
internal import WorkspaceModel

/// The marks of steps and of runs.
enum StepMark {
    /// The mark of the state of a step, one cell wide.
    static func span(of state: StepRecord.State, now: Double) -> Span {
        switch state {
        case .waiting: Span("·", .muted)
        case .sending: Span(Spinner.frame(at: now), .accent)
        case .retrying: Span("↻", .warning)
        case .parked: Span("⏸", .warning)
        case .done: Span("✓", .success)
        case .failed: Span("✗", .error)
        case .skipped, .cancelled: Span("–", .muted)
        case .interrupted: Span("?", .warning)
        }
    }

    /// The mark of a run in an environment, one cell wide.
    static func span(of run: RunView, now: Double) -> Span {
        switch run.phase {
        case .idle, .queued: Span("·", .muted)
        case .notStarted: run.isCancelledBeforeStart ? Span("–", .warning) : Span("✗", .error)
        case .running where run.isPaused: Span("⏸", .warning)
        case .starting, .running, .cancelling: Span(Spinner.frame(at: now), .accent)
        case .ended:
            switch run.record?.state {
            case .finished: Span("✓", .success)
            case .failed: Span("✗", .error)
            default: Span("–", .warning)
            }
        }
    }
}
