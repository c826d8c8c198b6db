/// What of a run has to survive the process, in the order in which it happens.
public enum RunCheckpoint: Hashable, Sendable {
    /// The run begins; steps that are done already are so in the record.
    case began(RunRecord)
    /// A step is about to be sent whose method is not safe (RFC 9110 §9.2.1): from here on the server may have received it.
    case sending(Int)
    /// A step has come to its end.
    case ended(Int, StepRecord)
    /// The run has come to its end.
    case finished(RunRecord)
}
