internal import Model

/// Undoes the content codings of a body, one after another, and gives the result in pieces of bounded size.
///
/// libcurl's own decoders are not used: while a transfer is paused they decode on into memory, and fail at 64 MiB; they take a body that was cut for
/// complete, and stop after the first member of gzip (`engine.md`, second series). Used on the engine's thread only.
final class BodyDecoder {
    /// A stage and what the stages before it made for it.
    private struct Link {
        let coding: ContentCoding
        let stage: any DecodingStage
        /// Nil for the first stage, which reads what came over the wire.
        var buffer: UnsafeMutableRawBufferPointer?
        var unread = 0..<0
    }

    private var links: [Link]
    private var failure: NetworkError?

    /// Where the result of a step lies; one for all bodies, because only one is decoded at a time.
    private nonisolated(unsafe) static let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    private static let linkSize = 16 << 10

    /// A decoder for codings that were applied in this order; nil where there is no memory for one.
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

    /// Decodes the next piece; an empty one says that all of `input` is used and nothing more comes without more of it.
    ///
    /// - Parameter input: what follows of the wire; what was used is cut off.
    /// - Returns: bytes that are valid until the next call.
    /// - Throws: `badEncoding` where the data is not what it should be; what came before that was given by the calls before.
    func next(_ input: inout UnsafeRawBufferPointer) throws(NetworkError) -> UnsafeRawBufferPointer {
        let count = pull(links.count - 1, &input, into: Self.output)
        guard count == 0 else { return UnsafeRawBufferPointer(rebasing: Self.output[..<count]) }
        if let failure { throw failure }
        return UnsafeRawBufferPointer(start: nil, count: 0)
    }

    /// Has stage `index` fill `output`, and the stages before it give it what it needs; 0 when the wire must bring more, or after a failure.
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
                // It neither wants its input nor gives output: a decoder that does so would be asked for ever.
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

    /// Why the body cannot end here; nil where every coding is complete.
    var truncation: NetworkError? {
        guard failure == nil, let link = links.first(where: { !$0.stage.mayEnd }) else { return nil }
        return NetworkError(
            .truncatedBody, "the body ended before the end of its \(link.coding.rawValue) data",
            hint: "what was decoded is kept; the server or a proxy broke off")
    }
}

extension NetworkError {
    /// A body whose data is not encoded as its header says.
    static func badEncoding(_ coding: ContentCoding, _ text: String) -> NetworkError {
        NetworkError(
            .badEncoding, "the body is not valid \(coding.rawValue), as its header says: \(text)",
            hint: "compression: false in the endpoint delivers the body as it comes", underlying: text)
    }
}
