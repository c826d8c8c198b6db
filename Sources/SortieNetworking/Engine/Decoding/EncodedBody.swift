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
        self.decoder = decoder
        self.folder = folder
        self.limit = limit
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
