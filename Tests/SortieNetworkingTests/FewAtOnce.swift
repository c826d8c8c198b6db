import Testing

/// Lets a few tests of these suites run at once: each has servers and connections of its own, and all share one engine, whose pool of idle
/// connections a hundred tests at once would overflow.
struct FewAtOnce: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func provideScope(for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void) async throws {
        // A suite is entered before its tests; only these count.
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

/// The places of ``FewAtOnce``, given in the order asked for.
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
    /// Runs only a few tests at once.
    static var fewAtOnce: FewAtOnce { FewAtOnce() }
}
