internal import CTLS
internal import Foundation
internal import SortieBase
internal import SortieHTTP
internal import Synchronization

/// The certificates and public keys of a pin file, in PEM or DER.
struct PinFile: Hashable {
    /// The pins of all public keys, including those of the certificates.
    private(set) var keys: [String] = []
    /// The digests of the whole certificates.
    private(set) var certificates: [String] = []

    /// The files that were read, for as long as they are unchanged.
    private static let known = Mutex<[String: (stamp: FileStamp, file: PinFile)]>([:])
    private static let mostKnown = 64
    /// The largest file that is read, in bytes.
    private static let largest = 1 << 20

    /// Reads a file.
    ///
    /// - Throws: `fileUnreadable`, and `invalidOption` for a file without a certificate and without a public key; both name the file.
    static func read(_ path: String) async throws(NetworkError) -> PinFile {
        let stamp = try FileStamp(path)
        if let known = known.withLock({ $0[path] }), known.stamp == stamp { return known.file }
        guard stamp.isRegular else { throw .notRegular(path) }
        guard stamp.size <= Int64(largest) else { throw unusable(path) }
        let file = try await BlockingExecutor.shared.run { () throws(NetworkError) in
            do throws(WholeFile.Failure) { return PinFile(Data(try WholeFile.bytes(at: path, limit: largest))) } catch {
                throw NetworkError(error, reading: path)
            }
        }
        guard !file.keys.isEmpty else { throw unusable(path) }
        known.withLock {
            if $0.count >= mostKnown { $0 = [:] }
            $0[path] = (stamp, file)
        }
        return file
    }

    /// The error for a file without pins.
    private static func unusable(_ path: String) -> NetworkError {
        NetworkError(
            .invalidOption, "\(path) contains neither a certificate nor a public key",
            remedy: .pinFile)
    }

    /// Parses the content of a file.
    init(_ content: Data) {
        guard content.contains(pemStart) else {
            add(content)
            return
        }
        content.withUnsafeBytes { buffer in
            guard let bio = BIO_new_mem_buf(buffer.baseAddress, Int32(clamping: buffer.count)) else { return }
            defer { BIO_free(bio) }
            var name: UnsafeMutablePointer<CChar>?
            var header: UnsafeMutablePointer<CChar>?
            var bytes: UnsafeMutablePointer<UInt8>?
            var count = 0
            while PEM_read_bio(bio, &name, &header, &bytes, &count) == 1 {
                if let bytes { add(Data(UnsafeBufferPointer(start: bytes, count: count))) }
                for memory in [UnsafeMutableRawPointer(name), UnsafeMutableRawPointer(header), UnsafeMutableRawPointer(bytes)] { ctls_free(memory) }
            }
            // The end of the file is an error in OpenSSL's queue.
            ERR_clear_error()
        }
    }

    /// Adds a DER certificate or public key; ignores other objects, such as private keys.
    private mutating func add(_ der: Data) {
        defer { ERR_clear_error() }
        der.withUnsafeBytes { buffer in
            var start = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
            if let certificate = d2i_X509(nil, &start, buffer.count) {
                defer { X509_free(certificate) }
                guard let read = X509Reader.certificate(certificate) else { return }
                keys.append(read.pin)
                certificates.append(read.digest)
                return
            }
            start = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
            guard let key = d2i_PUBKEY(nil, &start, buffer.count) else { return }
            EVP_PKEY_free(key)
            keys.append(X509Reader.digest(of: der))
        }
    }
}

/// The start of an object in a PEM file (RFC 7468 §2).
private let pemStart = Data("-----BEGIN ".utf8)

extension Data {
    fileprivate func contains(_ other: Data) -> Bool { range(of: other) != nil }
}

extension Request {
    /// The request with the pins of its files; the request itself where it names none.
    ///
    /// - Throws: The errors of ``PinFile/read(_:)``, and `invalidOption` where whole certificates are compared and a file has none.
    func readingPinFiles() async throws(NetworkError) -> Request {
        guard !options.trust.pinFiles.isEmpty else { return self }
        var result = self
        result.options.trust.certificateDigests = []
        for path in options.trust.pinFiles {
            let file = try await PinFile.read(path)
            switch options.trust.pinMatch {
            case .key: result.options.trust.pins += file.keys
            case .certificate:
                guard !file.certificates.isEmpty else {
                    throw NetworkError(
                        .invalidOption, "\(path) contains no certificate, and whole certificates are compared",
                        hint: "name a file with a certificate, or compare keys (pinMatch: key)")
                }
                result.options.trust.certificateDigests += file.certificates
            }
        }
        return result
    }
}
