internal import SortieHTTP
internal import Synchronization

/// The simulated network conditions by service.
///
/// This type alone decides which attempts they affect.
///
/// Without conditions an attempt costs one atomic load.
final class ConditionsTable: Sendable {
    /// A random number source: from 0 to 1, excluding 1.
    typealias Chance = @Sendable () -> Double

    private let isOn = Atomic<Bool>(false)
    private let table = Mutex<[String: NetworkConditions]>([:])
    private let chance: Chance

    init(chance: @escaping Chance = { Double.random(in: 0..<1) }) {
        self.chance = chance
    }

    /// Replaces the table.
    ///
    /// Conditions without any effect are omitted.
    func use(_ conditions: [String: NetworkConditions]) {
        let conditions = conditions.filter { !$0.value.isPlain }
        table.withLock { $0 = conditions }
        isOn.store(!conditions.isEmpty, ordering: .relaxed)
    }

    /// The conditions for an attempt of a request; nil where none apply.
    func conditions(for request: Request) -> NetworkConditions? {
        guard isOn.load(ordering: .relaxed) else { return nil }
        return table.withLock { $0[request.service ?? request.url.origin] }
    }

    /// Whether an attempt is to fail, drawn at random.
    func hits(_ conditions: NetworkConditions) -> Bool {
        conditions.failureShare > 0 && chance() < conditions.failureShare
    }
}
