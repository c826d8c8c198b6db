import SortieHTTP

/// A frame that a client sent, unmasked.
struct ClientFrame: Equatable {
    /// The bytes are not those of masked frames with lengths in their shortest form.
    struct Malformed: Error {
        let offset: Int
    }

    let isFinal: Bool
    let reserved: UInt8
    let opcode: UInt8
    let payload: [UInt8]

    /// Parses all bytes that a client sent after its handshake.
    static func parse(_ bytes: [UInt8]) throws -> [ClientFrame] {
        var frames: [ClientFrame] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            guard let frame = next(&rest) else { throw Malformed(offset: rest.startIndex) }
            frames.append(frame)
        }
        return frames
    }

    /// The number of bytes of a masked frame.
    static func size(ofPayload count: Int) -> Int { count + 6 + (count < 126 ? 0 : count < 65536 ? 2 : 8) }

    private static func next(_ rest: inout ArraySlice<UInt8>) -> ClientFrame? {
        let bytes = rest
        guard bytes.count >= 6 else { return nil }
        let (first, second) = (bytes[bytes.startIndex], bytes[bytes.startIndex + 1])
        guard second & 0x80 != 0 else { return nil }
        var count = Int(second & 0x7f)
        var offset = bytes.startIndex + 2
        if count > 125 {
            let size = count == 126 ? 2 : 8
            guard bytes.count >= 6 + size else { return nil }
            count = bytes[offset..<(offset + size)].reduce(0) { $0 << 8 | Int($1) }
            guard count > (size == 2 ? 125 : 65535) else { return nil }
            offset += size
        }
        guard bytes.endIndex - offset - 4 >= count else { return nil }
        let key = Array(bytes[offset..<(offset + 4)])
        let payload = unmasked(bytes[(offset + 4)..<(offset + 4 + count)], key)
        rest = bytes[(offset + 4 + count)...]
        return ClientFrame(isFinal: first & 0x80 != 0, reserved: first >> 4 & 7, opcode: first & 0xf, payload: payload)
    }

    /// Byte by byte only at the end, because a debug build takes long for megabytes otherwise.
    private static func unmasked(_ payload: ArraySlice<UInt8>, _ key: [UInt8]) -> [UInt8] {
        let word = (key + key).withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
        var result = Array(payload)
        result.withUnsafeMutableBytes { bytes in
            let end = bytes.count / 8 * 8
            for index in stride(from: 0, to: end, by: 8) {
                bytes.storeBytes(of: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ word, toByteOffset: index, as: UInt64.self)
            }
            for index in end..<bytes.count { bytes[index] ^= key[index & 3] }
        }
        return result
    }
}
