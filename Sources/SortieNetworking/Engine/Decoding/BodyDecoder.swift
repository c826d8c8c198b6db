internal import SortieHTTP

/// Decodes the content codings of a body in sequence and returns the result in pieces of bounded size.
///
/// libcurl's own decoders are not used: while a transfer is paused they continue to decode into memory and fail at 64
/// MiB, they accept a truncated body as complete, and they stop after the first gzip member (`EngineFacts.md`, second
/// series). Used on the engine's thread only.
final class BodyDecoder {
    /// A stage and the pending output of the previous stage.
    private struct Link {
        let coding: ContentCoding
        let stage: any DecodingStage
        /// Nil for the first stage, which reads the bytes from the wire.
        var buffer: UnsafeMutableRawBufferPointer?
        var unread = 0..<0
    }

    private var links: [Link]
    private var failure: NetworkError?

    /// The output buffer.
    ///
    /// All bodies share it, because only one is decoded at a time.
    private nonisolated(unsafe) static let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    private static let linkSize = 16 << 10

    /// Creates a decoder for codings in the order in which they were applied; nil when memory is short.
    init?(_ codings: [ContentCoding]) {
        links = []
        for coding in codings.reversed() {
            let stage: (any DecodingStage)? =
                switch coding {
                case .gzip: InflatingStage(.gzip)
                case .deflate: InflatingStage(.zlibOrNone)
                case .br: BrotliStage()
                case .zstd: ZstandardStage()
                }
            guard let stage else { return nil }
            let buffer = links.isEmpty ? nil : UnsafeMutableRawBufferPointer.allocate(byteCount: Self.linkSize, alignment: 16)
            links.append(Link(coding: coding, stage: stage, buffer: buffer))
        }
    }

    deinit {
        for link in links { link.buffer?.deallocate() }
    }

    /// Decodes the next piece.
    ///
    /// An empty result means that all of `input` is used and that more input is needed.
    ///
    /// - Parameter input: The next bytes from the wire. Used bytes are removed from the front.
    /// - Returns: Bytes that are valid until the next call.
    /// - Throws: `badEncoding` where the data is invalid. Earlier calls have returned everything decoded before that
    ///   point.
    func next(_ input: inout UnsafeRawBufferPointer) throws(NetworkError) -> UnsafeRawBufferPointer {
        let count = pull(links.count - 1, &input, into: Self.output)
        guard count == 0 else { return UnsafeRawBufferPointer(rebasing: Self.output[..<count]) }
        if let failure { throw failure }
        return UnsafeRawBufferPointer(start: nil, count: 0)
    }

    /// Fills `output` from stage `index` and pulls the input it needs from the stages before it.
    ///
    /// Returns 0 when more bytes from the wire are needed, or after a failure.
    private func pull(_ index: Int, _ wire: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Int {
        while failure == nil {
            let input = links[index].buffer.map { UnsafeRawBufferPointer(rebasing: $0[links[index].unread]) } ?? wire
            let step = links[index].stage.decode(input, into: output)
            if index == 0 {
                wire = UnsafeRawBufferPointer(rebasing: wire.dropFirst(step.consumed))
            } else {
                links[index].unread.removeFirst(step.consumed)
            }
            if let text = step.failure { failure = .badEncoding(links[index].coding, text) }
            if step.produced > 0 { return step.produced }
            if step.consumed < input.count {
                // The stage neither consumed input nor produced output; without this check the loop would not end.
                if step.consumed == 0, failure == nil { failure = .badEncoding(links[index].coding, "the decoder makes no progress") }
                continue
            }
            guard index > 0, let buffer = links[index].buffer else { return 0 }
            let count = pull(index - 1, &wire, into: buffer)
            guard count > 0 else { return 0 }
            links[index].unread = 0..<count
        }
        return 0
    }

    /// The error for a body that ends here; nil where every coding is complete.
    var truncation: NetworkError? {
        guard failure == nil, let link = links.first(where: { !$0.stage.mayEnd }) else { return nil }
        return NetworkError(
            .truncatedBody, "the body ended before the end of its \(link.coding.rawValue) data",
            hint: "the decoded part is kept; the server or a proxy ended the transfer early")
    }
}

extension NetworkError {
    /// The error for a body whose data does not match its declared coding.
    static func badEncoding(_ coding: ContentCoding, _ text: String) -> NetworkError {
        NetworkError(
            .badEncoding, "the body is not valid \(coding.rawValue), although its header declares it: \(text)",
            remedy: .encodedBody, underlying: text)
    }
}
