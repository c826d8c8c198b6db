internal import CCrypto

/// A hash function of OpenSSL's libcrypto, which is loaded at the first use (about 2.5 ms once).
package enum HashFunction: String, Sendable {
    /// For protocols that require it (RFC 7616, MS-NLMP) and signatures of old services; it protects nothing.
    case md5 = "MD5"
    /// For protocols that require it (RFC 6455); it protects nothing.
    case sha1 = "SHA1"
    case sha256 = "SHA2-256"
    case sha384 = "SHA2-384"
    case sha512 = "SHA2-512"

    /// The digest of bytes.
    package func digest(of bytes: some Sequence<UInt8>) -> [UInt8] {
        var message = MessageDigest(self)
        message.update(bytes)
        return message.digest
    }

    /// The digest of the UTF-8 form of a text.
    package func digest(of text: String) -> [UInt8] { digest(of: text.utf8) }

    /// The message authentication code of bytes (HMAC, RFC 2104).
    package func authenticationCode(of bytes: some Sequence<UInt8>, key: some Sequence<UInt8>) -> [UInt8] {
        let (bytes, key) = (Array(bytes), Array(key))
        return Self.result(of: self) { ccrypto_hmac(rawValue, key, key.count, bytes, bytes.count, $0) }
    }

    /// The bytes that a function of libcrypto writes.
    fileprivate static func result(of function: HashFunction, _ write: (UnsafeMutablePointer<UInt8>) -> Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: ccrypto_largest_digest) { buffer, count in
            count = buffer.baseAddress.map(write) ?? 0
            guard count > 0 else { function.fail() }
        }
    }

    /// Ends the program: libcrypto lacks the function or is configured to refuse it, and a result without it would be wrong.
    fileprivate func fail() -> Never {
        preconditionFailure("libcrypto does not provide \(rawValue); its configuration (openssl.cnf) must permit it")
    }
}

/// A digest of bytes that arrive in pieces.
package struct MessageDigest: Sendable {
    /// The context of libcrypto, which is changed only while one value refers to it.
    private final class Context: @unchecked Sendable {
        let pointer: OpaquePointer

        init(_ pointer: OpaquePointer) { self.pointer = pointer }

        deinit { ccrypto_digest_free(pointer) }
    }

    private let function: HashFunction
    private var context: Context

    /// Creates the digest of no bytes.
    package init(_ function: HashFunction) {
        guard let pointer = ccrypto_digest_create(function.rawValue) else { function.fail() }
        self.function = function
        context = Context(pointer)
    }

    /// Adds bytes.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty else { return }
        if !isKnownUniquelyReferenced(&context) { context = copy() }
        guard ccrypto_digest_update(context.pointer, bytes.baseAddress, bytes.count) else { function.fail() }
    }

    /// Adds bytes.
    package mutating func update(_ bytes: some Sequence<UInt8>) {
        let isContiguous: Void? = bytes.withContiguousStorageIfAvailable { update(UnsafeRawBufferPointer($0)) }
        if isContiguous == nil { Array(bytes).withUnsafeBytes { update($0) } }
    }

    /// The digest of the bytes so far; more can be added.
    package var digest: [UInt8] {
        let copy = copy()
        return withExtendedLifetime(copy) { HashFunction.result(of: function) { ccrypto_digest_finish(copy.pointer, $0) } }
    }

    private func copy() -> Context {
        guard let pointer = ccrypto_digest_copy(context.pointer) else { function.fail() }
        return Context(pointer)
    }
}
