import Glibc
import Support

/// Work at the end of the test process, because static values are never released and their folders must be removed.
enum AtExit {
    private static let works = Watched<[@Sendable () -> Void]>([])

    /// Runs `work` when the process exits.
    static func run(_ work: @escaping @Sendable () -> Void) {
        works.change { works in
            if works.isEmpty { atexit { for work in AtExit.works.current { work() } } }
            works.append(work)
        }
    }
}

/// A value that all tests share, created on first use and released when the test process exits.
final class Shared<Value: Sendable>: Sendable {
    private let making: @Sendable () async throws -> Value
    private let task = Watched<Task<Value, any Error>?>(nil)

    init(_ making: @escaping @Sendable () async throws -> Value) { self.making = making }

    var value: Value {
        get async throws {
            let task = task.change { [making, task] current in
                if current == nil {
                    current = Task { try await making() }
                    AtExit.run { task.change { $0 = nil } }
                }
                return current
            }
            guard let task else { throw CancellationError() }
            return try await task.value
        }
    }
}
