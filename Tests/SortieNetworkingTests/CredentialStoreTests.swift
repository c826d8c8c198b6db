import Support
import Testing

@testable import SortieNetworking

struct CredentialStoreTests {
    let clock = TestClock()
    let sign = RefreshSign()

    @Test func `an unexpired credential is returned immediately`() async throws {
        let store = store(token: Credential.Token("t1", expiresIn: .seconds(60)))
        #expect(try await store.credential().token == "t1")
        #expect(sign.starts == 0)
    }

    @Test func `one refresh runs for a hundred rejected requests, and all get its result`() async throws {
        let store = store(token: Credential.Token("t0"))
        let version = try await store.credential().version
        let tokens = try await withDeadline(.seconds(300)) { [sign] in
            try await withThrowingTaskGroup(of: Credential.self) { group in
                for _ in 0..<100 { group.addTask { try await store.refresh(after: version) } }
                group.addTask {
                    try await sign.waitForStart()
                    // Opened while the others wait.
                    sign.gate.open()
                    return try await store.refresh(after: version)
                }
                return try await group.reduce(into: Set<Credential>()) { $0.insert($1) }
            }
        }
        #expect(tokens.map(\.token) == ["t1"])
        #expect(sign.starts == 1)
    }

    @Test func `a request that used an older version gets the current one`() async throws {
        let store = store(token: Credential.Token("t0"))
        sign.gate.open()
        let old = try await store.credential()
        let new = try await store.refresh(after: old.version)
        #expect(new.version > old.version)
        #expect(try await store.refresh(after: old.version) == new)
        #expect(sign.starts == 1)
    }

    @Test func `an expired or soon expiring credential is refreshed before it is used`() async throws {
        let store = store(token: Credential.Token("t0", expiresIn: .seconds(100)))
        sign.gate.open()
        clock.advance(.seconds(94))
        #expect(try await store.credential().token == "t0")
        clock.advance(.seconds(1))
        #expect(try await store.credential().token == "t1")
        #expect(sign.starts == 1)
    }

    @Test func `requests during a refresh wait for it`() async throws {
        let store = store(token: Credential.Token("t0"))
        let version = try await store.credential().version
        async let refreshed = store.refresh(after: version)
        try await sign.waitForStart()
        async let asked = store.credential()
        sign.gate.open()
        let pair = try await (refreshed.token, asked.token)
        #expect(pair.0 == "t1" && (pair.1 == "t1"))
    }

    @Test func `a cancelled waiter leaves immediately, and the refresh continues for the others`() async throws {
        let store = store(token: Credential.Token("t0"))
        let version = try await store.credential().version
        // The cancelled caller is the one that started the refresh.
        let first = Task { try await store.refresh(after: version) }
        try await sign.waitForStart()
        let second = Task { try await store.refresh(after: version) }
        first.cancel()
        let result = try await withDeadline(.seconds(300)) { await first.result }
        #expect(throws: NetworkError.waitCancelled) { try result.get() }
        sign.gate.open()
        let other = try await withDeadline(.seconds(300)) { try await second.value }
        #expect(other.token == "t1")
        #expect(sign.starts == 1 && sign.cancellations == 0)
    }

