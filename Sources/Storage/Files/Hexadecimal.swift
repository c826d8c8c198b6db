extension Sequence<UInt8> {
    /// The bytes of a digest as lowercase hexadecimal digits, two each.
    var hexadecimal: String { map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() }
}
