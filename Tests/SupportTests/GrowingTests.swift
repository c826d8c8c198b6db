import Support
import Testing

@Suite struct GrowingTests {
    @Test func `the limit is multiplied by four until a round returns a value`() async throws {
        let limits = Watched<[Duration]>([])
        let value = try await growing(from: .milliseconds(10)) { limit -> Int? in
            limits.change { limits in
                limits.append(limit)
                return limits.count == 3 ? 7 : nil
            }
        }
        #expect(value == 7)
        #expect(limits.current == [.milliseconds(10), .milliseconds(40), .milliseconds(160)])
    }

    @Test func `six rounds without a value are an error`() async throws {
        let rounds = Watched(0)
        let error = await #expect(throws: DeadlineExceeded.self) {
            try await growing(from: .milliseconds(1)) { _ -> Int? in
                rounds.change { $0 += 1 }
                return nil
            }
        }
        #expect(error?.limit == .milliseconds(1024))
        #expect(rounds.current == 6)
    }

    @Test func `the error of a round ends it`() async throws {
        struct Broken: Error {}
        let rounds = Watched(0)
        await #expect(throws: Broken.self) {
            try await growing(from: .milliseconds(1)) { _ -> Int? in
                rounds.change { $0 += 1 }
                throw Broken()
            }
        }
        #expect(rounds.current == 1)
    }
}
