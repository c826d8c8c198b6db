internal import SortieBase
internal import SortieHTTP

/// The encryption of a file while it is sent: a nonce, the ciphertext and the tag, as of a body in memory.
///
/// Each run over the file gives the same bytes, so that an attempt can be repeated and signed; a file that changes meanwhile ends the call. Where a
/// change cannot be detected, a further run has another nonce (``withNewNonce``).
struct FileCipher: Sendable {
    /// The number of bytes that the encryption adds.
    static let addedBytes = Int64(AESGCM.nonceSize + AESGCM.tagSize)

    private let cipher: AESGCM
    private let nonce = AESGCM.randomNonce()

    init(_ cipher: AESGCM) {
        self.cipher = cipher
    }

    /// The same encryption with another nonce, because two contents with one nonce would reveal the key of the authentication.
    var withNewNonce: FileCipher { FileCipher(cipher) }

    /// A run over the file from its first byte.
    ///
    /// Confined to the reader of the file.
    struct Run {
        private let cipher: FileCipher
        private var sealing: AESGCM.Sealing?
        /// The encrypted bytes that are not read yet.
        private var pending: ArraySlice<UInt8> = []
        /// The number of encrypted bytes that were read.
        private(set) var offset: Int64 = 0
        /// The number of bytes of the file that were encrypted.
        private(set) var plainOffset: Int64 = 0
        private var isEnded = false

        init(_ cipher: FileCipher) {
            self.cipher = cipher
            sealing = cipher.cipher.beginSealing(nonce: cipher.nonce)
            pending = cipher.nonce[...]
        }

        /// Whether bytes of the file are needed.
        var needsBytes: Bool { pending.isEmpty && !isEnded }

        /// Encrypts the next bytes of the file.
        mutating func add(_ bytes: UnsafeRawBufferPointer) throws(NetworkError) {
            guard let encrypted = sealing?.encrypt(bytes) else { throw .notSealed }
            plainOffset += Int64(bytes.count)
            pending = encrypted[...]
        }

        /// Adds the tag after the last byte of the file.
        mutating func end() throws(NetworkError) {
            guard let tag = sealing?.end() else { throw .notSealed }
            isEnded = true
            pending = tag[...]
        }

        /// Copies encrypted bytes, and returns their number; 0 at the end.
        mutating func take(into buffer: UnsafeMutableRawBufferPointer) -> Int {
            let count = min(buffer.count, pending.count)
            buffer.copyBytes(from: pending.prefix(count))
            pending = pending.dropFirst(count)
            offset += Int64(count)
            return count
        }
    }
}

extension NetworkError {
    static let notSealed = NetworkError(.internalFailure, "the file could not be encrypted")
}
