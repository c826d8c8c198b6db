/// A content coding that can be decoded (RFC 9110 §8.4.1, RFC 7932, RFC 8878).
public enum ContentCoding: String, Hashable, Sendable, CaseIterable {
    case deflate, gzip, br, zstd

    /// The coding with this name in a header field; names are compared without regard to case, and `x-gzip` is `gzip` (RFC 9110 §8.4.1.3).
    public init?(named name: some StringProtocol) {
        let name = name.lowercased()
        guard let coding = name == "x-gzip" ? .gzip : ContentCoding(rawValue: name) else { return nil }
        self = coding
    }

    /// The value of `Accept-Encoding` that offers all of them.
    public static let offer = allCases.map(\.rawValue).joined(separator: ", ")
}
