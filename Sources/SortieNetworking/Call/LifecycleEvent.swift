/// A stage of an operation, as ``LifecycleCallbacks`` report it.
enum LifecycleEvent<Progressed: Sendable, Value: Sendable, Failure: Error>: Sendable {
    case willStart
    case willSuspend
    case didSuspend
    case progressed(Progressed)
    case succeeded(Value)
    case failed(Failure)

    /// Whether only the latest of these events matters.
    var isProgress: Bool {
        if case .progressed = self { true } else { false }
    }
}
