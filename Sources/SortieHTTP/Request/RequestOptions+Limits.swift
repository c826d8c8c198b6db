extension RequestOptions {
    /// Lowers ``maximumBodyBytes`` for a response that is read as a whole.
    package mutating func limitBody(to bytes: Int64) { maximumBodyBytes = min(maximumBodyBytes ?? .max, bytes) }
}
