/// Writes the fields of a message.
package struct ProtobufWriter {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func write(_ number: Int, varint value: UInt64) {
        tag(number, 0)
        append(varint: value)
    }

    package mutating func write(_ number: Int, bytes value: some Collection<UInt8>) {
        tag(number, 2)
        append(varint: UInt64(value.count))
        bytes += value
    }

    mutating func write(_ number: Int, group value: [UInt8]) {
        tag(number, 3)
        bytes += value
        tag(number, 4)
    }

    mutating func tag(_ number: Int, _ wireType: UInt64) { append(varint: UInt64(number) << 3 | wireType) }

    mutating func append(varint value: UInt64) {
        var value = value
        while value >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
            value >>= 7
        }
        bytes.append(UInt8(value))
    }

    mutating func append(fixed32 value: UInt32) { withUnsafeBytes(of: value.littleEndian) { bytes += $0 } }

    mutating func append(fixed64 value: UInt64) { withUnsafeBytes(of: value.littleEndian) { bytes += $0 } }
}
