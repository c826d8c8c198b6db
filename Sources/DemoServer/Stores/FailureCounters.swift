/// How often each key of `/flaky` has failed already.
actor FailureCounters {
    private var failures: [String: Int] = [:]

    /// Counts one request.
    ///
    /// - Returns: Its number, from 1, and whether it has to fail.
    func next(_ key: String, failing limit: Int) -> (number: Int, fails: Bool) {
        if failures.count > 10_000 { failures = [:] }
        let number = (failures[key] ?? 0) + 1
        failures[key] = number
        return (number, number <= limit)
    }

    func reset() {
        failures = [:]
    }
}
