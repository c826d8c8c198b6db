internal import CTLS
internal import Foundation
internal import SortieHTTP

/// Converts OpenSSL certificates to values of ``PresentedCertificate``.
enum X509Reader {
    /// The number of certificates read of a chain, and of names read of a certificate; a server may send many more.
    private static let mostCertificates: Int32 = 16
    private static let mostNames: Int32 = 64

    /// Reads the certificates of a `STACK_OF(X509)`.
    static func certificates(_ chain: OpaquePointer?) -> [PresentedCertificate] {
        guard let chain else { return [] }
        return (0..<min(ctls_count(chain), mostCertificates)).compactMap { ctls_certificate(chain, $0).flatMap(certificate) }
    }

    /// Reads one certificate; nil where its key or its dates cannot be read.
    static func certificate(_ certificate: OpaquePointer) -> PresentedCertificate? {
        guard let key = publicKey(certificate), let whole = encoding(certificate), let from = seconds(X509_get0_notBefore(certificate)),
            let until = seconds(X509_get0_notAfter(certificate))
        else { return nil }
        return PresentedCertificate(
            subject: name(X509_get_subject_name(certificate)), issuer: name(X509_get_issuer_name(certificate)), names: names(certificate),
            validFrom: from, validUntil: until, pin: digest(of: key), digest: digest(of: whole), encoding: whole)
    }

    /// The SHA-256 of an encoded key or certificate in the notation of pins.
    static func digest(of bytes: some Sequence<UInt8>) -> String {
        "sha256//" + Data(HashFunction.sha256.digest(of: bytes)).base64EncodedString()
    }

    /// The DER encoding of a certificate.
    private static func encoding(_ certificate: OpaquePointer) -> [UInt8]? {
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = i2d_X509(certificate, &bytes)
        defer { ctls_free(bytes) }
        guard count > 0, let bytes else { return nil }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }

    /// The public key in the form that pins are computed from: the DER of `SubjectPublicKeyInfo` (RFC 7469 §2.4).
    private static func publicKey(_ certificate: OpaquePointer) -> [UInt8]? {
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &bytes)
        defer { ctls_free(bytes) }
        guard count > 0, let bytes else { return nil }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }

    private static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Double? {
        var parts = tm()
        guard let time, ASN1_TIME_to_tm(time, &parts) == 1 else { return nil }
        return Double(timegm(&parts))
    }

    private static func name(_ name: OpaquePointer?) -> String {
        guard let name else { return "(no name)" }
        var text: UnsafeMutablePointer<UInt8>?
        let count = ctls_common_name(name, &text)
        defer { ctls_free(text) }
        if count > 0, let text { return String(decoding: UnsafeBufferPointer(start: text, count: Int(count)), as: UTF8.self) }
        guard let line = X509_NAME_oneline(name, nil, 0) else { return "(no name)" }
        defer { ctls_free(line) }
        let whole = String(cString: line)
        return whole.isEmpty ? "(no name)" : whole
    }

    private static func names(_ certificate: OpaquePointer) -> [String] {
        guard let names = ctls_names(certificate) else { return [] }
        defer { GENERAL_NAMES_free(names) }
        return (0..<min(ctls_names_count(names), mostNames)).compactMap { index in
            var (kind, length): (Int32, Int32) = (0, 0)
            guard let bytes = ctls_name(names, index, &kind, &length), length > 0 else { return nil }
            let buffer = UnsafeBufferPointer(start: bytes, count: Int(length))
            return kind == GEN_DNS ? String(decoding: buffer, as: UTF8.self) : IPAddress(bytes: buffer)?.description
        }
    }
}
