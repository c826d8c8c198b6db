/// The codings of a response body according to its header (RFC 9110 §8.4, RFC 9112 §6.1).
package struct BodyCoding: Hashable, Sendable {
    /// The codings to decode, in the order in which they were applied; the last one is decoded first.
    package let codings: [ContentCoding]
    /// Why the body stays encoded; nil where it does not.
    package let obstacle: String?
    /// A transfer coding that is not supported, so that the message cannot be read (RFC 9112 §6.1); nil without one.
    package let unknownTransferCoding: String?

    /// The maximum number of codings to decode; a longer list is a mistake or an attack.
    package static let mostCodings = 5

    /// Reads the header of a response.
    ///
    /// - Parameter decodesContent: Whether to decode content codings; transfer codings are always decoded.
    package init(status: Int, headers: Headers, decodesContent: Bool = true) {
        let transfer = headers.tokens(of: "Transfer-Encoding").filter { $0 != "chunked" && $0 != "identity" }
        let content = decodesContent ? headers.tokens(of: "Content-Encoding").filter { $0 != "identity" } : []
        let transferObstacle = Self.obstacle(transfer, "Transfer-Encoding")
        let contentObstacle = Self.obstacle(content, "Content-Encoding") ?? Self.rangeObstacle(status, content)
        obstacle = transferObstacle ?? contentObstacle
        unknownTransferCoding = transferObstacle.map { _ in transfer.joined(separator: ", ") }
        let names = transferObstacle != nil ? [] : contentObstacle != nil ? transfer : content + transfer
        codings = names.compactMap { ContentCoding(named: $0) }
    }

    private static func obstacle(_ names: [String], _ field: String) -> String? {
        if let unknown = names.first(where: { ContentCoding(named: $0) == nil }) { return "its \(field) \(unknown) is unknown" }
        return names.count > mostCodings ? "its \(field) lists \(names.count) codings, and \(mostCodings) are the most that are decoded" : nil
    }

    /// The content coding applies to the whole representation, of which only a range arrived (RFC 9110 §14.2).
    private static func rangeObstacle(_ status: Int, _ names: [String]) -> String? {
        status == 206 && !names.isEmpty ? "a range of a body encoded with \(names.joined(separator: ", ")) cannot be decoded alone" : nil
    }
}

extension Response {
    /// Why the body is delivered encoded; nil where it is decoded, or has no coding.
    ///
    /// Valid for requests that decode their responses: see ``Exchange/undecodedNotice``.
    package var undecodedNotice: String? {
        guard !body.isEmpty, let obstacle = BodyCoding(status: status, headers: headers).obstacle else { return nil }
        return "the body is delivered undecoded, because \(obstacle)"
    }
}

extension Exchange {
    /// Why the response body is delivered encoded although the request decodes responses.
    package var undecodedNotice: String? { request.options.decompresses ? response?.undecodedNotice : nil }
}
