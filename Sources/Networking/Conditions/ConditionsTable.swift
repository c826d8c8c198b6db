internal import Model
internal import Synchronization

/// How the network is made worse on purpose, by service; the one place that decides which attempt it hits.
///
/// Without any an attempt costs one look at a flag.
final class ConditionsTable: Sendable {
    /// Where chance comes from: a number from 0 to 1, 1 left out.
    typealias Chance = @Sendable () -> Double

    private let isOn = Atomic<Bool>(false)
    private let table = Mutex<[String: NetworkConditions]>([:])
    private let chance: Chance

    init(chance: @escaping Chance = { Double.random(in: 0..<1) }) {
        self.chance = chance
    }

    /// Replaces the table; conditions that change nothing are left out.
    func use(_ conditions: [String: NetworkConditions]) {
        let conditions = conditions.filter { !$0.value.isPlain }
        table.withLock { $0 = conditions }
        isOn.store(!conditions.isEmpty, ordering: .relaxed)
    }

    /// What hits an attempt of a request; nil where the network is as it is.
    func conditions(for request: Request) -> NetworkConditions? {
        guard isOn.load(ordering: .relaxed) else { return nil }
        return table.withLock { $0[request.service ?? request.url.origin] }
    }

    /// Whether an attempt is one of those that fail.
    func hits(_ conditions: NetworkConditions) -> Bool {
        conditions.failureShare > 0 && chance() < conditions.failureShare
    }
}
