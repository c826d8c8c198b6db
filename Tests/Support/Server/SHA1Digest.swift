import Foundation

/// SHA-1 (RFC 3174), with which a WebSocket server computes `Sec-WebSocket-Accept`.
///
/// Independent of the program's implementation.
public enum SHA1Digest {
    /// The digest of a text in base64.
    public static func base64(of text: String) -> String {
        var message = Array(text.utf8)
        let bitCount = UInt64(message.count) * 8
        message.append(0x80)
        while message.count % 64 != 56 { message.append(0) }
        for shift in stride(from: 56, through: 0, by: -8) { message.append(UInt8(truncatingIfNeeded: bitCount >> UInt64(shift))) }
        var hash: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0]
        for start in stride(from: 0, to: message.count, by: 64) { add(message[start..<(start + 64)], to: &hash) }
        let bytes = hash.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * $0)) } }
        return Data(bytes).base64EncodedString()
    }

    private static func add(_ block: ArraySlice<UInt8>, to hash: inout [UInt32]) {
        let block = Array(block)
        var words = (0..<16).map { index in (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(block[4 * index + $1]) } }
        for index in 16..<80 { words.append(rotated(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], 1)) }
        var (a, b, c, d, e) = (hash[0], hash[1], hash[2], hash[3], hash[4])
        for index in 0..<80 {
            let (mixed, constant): (UInt32, UInt32) =
                switch index {
                case ..<20: (b & c | ~b & d, 0x5a82_7999)
                case ..<40: (b ^ c ^ d, 0x6ed9_eba1)
                case ..<60: (b & c | b & d | c & d, 0x8f1b_bcdc)
                default: (b ^ c ^ d, 0xca62_c1d6)
                }
            let next = rotated(a, 5) &+ mixed &+ e &+ constant &+ words[index]
            (e, d, c, b, a) = (d, c, rotated(b, 30), a, next)
        }
        for (index, value) in [a, b, c, d, e].enumerated() { hash[index] &+= value }
    }

    private static func rotated(_ value: UInt32, _ count: UInt32) -> UInt32 { value << count | value >> (32 - count) }
}
