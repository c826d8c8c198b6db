/// What an encrypting service does with the files of uploads.
public enum EncryptedFiles: String, Hashable, Sendable, CaseIterable {
    /// A request with a file is not sent.
    case refused
    /// Files are sent as they are; the other parts of a multipart body are encrypted.
    case plain
    /// Files are encrypted while they are sent; `AESGCMEncryptor` can do that.
    case encrypted
}
