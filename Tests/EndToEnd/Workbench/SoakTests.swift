import Foundation
import Support
import Testing

/// The workbench under random input for some steps, or as long as `make soak` says.
///
/// `SORTIE_SOAK` is the number of minutes, and `SORTIE_SOAK_SEED` the seed. The steps of a seed are the same in each run, but not the moments at which
/// responses arrive.
@Suite(.serialized) struct SoakTests {
    private static var randomSeed: UInt64 {
        let seed = UInt64.random(in: 0..<1_000_000)
        return seed
    }

    @Test func `random input, changes and kills leave no crash, lost draft, leak or busy loop, and the terminal is restored`() async throws {
        let environment = ProcessInfo.processInfo.environment
        let minutes = environment["SORTIE_SOAK"].flatMap { Double($0) }
        let seed = environment["SORTIE_SOAK_SEED"].flatMap { UInt64($0) } ?? (minutes == nil ? 1 : Self.randomSeed)
        let end = minutes.map { ContinuousClock.now + .seconds($0 * 60) }
        var soak = try await Soak(seed: seed)
        do {
            try await soak.run(until: end, life: minutes == nil ? 40 : 5000, work: minutes == nil ? 15 : 250)
        } catch {
            Issue.record("SORTIE_SOAK_SEED=\(seed): \(error)\n\(soak.steps.suffix(100).joined(separator: "\n"))\n\(soak.screen)")
        }
        if minutes != nil { print("SoakTests, seed \(seed):\n\(soak.summary.joined(separator: "\n"))") }
    }
}
