internal import Synchronization

/// Calls the closures and the delegate of one operation, in order, on one actor.
final class LifecycleDelivery<Progressed: Sendable, Value: Sendable, Failure: Error>: Sendable {
    typealias Callbacks = LifecycleCallbacks<Progressed, Value, Failure>
    typealias Event = LifecycleEvent<Progressed, Value, Failure>

    private let listeners: Mutex<[Callbacks]>
    private let events = EventBuffer<Event>(kind: { $0.isProgress ? 0 : nil }, isEssential: { !$0.isProgress })
    private let delivered: Mutex<Task<Void, Never>?> = Mutex(nil)

    /// Creates a delivery.
    ///
    /// - Parameters:
    ///   - listeners: The closures, and those that call the delegate; at each stage, in this order.
    ///   - actor: The actor on which they are called.
    init(_ listeners: [Callbacks], on actor: any Actor) {
        self.listeners = Mutex(listeners)
        let stream = events.stream()
        let task = Task { await deliver(stream, on: actor) }
        delivered.withLock { $0 = task }
    }

    /// Adds an event; returns at once.
    func report(_ event: Event) {
        events.yield(event)
    }

    /// Reports the end, waits until everything that was reported is delivered, and releases the closures.
    func end(_ result: Result<Value, Failure>) async {
        switch result {
        case .success(let value): report(.succeeded(value))
        case .failure(let error): report(.failed(error))
        }
        events.finish()
        await delivered.withLock { $0.take() }?.value
    }

    private func deliver(_ events: AsyncStream<Event>, on actor: isolated any Actor) async {
        for await event in events { deliver(event) }
        listeners.withLock { $0 = [] }
    }

    private func deliver(_ event: Event) {
        // Called outside the lock: a callback may cancel or start something.
        let listeners = listeners.withLock { $0 }
        switch event {
        case .willStart: for listener in listeners { listener.willStart?() }
        case .willSuspend: for listener in listeners { listener.willSuspend?() }
        case .didSuspend: for listener in listeners { listener.didSuspend?() }
        case .progressed(let step): for listener in listeners { listener.progress?(step) }
        case .succeeded(let value): stop(listeners) { $0.success?(value) }
        case .failed(let error): stop(listeners) { $0.failure?(error) }
        }
    }

    private func stop(_ listeners: [Callbacks], result: (Callbacks) -> Void) {
        for listener in listeners { listener.willStop?() }
        for listener in listeners { result(listener) }
        for listener in listeners { listener.didStop?() }
    }
}

/// The default actor of callbacks; it calls those of all calls of a client one after another.
actor CallbackQueue {}

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
}

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
