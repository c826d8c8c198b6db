/// What one call adds to the configuration of its service.
struct CallAdditions: Sendable {
    /// The plugins after those of the client and the service.
    var plugins: [any Plugin] = []
    /// The encryptor in place of that of the service; nil for that of the service.
    var encryptor: (any BodyEncryptor)?
}
