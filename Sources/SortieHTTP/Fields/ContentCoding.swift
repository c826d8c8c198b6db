/// A supported content coding (RFC 9110 §8.4.1, RFC 7932, RFC 8878).
package enum ContentCoding: String, Hashable, Sendable, CaseIterable {
    case deflate, gzip, br, zstd

    /// Creates the coding with a name in a header field, which is case-insensitive; `x-gzip` is `gzip` (RFC 9110 §8.4.1.3).
    package init?(named name: some StringProtocol) {
        let name = name.lowercased()
        guard let coding = name == "x-gzip" ? .gzip : ContentCoding(rawValue: name) else { return nil }
        self = coding
    }

    /// The value of `Accept-Encoding` that lists all codings.
    package static let offer = allCases.map(\.rawValue).joined(separator: ", ")
}
