/// An event of a run that is stored, in the order of occurrence, so that the run can be continued by another process.
package enum RunCheckpoint: Hashable, Sendable {
    /// The run begins; steps that are already done have that state in the record.
    case began(RunRecord)
    /// A step with an unsafe method (RFC 9110 §9.2.1) is about to be sent; from now on the server may have received it.
    case sending(Int)
    /// Steps were added, before the first of them is sent.
    case expanded(RunExpansion)
    /// A step has ended.
    case ended(Int, StepRecord)
    /// The run has ended.
    case finished(RunRecord)
}
