internal import FoundationEssentials
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

/// An encryptor with AES-GCM (NIST SP 800-38D) and a random nonce for every body: 12 bytes of nonce, the ciphertext, 16 bytes of tag.
///
/// The content type becomes `application/vnd.sortie.aes-gcm` with the original one in its `type` parameter. The tag does not authenticate this
/// parameter, so an intermediary that can change headers can change it.
public struct AESGCMEncryptor: BodyEncryptor {
    private let cipher: AESGCM
    /// What happens with files in bodies.
    public let files: EncryptedFiles

    /// Creates an encryptor.
    ///
    /// - Parameters:
    ///   - key: 16, 24 or 32 bytes as hexadecimal digits or base64; the prefix `hex:` or `base64:` selects the form.
    ///   - files: What happens with files in bodies.
    /// - Throws: `invalidOption` when the key has neither form, or another length.
    public init(key: String, files: EncryptedFiles = .refused) throws(NetworkError) {
        cipher = try AESKey.read(key)
        self.files = files
    }

    /// The encryption of one file.
    var fileCipher: FileCipher { FileCipher(cipher) }

    /// Whether the content type is `application/vnd.sortie.aes-gcm`.
    public func isEncrypted(_ contentType: String?) -> Bool {
        EncryptedType.matches(contentType)
    }

    /// Encrypts `body`; returns the nonce, the ciphertext and the tag, and the content type.
    ///
    /// - Throws: `internalFailure` when the encryption fails.
    public func encrypt(_ body: [UInt8], contentType: String?) throws(NetworkError) -> (bytes: [UInt8], contentType: String?) {
        try encrypt(body, contentType: contentType, nonce: AESGCM.randomNonce())
    }

    /// Encrypts with a given nonce, for test vectors only: repeating a nonce under the same key reveals the key.
    func encrypt(
        _ body: [UInt8], contentType: String?, nonce: [UInt8]
    ) throws(NetworkError) -> (bytes: [UInt8], contentType: String?) {
        guard let sealed = cipher.seal(body, nonce: nonce) else {
            throw NetworkError(.internalFailure, "the body could not be encrypted")
        }
        return (sealed, EncryptedType.wrapping(contentType))
    }

    /// Checks the tag and decrypts the body.
    ///
    /// - Throws: `badEncoding` when the content type is another, bytes are missing or changed, or the key is another.
    public func decrypt(_ body: [UInt8], contentType: String?) throws(NetworkError) -> (bytes: [UInt8], contentType: String?) {
        guard let contentType, isEncrypted(contentType) else {
            let type = contentType.flatMap { MediaType($0) }.map { "is \($0.essence)" } ?? "has no type"
            throw NetworkError(.badEncoding, "the body \(type), not \(EncryptedType.essence): the server did not encrypt it")
        }
        let frame = AESGCM.nonceSize + AESGCM.tagSize
        guard body.count >= frame else {
            throw NetworkError(
                .badEncoding, "the encrypted body has \(body.count) bytes, but the nonce and the tag alone have \(frame): it is incomplete")
        }
        guard let opened = cipher.open(body) else {
            throw NetworkError(
                .badEncoding, "the encrypted body cannot be decrypted: the server used another key, or the body was changed in transit",
                hint: "compare the service's encryption key with the server's")
        }
        return (opened, EncryptedType.inner(of: contentType))
    }
}

extension AESGCMEncryptor: CustomStringConvertible, CustomReflectable {
    /// The name of the scheme and the length of the key, with the key masked.
    public var description: String { "AES-\(cipher.keyBits)-GCM (••••)" }
    /// No children, so that `dump` does not print the key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Parses keys of 128, 192 or 256 bits.
enum AESKey {
    /// Parses hexadecimal digits or base64, with or without the prefix `hex:` or `base64:`.
    ///
    /// Without a prefix, text that consists of hexadecimal digits and has the length of a key is read as hexadecimal. 32 digits are also the base64
    /// form of 24 bytes, but the base64 form of random bytes looks like that with a probability of 10⁻¹⁵.
    ///
    /// - Throws: `invalidOption` for another form or another length.
    static func read(_ text: String) throws(NetworkError) -> AESGCM {
        let bytes: [UInt8]?
        if text.hasPrefix("hex:") {
            bytes = HexDigits.bytes(text.dropFirst("hex:".count))
        } else if text.hasPrefix("base64:") {
            bytes = base64(String(text.dropFirst("base64:".count)))
        } else if let hex = HexDigits.bytes(text), AESGCM.keySizes.contains(hex.count) {
            bytes = hex
        } else {
            bytes = base64(text) ?? HexDigits.bytes(text)
        }
        guard let bytes else {
            throw NetworkError(.invalidOption, "the encryption key is neither base64 nor hexadecimal digits", hint: hint)
        }
        guard let key = AESGCM(key: bytes) else {
            throw NetworkError(.invalidOption, "the encryption key has \(bytes.count) bytes; AES requires 16, 24 or 32", hint: hint)
        }
        return key
    }

    private static let hint = "create one with: openssl rand -hex 32"

    private static func base64(_ text: String) -> [UInt8]? {
        Data(base64Encoded: text).map { Array($0) }
    }
}
