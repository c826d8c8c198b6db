/// An event of one run of a chain; numbers are the positions of steps.
///
/// Events are in order, and exactly one ``finished(_:)`` is the last.
public enum ChainEvent<Value: Sendable>: Sendable {
    /// The run starts at this step.
    case started(Int)
    /// A step starts.
    case stepStarted(Int)
    /// A step has ended with a value.
    case stepEnded(Int, Value)
    /// The end of the run, with the state of the chain.
    case finished(Chain<Value>.State)
}
