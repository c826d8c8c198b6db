public import SortieHTTP

/// Observing the exchanges of a client, and simulating network conditions.
extension Client {
    /// Reports every attempt that ends from now on: the exchange up to now, whose last attempt has just ended; nil ends the reports.
    ///
    /// The body of the response is a view, so it is not copied. A response of the cache is not reported.
    ///
    /// - Parameter observer: Called on any thread; must not block.
    public func record(with observer: (@Sendable (Exchange) -> Void)?) {
        core.recorder.use(observer)
    }

    /// Reports every call and every download that ends from now on, before its caller receives the result; nil ends the reports.
    ///
    /// - Parameter observer: Called on any thread; must not block.
    public func keep(with observer: (@Sendable (CompletedCall) -> Void)?) {
        core.archive.use(observer)
    }

    /// Simulates network conditions for attempts that start from now on; an empty table ends that.
    ///
    /// - Parameter conditions: By the request's service, or by the URL's origin where it has none.
    public func use(conditions: [String: NetworkConditions]) {
        core.conditions.use(conditions)
    }
}
