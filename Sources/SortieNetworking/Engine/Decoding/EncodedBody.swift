internal import CCompression
internal import SortieHTTP

/// The encoded body of one response: passes it through a ``BodyDecoder`` in steps and buffers input that arrives
/// meanwhile.
///
/// A few bytes may decode to gigabytes, so a step ends after a bounded amount and the loop serves other transfers
/// before the next step. Used on the engine's thread only.
final class EncodedBody {
    /// What the receiver of a decoded piece requests.
    enum Demand {
        case more
        /// Pause: the receiver cannot take more at the moment.
        case later
        /// Stop: the receiver takes no more data.
        case stop
    }

    /// The decoded bytes per step: one or two milliseconds of work.
    private static let stepSize = 1 << 20

    /// Whether undecoded input is left.
    private(set) var isBehind = false
    /// Why decoding cannot continue.
    private(set) var failure: NetworkError?
    private let decoder: BodyDecoder
    private let folder: String
    private let limit: Int64?
    /// Undecoded bytes: a few KiB where the sender can be paused, else any number, spooled to a file beyond 1 MiB.
    private var held: BodyBuffer?
    private var heldOffset = 0

    /// - Parameters:
    ///   - folder: The folder of the spool file.
    ///   - limit: The largest accepted size of the encoded body, in bytes.
    init(_ decoder: BodyDecoder, folder: String, limit: Int64?) {
        (self.decoder, self.folder, self.limit) = (decoder, folder, limit)
    }

    /// Decodes one step of `bytes` and buffers the rest.
    ///
    /// Buffers all of it when earlier input is still undecoded.
    func take(_ bytes: UnsafeRawBufferPointer, _ deliver: (UnsafeRawBufferPointer) -> Demand) {
        guard !isBehind else { return hold(bytes) }
        var rest = bytes
        step(&rest, deliver)
        if !rest.isEmpty { hold(rest) }
    }

    /// Decodes one step of the buffered input.
    func decodeHeld(_ deliver: (UnsafeRawBufferPointer) -> Demand) {
        let view = heldView()
        view.withUnsafeBytes(in: heldOffset..<view.count) { bytes in
            var rest = bytes
            step(&rest, deliver)
            heldOffset += bytes.count - rest.count
        }
        // A large file is read only once.
        if view.count > BodyBuffer.memoryLimit { view.releaseMemory() }
        guard let held, Int64(heldOffset) < held.count else {
            held = nil
            heldOffset = 0
            return
        }
        isBehind = true
    }

    private func step(_ rest: inout UnsafeRawBufferPointer, _ deliver: (UnsafeRawBufferPointer) -> Demand) {
        var size = 0
        isBehind = true
        while size < Self.stepSize {
            let piece: UnsafeRawBufferPointer
            do throws(NetworkError) { piece = try decoder.next(&rest) } catch {
                failure = error
                return
            }
            guard !piece.isEmpty else {
                isBehind = false
                return
            }
            size += piece.count
            guard deliver(piece) == .more else { return }
        }
    }

    private func hold(_ bytes: UnsafeRawBufferPointer) {
        var buffer = held ?? BodyBuffer(folder: folder, limit: limit)
        held = nil
        do throws(NetworkError) {
            if try buffer.append(bytes, whenDrained: {}) { buffer.waitUntilWritten() }
        } catch { failure = error }
        held = buffer
    }

    /// The buffered input that can be read.
    private func heldView() -> BodyBytes {
        guard var buffer = held else { return .empty }
        if buffer.view.count <= heldOffset {
            held = nil
            buffer.flush()
            buffer.waitUntilWritten()
            held = buffer
        }
        return buffer.view
    }

    /// The error for a body that ends here; nil where the body is complete.
    var truncation: NetworkError? { failure == nil ? decoder.truncation : nil }
}

