internal import SortieHTTP

/// One step of the path of a request: it sends the request through the step after it, once or several times.
///
/// Every attempt is appended to the exchange by the last step. A failure and a cancellation are thrown through all steps; a step that has a remedy
/// catches the error. Each step is generic over the next one, so the compiler specializes the whole path and needs no existential values.
protocol RequestStep: Sendable {
    /// Sends `routed`; afterwards `exchange` has the response and the attempts.
    ///
    /// - Throws: The error that no step could remedy.
    func send(_ routed: RoutedRequest, _ exchange: inout Exchange) async throws(NetworkError)
}
