/// A function of exported Swift that sends a request.
struct SwiftStep {
    var function: String
    /// The name of the step or of the endpoint.
    var title: String
    var request: SwiftRequest
    /// What the function does not express.
    var notes: [String]

    /// Whether the request has values that are known when the program runs.
    var usesValues: Bool { request.lines.contains { $0.contains("value(\"") } }
}
