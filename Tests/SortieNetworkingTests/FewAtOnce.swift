import Testing

/// Limits the number of concurrent tests: each has its own servers and connections, and all share one engine, whose pool of idle connections a
/// hundred concurrent tests would overflow.
struct FewAtOnce: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func provideScope(for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void) async throws {
        // The trait is applied to a suite before its tests; only tests count.
        guard testCase != nil else { return try await function() }
        await Places.shared.take()
        do {
            try await function()
        } catch {
            await Places.shared.giveBack()
            throw error
        }
        await Places.shared.giveBack()
    }
}

/// The slots of ``FewAtOnce``, assigned in the order of the requests.
private actor Places {
    static let shared = Places()

    private var free = 6
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func take() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    func giveBack() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}

extension Trait where Self == FewAtOnce {
    /// Runs only a few tests at the same time.
    static var fewAtOnce: FewAtOnce { FewAtOnce() }
}
