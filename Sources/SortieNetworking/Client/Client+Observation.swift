public import SortieHTTP

/// Watching a client's traffic, and making its network worse on purpose (S3.3).
extension Client {
    /// Tells of every attempt that ends from now on, with all that went and came; nil ends that.
    ///
    /// The answer's body is a view: it costs no copy, and stays what it is. What was answered from the cache did not pass.
    ///
    /// - Parameter observer: called on whatever thread the call runs; must not wait.
    public func record(with observer: (@Sendable (RecordedHop) -> Void)?) {
        core.recorder.use(observer)
    }

    /// Tells of every call and every download that ends from now on, before whoever waits for it hears of it; nil ends that.
    ///
    /// - Parameter observer: called on whatever thread the call runs; must not wait.
    public func keep(with observer: (@Sendable (FinishedCall) -> Void)?) {
        core.keeper.use(observer)
    }

    /// Makes the network of services worse for attempts that begin from now on; an empty table lets it be as it is.
    ///
    /// - Parameter conditions: by the request's service, or by the URL's origin where it has none.
    public func use(conditions: [String: NetworkConditions]) {
        core.conditions.use(conditions)
    }
}
