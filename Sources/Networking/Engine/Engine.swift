/// The engine: one thread that owns every `CURL *` of the process.
///
/// It is a global actor whose executor is the ``EventLoop``. Only what drives libcurl is isolated to it: the road of a call runs on the caller's task
/// and leaves orders here. Channels and clients are logical; libcurl, OpenSSL and their pools want one owner (`engine.md` §4.8).
@globalActor
actor Engine {
    static let shared = Engine()

    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private init() {
        loop = EventLoop()
        loop.start(driver: EngineDriver())
    }

    /// Leaves an order for the engine's thread, in the order of the calls, without a task of its own.
    nonisolated static func post(_ order: @escaping @Engine @Sendable () -> Void) {
        shared.loop.post { assumeIsolated(order) }
    }

    /// Runs `operation` on the engine's thread without a hop, where the caller knows it is there: in the loop's own pass.
    nonisolated static func assumeIsolated<Value>(_ operation: @Engine () throws -> Value) rethrows -> Value {
        shared.preconditionIsolated()
        // The isolation that the type asks for has just been checked; there is no other way to say so for a global actor of one's own.
        return try withoutActuallyEscaping(operation) { operation in
            try unsafeBitCast(operation, to: (() throws -> Value).self)()
        }
    }
}
