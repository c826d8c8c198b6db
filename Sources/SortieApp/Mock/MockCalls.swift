internal import Synchronization
internal import WorkspaceModel

/// Counts the requests that endpoints and examples of `sortie mock` get.
final class MockCalls: Sendable {
    /// By target and name of the example, which is empty for another response.
    private let counts = Mutex<[String: [String: Int]]>([:])

    /// Counts a request that gets another response than an example.
    func note(_ target: String) { counts.withLock { $0[target, default: [:]]["", default: 0] += 1 } }

    /// Chooses an example by how many requests each one got, and counts it.
    func example(
        of target: String, _ choose: ([String: Int]) -> (example: EndpointExample, status: Int)?
    ) -> (example: EndpointExample, status: Int)? {
        counts.withLock { counts in
            let chosen = choose(counts[target] ?? [:])
            if let chosen { counts[target, default: [:]][chosen.example.name, default: 0] += 1 }
            return chosen
        }
    }

    /// An expected call, and how often it came.
    struct Expected {
        let target: String
        /// The example; nil for any response of the endpoint.
        let example: String?
        let wanted: Int
        let count: Int

        var isMissing: Bool { count < wanted }
        var text: String { "\(isMissing ? "missing" : "came") \(target)\(example.map { " " + $0 } ?? "") \(count) of \(wanted)" }
    }

    /// The expected calls: each example that is served a number of times, and a request of every endpoint without such examples.
    func expected(by routes: [MockRoute]) -> [Expected] {
        let counts = counts.withLock { $0 }
        return routes.filter { !$0.isOnlyDescribed }.flatMap { route -> [Expected] in
            let (target, own) = (route.endpoint.target, counts[route.endpoint.target] ?? [:])
            let limited = route.endpoint.examples.compactMap { example in
                example.times.map { Expected(target: target, example: example.name, wanted: $0, count: own[example.name] ?? 0) }
            }
            return limited.isEmpty ? [Expected(target: target, example: nil, wanted: 1, count: own.values.reduce(0, +))] : limited
        }
    }
}
