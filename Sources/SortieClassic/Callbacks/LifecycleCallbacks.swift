internal import Synchronization

/// Closures that report how a call, a download, a batch or a chain proceeds; each is optional.
///
/// They are called one after another, in this order: `willStart`; `progress` any number of times; `willSuspend`, `didSuspend` and, after a
/// suspension, `willStart` again; at the end `willStop`, exactly one of `success` and `failure`, and `didStop`. After `didStop` the closures
/// are released.
public struct LifecycleCallbacks<Progressed: Sendable, Value: Sendable, Failure: Error>: Sendable {
    /// The operation starts, or continues after a suspension.
    public var willStart: (@Sendable () -> Void)?
    /// The operation is about to be suspended.
    public var willSuspend: (@Sendable () -> Void)?
    /// The operation is suspended; there is no progress until it continues.
    public var didSuspend: (@Sendable () -> Void)?
    /// The operation has advanced; coalesced where that happens often.
    public var progress: (@Sendable (Progressed) -> Void)?
    /// The operation has ended; its result follows.
    public var willStop: (@Sendable () -> Void)?
    /// The operation succeeded.
    public var success: (@Sendable (Value) -> Void)?
    /// The operation failed or was cancelled.
    public var failure: (@Sendable (Failure) -> Void)?
    /// The last callback.
    public var didStop: (@Sendable () -> Void)?

    /// No closures.
    public init() {}

    /// One closure for success and failure.
    public init(completion: @escaping @Sendable (Result<Value, Failure>) -> Void) {
        success = { completion(.success($0)) }
        failure = { completion(.failure($0)) }
    }

    /// Calls the closure of a stage; `result` makes the result of what the operation ends with.
    func receive<End>(_ stage: LifecycleStage<Progressed, End>, result: (End) -> Result<Value, Failure>) {
        switch stage {
        case .willStart: willStart?()
        case .willSuspend: willSuspend?()
        case .didSuspend: didSuspend?()
        case .progressed(let step): progress?(step)
        case .willStop: willStop?()
        case .ended(let end):
            switch result(end) {
            case .success(let value): success?(value)
            case .failure(let error): failure?(error)
            }
        case .didStop: didStop?()
        }
    }
}

/// A stage of an operation, as closures and delegates receive it.
enum LifecycleStage<Progressed: Sendable, End: Sendable>: Sendable {
    case willStart
    case willSuspend
    case didSuspend
    case progressed(Progressed)
    case willStop
    case ended(End)
    case didStop

    /// The stages at the end of an operation.
    static func end(_ end: End) -> [LifecycleStage] { [.willStop, .ended(end), .didStop] }
}

/// Calls the closures and the delegate of one operation, in order, on one actor.
final class LifecycleDelivery<Progressed: Sendable, End: Sendable>: Sendable {
    typealias Stage = LifecycleStage<Progressed, End>

    /// Receives each stage; a struct, because a function value that is stored directly in a generic container gains a wrapper with each access.
    struct Listener: Sendable {
        let receive: @Sendable (Stage) -> Void
    }

    private let listeners: Mutex<[Listener]>
    private let actor: any Actor

    /// Creates a delivery.
    ///
    /// - Parameters:
    ///   - listeners: Those that receive each stage, in this order.
    ///   - actor: The actor on which they are called.
    init(_ listeners: [Listener], on actor: any Actor) {
        self.listeners = Mutex(listeners)
        self.actor = actor
    }

    /// Delivers the stages of all events until there are none, and releases the listeners.
    ///
    /// - Parameters:
    ///   - events: The events of the operation; the last one is its end.
    ///   - stages: Returns the stages of an event; its second argument says whether the operation runs.
    func deliver<Event: Sendable>(_ events: AsyncStream<Event>, _ stages: @Sendable (Event, inout Bool) -> [Stage]) async {
        await deliver(events, on: actor, stages)
    }

    private func deliver<Event: Sendable>(
        _ events: AsyncStream<Event>, on actor: isolated any Actor, _ stages: @Sendable (Event, inout Bool) -> [Stage]
    ) async {
        var isRunning = false
        for await event in events {
            for stage in stages(event, &isRunning) {
                // Called outside the lock: a callback may start, suspend or cancel operations.
                for listener in listeners.withLock({ $0 }) { listener.receive(stage) }
            }
        }
        // Released here, because the operation may live longer.
        listeners.withLock { $0 = [] }
    }
}
