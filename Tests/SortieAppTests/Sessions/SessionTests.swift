import Dispatch
import Foundation
import SortieNetworking
import Support
import Synchronization
import Testing

/// Random sessions of the workbench with files, in the program and in a model.
///
/// `SORTIE_SESSION=SEED` runs one session, and a failing session prints its seed and its steps.
@Suite struct SessionTests {
    private static let count: UInt64 = LongRun.isRequested ? 200 : 40
    private static let steps = 14

    @Test func `random sessions end in the files and drafts that a model predicts, and PyYAML reads the same values`() async throws {
        let only = ProcessInfo.processInfo.environment["SORTIE_SESSION"].flatMap { UInt64($0) }
        let seeds = only.map { [$0] } ?? Array(0..<Self.count)
        let results = await Self.run(seeds)
        for (seed, result) in zip(seeds, results) {
            if let failure = result.failure {
                Issue.record("session \(seed), SORTIE_SESSION=\(seed) repeats it: \(failure)\n\(result.steps.joined(separator: "\n"))")
            }
        }
        guard PyYAML.isAvailable else {
            print("SessionTests: PyYAML is missing, so no other parser reads the files; .ci/setup test installs it")
            return
        }
        let records = results.enumerated().flatMap { session, result in result.records.map { (session: session, record: $0) } }
        for (index, problem) in try await PyYAML.problems(of: records.map(\.record.json)) {
            let (session, record) = records[index]
            Issue.record("session \(seeds[session]), \(record.file): \(problem)\n\(results[session].steps.joined(separator: "\n"))")
        }
    }

    private struct Result: Sendable {
        var steps: [String] = []
        var failure: String?
        var records: [SessionRecord] = []
        /// Retains the folder until the files are read.
        var session: Session?
    }

    /// Runs the sessions on separate threads, because they wait for effects.
    private static func run(_ seeds: [UInt64]) async -> [Result] {
        let results = Mutex([Result](repeating: Result(), count: seeds.count))
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                let client = Client()
                DispatchQueue.concurrentPerform(iterations: seeds.count) { index in
                    let result = run(seeds[index], client)
                    results.withLock { $0[index] = result }
                }
                continuation.resume()
            }
        }
        return results.withLock { $0 }
    }

    private static func run(_ seed: UInt64, _ client: Client) -> Result {
        var result = Result()
        do {
            var session = try Session(seed: seed, client: client)
            defer {
                result.steps = session.steps
                result.session = session
            }
            try session.run(steps: steps)
            result.records = try session.end()
        } catch let difference as Session.Difference {
            result.failure = difference.text
        } catch {
            result.failure = "\(error)"
        }
        return result
    }
}
