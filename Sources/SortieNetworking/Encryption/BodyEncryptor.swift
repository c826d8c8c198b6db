public import SortieHTTP

/// Encrypts request bodies and decrypts response bodies, including those of error responses.
///
/// A body has a content type: encryption returns that of the encrypted bytes, decryption returns the original one.
public protocol BodyEncryptor: Sendable {
    /// What happens with files in bodies; they are refused by default.
    var files: EncryptedFiles { get }

    /// Whether ``decrypt(_:contentType:)`` applies to a body of this `Content-Type`.
    ///
    /// A response of another type, for example the error page of a proxy, is not encrypted and is passed on unchanged.
    func isEncrypted(_ contentType: String?) -> Bool

    /// Encrypts `body`; returns the bytes to send and their content type.
    ///
    /// - Throws: A `NetworkError`; its message never contains the key or the body.
    func encrypt(_ body: [UInt8], contentType: String?) throws(NetworkError) -> (bytes: [UInt8], contentType: String?)

    /// Decrypts `body`; returns the original bytes and their content type.
    ///
    /// - Throws: A `NetworkError` when the bytes were changed or the key is another; its message never contains the key or the body.
    func decrypt(_ body: [UInt8], contentType: String?) throws(NetworkError) -> (bytes: [UInt8], contentType: String?)
}

extension BodyEncryptor {
    /// Refused.
    public var files: EncryptedFiles { .refused }
}
