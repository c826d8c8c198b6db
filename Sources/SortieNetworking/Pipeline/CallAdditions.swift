/// What one call adds to the configuration of its service (S1.42, S4.3, S4.17).
struct CallAdditions: Sendable {
    /// The plugins after those of the client and the service.
    var plugins: [any Plugin] = []
    /// The encryptor in place of that of the service; nil for that of the service.
    var encryptor: (any BodyEncryptor)?
}
