internal import Model

/// The encoded body of one response on its way through a ``BodyDecoder``: it decodes in steps, and keeps what came meanwhile.
///
/// A few bytes may decode to gigabytes, so a step ends after a bounded amount; the loop works for others before the next one. Used on the engine's
/// thread only.
final class EncodedBody {
    /// What becomes of a decoded piece.
    enum Demand {
        case more
        /// Nothing more for now: the receiver is behind.
        case later
        /// Nothing more at all.
        case stop
    }

    /// How much is decoded in one step, in bytes of the result: one or two milliseconds.
    private static let stepSize = 1 << 20

    /// Whether something is left to decode.
    private(set) var isBehind = false
    /// Why nothing more can be decoded.
    private(set) var failure: NetworkError?
    private let decoder: BodyDecoder
    private let folder: String
    private let limit: Int64?
    /// Encoded bytes that wait: a few KiB where the sender can be paused, else as many as come, in a file beyond 1 MiB.
    private var held: BodyBuffer?
    private var heldOffset = 0

    /// - Parameters:
    ///   - folder: where a file for what waits is made.
    ///   - limit: the largest encoded body that is taken.
    init(_ decoder: BodyDecoder, folder: String, limit: Int64?) {
        self.decoder = decoder
        self.folder = folder
        self.limit = limit
    }

    /// Takes what came and decodes a step of it, unless something waits already.
    func take(_ bytes: UnsafeRawBufferPointer, _ deliver: (UnsafeRawBufferPointer) -> Demand) {
        guard !isBehind else { return hold(bytes) }
        var rest = bytes
        step(&rest, deliver)
        if !rest.isEmpty { hold(rest) }
    }

    /// Decodes a step of what waits.
    func decodeHeld(_ deliver: (UnsafeRawBufferPointer) -> Demand) {
        let view = heldView()
        view.withUnsafeBytes(in: heldOffset..<view.count) { bytes in
            var rest = bytes
            step(&rest, deliver)
            heldOffset += bytes.count - rest.count
        }
        // A large file is read once.
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

    /// What waits, as far as it can be read.
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

    /// Why the body cannot end with what was decoded; nil where it can.
    var truncation: NetworkError? { failure == nil ? decoder.truncation : nil }
}
