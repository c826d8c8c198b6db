public import Model

/// Keeps the addresses of names over the end of the program (S3.12).
public protocol AddressKeeper: Sendable {
    /// What was kept; none when nothing was.
    ///
    /// - Throws: when it is there but cannot be read; it is then as if nothing had been kept, and whoever asks first is told.
    func load() throws -> [KeptName]

    /// Keeps these, and only these.
    func keep(_ names: [KeptName]) throws
}
