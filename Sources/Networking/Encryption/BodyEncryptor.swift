public import Model

/// Encrypts what is sent and decrypts what comes back, the bodies of errors included (S4.9).
///
/// A body travels with its declared type: what encrypts says what the bytes are now, what decrypts says what they were.
public protocol BodyEncryptor: Sendable {
    /// Whether a body of this `Content-Type` is one that ``decrypt(_:contentType:)`` opens.
    ///
    /// An answer of another type, a proxy's error page for example, did not come from the encrypting server and is shown as it is.
    func isEncrypted(_ contentType: String?) -> Bool

    /// The bytes to send instead of `body`, and their type.
    ///
    /// - Throws: a ``NetworkError``; its message never holds the key or the body.
    func encrypt(_ body: [UInt8], contentType: String?) throws(NetworkError) -> (bytes: [UInt8], contentType: String?)

    /// The bytes that were encrypted, and their type.
    ///
    /// - Throws: a ``NetworkError`` when they were changed or the key is another; its message never holds the key or the body.
    func decrypt(_ body: [UInt8], contentType: String?) throws(NetworkError) -> (bytes: [UInt8], contentType: String?)
}