extension EncodedBody {
    /// The encoded body that a header announces; nil where the body has no coding to decode.
    ///
    /// - Throws: `badEncoding` for an unknown transfer coding, `internalFailure` when memory is short.
    convenience init?(of header: HeaderBytes, _ request: TransferRequest) throws(NetworkError) {
        guard header.mayHaveCodings else { return nil }
        let header = header.block
        let coding = BodyCoding(status: header.status, headers: header.headers, decodesContent: request.options.decompresses)
        if let unknown = coding.unknownTransferCoding {
            throw NetworkError(
                .badEncoding, "\(request.url.authority) sent the body in the transfer coding \(unknown), which is unknown",
                hint: "a content coding belongs in Content-Encoding")
        }
        guard !coding.codings.isEmpty else { return nil }
        guard let decoder = BodyDecoder(coding.codings) else { throw NetworkError(.internalFailure, "no memory to decode the body") }
        self.init(decoder, folder: request.spoolFolder, limit: request.options.maximumBodyBytes)
    }
}

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
    /// The last stage that failed; later ones decode what the stages before them have produced.
    private var failedLink = -1

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
                case .br: RepeatingStage { BrotliStage() }
                case .zstd: RepeatingStage { ZstandardStage() }
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
        while index > failedLink {
            let input = links[index].buffer.map { UnsafeRawBufferPointer(rebasing: $0[links[index].unread]) } ?? wire
            let step = links[index].stage.decode(input, into: output)
            if index == 0 {
                wire = UnsafeRawBufferPointer(rebasing: wire.dropFirst(step.consumed))
            } else {
                links[index].unread.removeFirst(step.consumed)
            }
            if let text = step.failure { fail(index, text) }
            if step.produced > 0 { return step.produced }
            if step.consumed < input.count {
                // The stage neither consumed input nor produced output; without this check the loop would not end.
                if step.consumed == 0 { fail(index, "the decoder makes no progress") }
                continue
            }
            guard index > 0, let buffer = links[index].buffer else { return 0 }
            let count = pull(index - 1, &wire, into: buffer)
            guard count > 0 else { return 0 }
            links[index].unread = 0..<count
        }
        return 0
    }

    private func fail(_ index: Int, _ text: String) {
        failure = failure ?? .badEncoding(links[index].coding, text)
        failedLink = index
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

/// Decodes brotli (RFC 7932), whose window is at most 16 MiB.
final class BrotliStage: DecodingStage {
    private let state: OpaquePointer
    private var hasBegun = false
    private var hasEnded = false

    init?() {
        guard let state = BrotliDecoderCreateInstance(nil, nil, nil) else { return nil }
        self.state = state
    }

    deinit {
        BrotliDecoderDestroyInstance(state)
    }

    var mayEnd: Bool { hasEnded || !hasBegun }

    func decode(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> DecodingStep {
        if hasEnded {
            return DecodingStep(consumed: 0, produced: 0, failure: input.isEmpty ? nil : "other data follows its end")
        }
        guard hasBegun || !input.isEmpty else { return DecodingStep(consumed: 0, produced: 0) }
        hasBegun = true
        var available = input.count
        var next = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var room = output.count
        var target = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let result = BrotliDecoderDecompressStream(state, &available, &next, &room, &target, nil)
        var step = DecodingStep(consumed: input.count - available, produced: output.count - room)
        switch result {
        case BROTLI_DECODER_RESULT_SUCCESS: hasEnded = true
        case BROTLI_DECODER_RESULT_ERROR:
            step.failure = BrotliDecoderErrorString(BrotliDecoderGetErrorCode(state)).map { String(cString: $0) } ?? "the data is damaged"
        default: break
        }
        return step
    }
}

/// Decodes the beginning of a body again when it is damaged, so that all bytes before the damage are delivered, in whatever pieces the body comes.
///
/// A call of brotli or zstd that fails does not report the bytes that it has decoded before the damage, so their number depends on how the input is
/// divided. Therefore the beginning of the input is kept, and the input of a call that failed is decoded again byte by byte. Damage after the beginning
/// loses the bytes of its call.
final class RepeatingStage: DecodingStage {
    /// The largest kept beginning, which some milliseconds decode: its encoded bytes, and the bytes that they give.
    private static let (keptInput, keptOutput) = (256 << 10, 4 << 20)

    private let make: () -> (any DecodingStage)?
    private var stage: any DecodingStage
    /// The input so far; nil beyond the beginning.
    private var kept: [UInt8]? = []
    /// The number of bytes that the kept input has given.
    private var produced = 0
    /// The second pass over a damaged beginning.
    private var repetition: Repetition?

    private struct Repetition {
        let input: [UInt8]
        /// The number of bytes before the input of the call that failed.
        let valid: Int
        var index = 0
        /// The number of bytes that the first pass has given and the second one has not.
        var skipped: Int
        let failure: String
    }

    /// - Parameter make: Creates the decoder of a pass; nil when memory is short.
    init?(_ make: @escaping () -> (any DecodingStage)?) {
        guard let stage = make() else { return nil }
        (self.make, self.stage) = (make, stage)
    }

    var mayEnd: Bool { stage.mayEnd }

    func decode(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> DecodingStep {
        if repetition != nil { return decodeAgain(into: output) }
        guard let valid = kept?.count else { return stage.decode(input, into: output) }
        let piece = UnsafeRawBufferPointer(rebasing: input.prefix(Self.keptInput - valid))
        let step = stage.decode(piece, into: output)
        produced += step.produced
        if let failure = step.failure, let second = make() {
            stage = second
            repetition = Repetition(input: (kept ?? []) + piece, valid: valid, skipped: produced, failure: failure)
            return step.produced > 0 ? DecodingStep(consumed: 0, produced: step.produced) : decodeAgain(into: output)
        }
        kept?.append(contentsOf: piece.prefix(step.consumed))
        if produced > Self.keptOutput || valid + step.consumed >= Self.keptInput { kept = nil }
        return step
    }

    /// The next bytes of the second pass; the failure of the first one comes with the last of them.
    private func decodeAgain(into output: UnsafeMutableRawBufferPointer) -> DecodingStep {
        guard var pass = repetition else { return DecodingStep(consumed: 0, produced: 0) }
        defer { repetition = pass }
        var room = output
        while !room.isEmpty {
            let count = max(1, pass.valid - pass.index)
            let step = pass.input[pass.index...].prefix(count).withUnsafeBytes { stage.decode($0, into: room) }
            pass.index += step.consumed
            let skipped = min(step.produced, pass.skipped)
            pass.skipped -= skipped
            let new = UnsafeRawBufferPointer(rebasing: room[skipped..<step.produced])
            if skipped > 0 { room.copyMemory(from: new) }
            room = UnsafeMutableRawBufferPointer(rebasing: room.dropFirst(new.count))
            if step.failure != nil || step.consumed + step.produced == 0 {
                return DecodingStep(consumed: 0, produced: output.count - room.count, failure: pass.failure)
            }
        }
        return DecodingStep(consumed: 0, produced: output.count)
    }
}

/// The decoder of one content coding.
///
/// It takes input in pieces and uses bounded memory.
///
/// Used on the engine's thread only.
protocol DecodingStage: AnyObject {
    /// Decodes as much of `input` as fits into `output`.
    ///
    /// With an empty `input` it returns output that it still holds.
    func decode(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> DecodingStep

    /// Whether the encoded data may end here: at the end of a stream, or before the first byte.
    var mayEnd: Bool { get }
}

/// The result of one call of a ``DecodingStage``.
struct DecodingStep {
    /// The number of input bytes used.
    var consumed: Int
    /// The number of output bytes.
    ///
    /// They are valid even when `failure` is set.
    var produced: Int
    /// Why decoding cannot continue.
    var failure: String?
}
