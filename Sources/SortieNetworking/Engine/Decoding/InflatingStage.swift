internal import CCompression

/// Decodes gzip with any number of members (RFC 1952 §2.2), one zlib or raw deflate stream, or the raw streams of WebSocket messages.
///
/// Servers send both a zlib and a raw stream as `deflate`.
final class InflatingStage: DecodingStage {
    /// The format around the deflated data.
    enum Wrapping {
        case gzip
        /// A zlib header (RFC 1950) as RFC 9110 §8.4.1.2 requires, or none.
        case zlibOrNone
        /// None; a stream that follows another one may refer to its data (RFC 7692 §7.2.3).
        case raw
    }

    private let wrapping: Wrapping
    // Allocated, because zlib requires that the address does not change.
    private let stream: UnsafeMutablePointer<z_stream>
    private var state = State.beginning
    /// The first byte, which may belong to a zlib header.
    private var firstByte: UInt8?

    private enum State {
        case beginning, inflating, ended
    }

    init?(_ wrapping: Wrapping) {
        self.wrapping = wrapping
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // `deinit` follows also where nil is returned.
        guard ccompression_inflate_init(stream, wrapping == .gzip ? 31 : wrapping == .raw ? -15 : 15) == Z_OK else { return nil }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    var mayEnd: Bool { state == .ended || state == .beginning && firstByte == nil }

    /// Whether the last block of a stream was decoded.
    var hasEnded: Bool { state == .ended }

    /// Whether the decoded data ends between two blocks; zlib reports it in bit 7.
    var isBetweenBlocks: Bool { hasEnded || state == .inflating && stream.pointee.data_type & 128 != 0 }

    func decode(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> DecodingStep {
        var rest = input
        switch state {
        case .beginning:
            guard begin(&rest) else { return DecodingStep(consumed: input.count - rest.count, produced: 0) }
        case .ended:
            // Zero padding may follow gzip data that was stored on tape or in blocks.
            if wrapping == .gzip { rest = UnsafeRawBufferPointer(rebasing: rest.drop { $0 == 0 }) }
            guard let next = rest.first else { return DecodingStep(consumed: input.count, produced: 0) }
            guard wrapping == .raw && restart() || wrapping == .gzip && next == 0x1f && inflateReset(stream) == Z_OK else {
                return DecodingStep(consumed: input.count - rest.count, produced: 0, failure: "other data follows its end")
            }
            state = .inflating
        case .inflating: break
        }
        let skipped = input.count - rest.count
        var step = inflateOnce(rest, into: output)
        step.consumed += skipped
        return step
    }

    /// Detects the format from the first bytes.
    ///
    /// Returns false when more bytes are needed.
    private func begin(_ rest: inout UnsafeRawBufferPointer) -> Bool {
        guard wrapping == .zlibOrNone else {
            if !rest.isEmpty { state = .inflating }
            return !rest.isEmpty
        }
        guard let next = rest.first else { return false }
        guard let first = firstByte else {
            firstByte = next
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst())
            return begin(&rest)
        }
        // RFC 1950 §2.2: method 8, a window of at most 32 KiB, and a checksum over both bytes.
        let isZlib = first & 0x0f == 8 && first >> 4 <= 7 && (UInt16(first) << 8 | UInt16(next)) % 31 == 0
        if !isZlib { inflateReset2(stream, -15) }
        state = .inflating
        withUnsafeBytes(of: first) { _ = inflateOnce($0, into: UnsafeMutableRawBufferPointer(start: nil, count: 0)) }
        return true
    }

    /// Begins another stream with the window of the one before.
    private func restart() -> Bool {
        var window = [UInt8](repeating: 0, count: 32 << 10)
        var count: UInt32 = 0
        return inflateGetDictionary(stream, &window, &count) == Z_OK && inflateReset(stream) == Z_OK
            && inflateSetDictionary(stream, window, count) == Z_OK
    }

    private func inflateOnce(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> DecodingStep {
        var nothing: UInt8 = 0
        // zlib counts in 32 bits; the caller passes the rest of a longer input again.
        let (available, room) = (UInt32(clamping: input.count), UInt32(clamping: output.count))
        return withUnsafeMutablePointer(to: &nothing) { nothing in
            stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self) ?? UnsafePointer(nothing)
            stream.pointee.avail_in = available
            stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self) ?? nothing
            stream.pointee.avail_out = room
            let result = inflate(stream, Z_SYNC_FLUSH)
            var step = DecodingStep(consumed: Int(available - stream.pointee.avail_in), produced: Int(room - stream.pointee.avail_out))
            switch result {
            case Z_STREAM_END: state = .ended
            // No progress was possible: more input or more room is needed.
            case Z_OK, Z_BUF_ERROR: break
            case Z_MEM_ERROR: step.failure = "no memory to decode it"
            default: step.failure = stream.pointee.msg.map { String(cString: $0) } ?? "the data is damaged"
            }
            return step
        }
    }
}

/// Messages whose compressed data is in memory.
extension InflatingStage {
    /// Why a message cannot be decoded.
    enum Failure: Error {
        case limit
        case data(String)
    }

    /// Decodes all of `input`, and appends the result to a message of at most `limit` bytes.
    func decode(_ input: ArraySlice<UInt8>, into message: inout [UInt8], limit: Int) throws(Failure) {
        let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 16)
        defer { output.deallocate() }
        try input.withUnsafeBufferPointer { (input) throws(Failure) in
            var rest = UnsafeRawBufferPointer(input)
            // After the end of the input, output may be left only where it filled the buffer.
            var mayHaveMore = false
            while !rest.isEmpty || mayHaveMore {
                let step = decode(rest, into: output)
                guard message.count + step.produced <= limit else { throw .limit }
                message.append(contentsOf: output[..<step.produced])
                if let failure = step.failure { throw .data(failure) }
                if step.consumed == 0, step.produced == 0, !rest.isEmpty { throw .data("the decoder makes no progress") }
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(step.consumed))
                mayHaveMore = step.produced == output.count
            }
        }
    }
}

/// The beginning of a zlib stream (RFC 1950) whose end is missing.
package enum ZlibPrefix {
    /// The bytes that can be decoded, at most `limit`.
    package static func decoded(_ bytes: [UInt8], upTo limit: Int) -> [UInt8] {
        guard limit > 0, let stage = InflatingStage(.zlibOrNone) else { return [] }
        return [UInt8](unsafeUninitializedCapacity: limit) { output, count in
            bytes.withUnsafeBytes { input in
                var (rest, room) = (input, UnsafeMutableRawBufferPointer(output))
                while !room.isEmpty, !stage.hasEnded {
                    let step = stage.decode(rest, into: room)
                    guard step.consumed > 0 || step.produced > 0 else { break }
                    (rest, room) = (.init(rebasing: rest.dropFirst(step.consumed)), .init(rebasing: room.dropFirst(step.produced)))
                    count += step.produced
                    if step.failure != nil { break }
                }
            }
        }
    }
}
