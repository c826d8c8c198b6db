internal import SortieBase

extension Response {
    /// The announced size of the body in bytes, before decoding (RFC 9110 §8.6); nil where the length is not announced.
    package var announcedBytes: Int64? {
        guard !headers.contains("Transfer-Encoding"), let length = headers["Content-Length"] else { return nil }
        return Int64(length).flatMap { $0 >= 0 ? $0 : nil }
    }

    /// How much of an incomplete body arrived, such as `12 of 100 bytes`; nil for a complete body.
    ///
    /// A body with a content coding is measured before decoding, as its announced size is.
    package var receivedShare: String? {
        guard truncation != nil else { return nil }
        let isCoded = headers.contains("Content-Encoding")
        let received = isCoded ? max(wireBytes, 0) : max(wireBytes, Int64(body.count))
        guard let total = announcedBytes, total > received || total == received && received > 0 else {
            return received == 0 ? nil : "\(Self.text(received)) of an unknown number"
        }
        return total < 10_000 ? "\(received) of \(total) bytes" : "\(ByteCount(received).text) of \(ByteCount(total).text)"
    }

    private static func text(_ count: Int64) -> String {
        count < 10_000 ? "\(count) byte\(count == 1 ? "" : "s")" : ByteCount(count).text
    }
}
