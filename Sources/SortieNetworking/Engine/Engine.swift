internal import Synchronization

/// A global actor whose one thread owns every `CURL *` of the process.
///
/// Its executor is the ``EventLoop``. Only code that drives libcurl is isolated to it: a request runs on the caller's
/// task and posts work here. Channels and clients are logical, because libcurl, OpenSSL and their pools need one
/// owner (`EngineFacts.md` 4.8).
@globalActor
actor Engine {
    static let shared = Engine()
    private static let started = Atomic(false)
    /// Whether the engine has a thread; without one there is nothing to shut down.
    nonisolated static var isStarted: Bool { started.load(ordering: .acquiring) }

    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private init() {
        loop = EventLoop()
        loop.start(driver: EngineDriver())
        Self.started.store(true, ordering: .releasing)
    }

    /// Enqueues work for the engine's thread, in the order of the calls, without creating a task.
    nonisolated static func post(_ order: @escaping @Engine @Sendable () -> Void) {
        shared.loop.post { assumeIsolated(order) }
    }

    /// Runs `operation` synchronously where the caller already runs on the engine's thread, as in a pass of the loop.
    nonisolated static func assumeIsolated<Value>(_ operation: @Engine () throws -> Value) rethrows -> Value {
        shared.preconditionIsolated()
        // The line above checked the isolation that the cast removes. Custom global actors have no `assumeIsolated`.
        return try withoutActuallyEscaping(operation) { operation in
            try unsafeBitCast(operation, to: (() throws -> Value).self)()
        }
    }
}
