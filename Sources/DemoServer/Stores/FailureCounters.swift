/// The number of requests per key of `/flaky`.
actor FailureCounters {
    private var failures: [String: Int] = [:]

    /// Counts one request.
    ///
    /// - Returns: The number of the request, from 1, and whether it must fail.
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