    @Test func `an already cancelled task does not start a refresh`() async throws {
        let store = store(token: nil)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await store.credential()
        }
        let result = await task.result
        #expect(throws: NetworkError.waitCancelled) { try result.get() }
        #expect(sign.starts == 0)
    }

    @Test func `a cancellation between the check and the wait is not lost`() async throws {
        let isAsking = Watched(false)
        // The store reads the clock after it has checked for cancellation and before it waits.
        let now: @Sendable () -> ContinuousClock.Instant = { [clock] in
            if isAsking.current { withUnsafeCurrentTask { $0?.cancel() } }
            return clock.now()
        }
        let store = CredentialStore(now: now) { [sign] _ in try await sign.refresh() }
        isAsking.change { $0 = true }
        let asking = Task { try await store.credential() }
        let result = try await withDeadline(.seconds(300)) { await asking.result }
        #expect(throws: NetworkError.waitCancelled) { try result.get() }
        #expect(store.waiterCount == 0)
    }

    @Test func `a rejected refresh is remembered for seconds and reported once`() async throws {
        let store = store(token: Credential.Token("t0"))
        sign.fail(with: NetworkError(.status, "400 invalid_grant for t0"))
        sign.gate.open()
        let version = try await store.credential().version
        for _ in 0..<3 {
            let error = await #expect(throws: NetworkError.self) { try await store.refresh(after: version) }
            #expect(error?.message == "the token could not be refreshed")
            #expect(error?.underlying == "400 invalid_grant for ••••")
        }
        #expect(sign.starts == 1)
        clock.advance(CredentialStore.failureLatch)
        await #expect(throws: NetworkError.self) { try await store.refresh(after: version) }
        #expect(sign.starts == 2)
        #expect(sign.expired.map(\.message) == ["the token could not be refreshed"])
        store.replace(with: Credential.Token("new"))
        #expect(try await store.credential().token == "new")
    }

    @Test func `a request that a person sends refreshes at once, however many refreshes were rejected`() async throws {
        let store = store(token: Credential.Token("t0"))
        sign.fail(with: NetworkError(.status, "401"))
        sign.gate.open()
        let version = try await store.credential().version
        for number in 1...8 {
            await #expect(throws: NetworkError.self) { try await store.refresh(after: version) }
            #expect(sign.starts == number)
            store.forgetFailure()
        }
        sign.fail(with: nil)
        #expect(try await store.refresh(after: version).token == "t9")
    }

    @Test func `a refresh that did not reach the server may be retried shortly after`() async throws {
        let store = store(token: Credential.Token("t0"))
        sign.fail(with: NetworkError(.offline, "no network"))
        sign.gate.open()
        let version = try await store.credential().version
        for _ in 0..<2 {
            let error = await #expect(throws: NetworkError.self) { try await store.refresh(after: version) }
            #expect(error?.code == .offline)
        }
        #expect(sign.starts == 1)
        #expect(sign.expired.isEmpty)
        sign.fail(with: nil)
        clock.advance(CredentialStore.failureLatch)
        #expect(try await store.refresh(after: version).token == "t2")
    }

    @Test func `the sixth refresh within 30 s is excessive, and one is permitted after that`() async throws {
        let store = store(token: Credential.Token("t0"))
        sign.gate.open()
        var version = try await store.credential().version
        for _ in 0..<5 {
            version = try await store.refresh(after: version).version
            clock.advance(.seconds(2))
        }
        let last = version
        for _ in 0..<2 {
            let error = await #expect(throws: NetworkError.self) { try await store.refresh(after: last) }
            #expect(error?.message.hasPrefix("excessive refresh") == true)
            #expect(error?.hint?.hasSuffix("possible in 20 s") == true)
        }
        #expect(sign.starts == 5)
        #expect(sign.expired.count == 1)
        clock.advance(.seconds(20))
        #expect(try await store.refresh(after: last).token == "t6")
    }

    @Test func `invalidate fails the waiters, cancels the refresh and ignores its late result`() async throws {
        let store = store(token: Credential.Token("t0"))
        let version = try await store.credential().version
        let waiting = Task { try await store.refresh(after: version) }
        try await sign.waitForStart()
        store.invalidate()
        let result = try await withDeadline(.seconds(300)) { await waiting.result }
        #expect(throws: NetworkError.credentialInvalidated) { try result.get() }
        sign.gate.open()
        #expect(try await store.credential().token == "t2")
        #expect(store.waiterCount == 0)
    }

    @Test func `a refresh that uses its own store gets an error instead of waiting for itself`() async throws {
        let holder = Watched<CredentialStore?>(nil)
        let store = CredentialStore(now: clock.now) { _ in
            guard let own = holder.current else { return Credential.Token("") }
            return Credential.Token(try await own.credential().token)
        }
        holder.change { $0 = store }
        let asking = Task { try await store.credential() }
        let result = try await withDeadline(.seconds(300)) { await asking.result }
        let error = #expect(throws: NetworkError.self) { try result.get() }
        #expect(error?.underlying?.contains("wait for itself") == true)
    }

    @Test func `no description contains a token`() async throws {
        let store = store(token: Credential.Token("s3cret"))
        let credential = try await store.credential()
        var text = "\(credential) \(String(reflecting: credential)) \(Credential.Token("s3cret"))"
        dump(credential, to: &text)
        dump(Credential.Token("s3cret"), to: &text)
        #expect(!text.contains("s3cret"))
    }

    @Test func `concurrent rejections, cancellations and invalidations leave no waiter behind`() async throws {
        sign.gate.open()
        // The clock advances by half a minute with each reading, so that no refresh counts as excessive.
        let now: @Sendable () -> ContinuousClock.Instant = { [clock] in
            clock.advance(.seconds(31))
            return clock.now()
        }
        let store = CredentialStore(token: Credential.Token("t"), now: now) { _ in Credential.Token("n") }
        try await withDeadline(.seconds(300)) {
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<400 {
                    group.addTask {
                        let task = Task {
                            let used = try await store.credential().version
                            return try await store.refresh(after: used)
                        }
                        if number.isMultiple(of: 3) { task.cancel() }
                        if number.isMultiple(of: 50) { store.invalidate() }
                        _ = await task.result
                    }
                }
            }
        }
        #expect(store.waiterCount == 0)
        #expect(try await store.credential().version > 1)
    }

    private func store(token: Credential.Token?) -> CredentialStore {
        CredentialStore(token: token, now: clock.now, authExpired: { [sign] in sign.note($0) }, refresh: { [sign] _ in try await sign.refresh() })
    }
}
