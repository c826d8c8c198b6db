/// Reads the fields of a message from its bytes.
package struct ProtobufReader {
    private var rest: ArraySlice<UInt8>
    private let depth: Int

    /// The largest accepted nesting, which is that of Google's implementations.
    static let depthLimit = 100

    package init(_ bytes: ArraySlice<UInt8>, depth: Int = 0) throws(ProtobufError) {
        guard depth <= Self.depthLimit else { throw ProtobufError("the message is nested deeper than \(Self.depthLimit) levels") }
        rest = bytes
        self.depth = depth
    }

    /// The next field; nil at the end.
    ///
    /// - Throws: An error for bytes that are not a message.
    package mutating func next() throws(ProtobufError) -> (number: Int, value: ProtobufWireValue)? {
        guard !rest.isEmpty else { return nil }
        let tag = try varint()
        guard tag >> 3 > 0, tag >> 3 < 1 << 29 else { throw ProtobufError("the message has a field with the invalid number \(tag >> 3)") }
        let number = Int(tag >> 3)
        switch tag & 7 {
        case 0: return (number, .varint(try varint()))
        case 1: return (number, .fixed64(try fixed(8)))
        case 2: return (number, .bytes(try take(try varint())))
        case 3: return (number, .group(try group(number)))
        case 5: return (number, .fixed32(UInt32(truncatingIfNeeded: try fixed(4))))
        case let type: throw ProtobufError("field \(number) of the message has the invalid wire type \(type)")
        }
    }

    /// The next number of a packed field; nil at the end.
    mutating func nextPacked(_ kind: ProtobufField.Kind) throws(ProtobufError) -> ProtobufWireValue? {
        guard !rest.isEmpty else { return nil }
        return switch kind.wireType {
        case 1: .fixed64(try fixed(8))
        case 5: .fixed32(UInt32(truncatingIfNeeded: try fixed(4)))
        default: .varint(try varint())
        }
    }

    private mutating func varint() throws(ProtobufError) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: 0 as UInt64, to: 70, by: 7) {
            guard let byte = rest.popFirst() else { throw .truncated }
            value |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return value }
        }
        throw ProtobufError("the message has a number of more than 10 bytes")
    }

    private mutating func fixed(_ count: Int) throws(ProtobufError) -> UInt64 {
        try take(UInt64(count)).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private mutating func take(_ count: UInt64) throws(ProtobufError) -> ArraySlice<UInt8> {
        guard count <= rest.count else { throw .truncated }
        defer { rest = rest.dropFirst(Int(count)) }
        return rest.prefix(Int(count))
    }

    /// The bytes up to the end of a group, and removes its end.
    private mutating func group(_ number: Int) throws(ProtobufError) -> ArraySlice<UInt8> {
        let start = rest
        var inner = try ProtobufReader(rest, depth: depth + 1)
        while true {
            let end = inner.rest.startIndex
            guard let tag = inner.rest.first else { throw .truncated }
            if tag & 7 == 4 {
                guard try inner.varint() >> 3 == UInt64(number) else {
                    throw ProtobufError("a group of the message does not end with its own number")
                }
                rest = inner.rest
                return start[start.startIndex..<end]
            }
            _ = try inner.next()
        }
    }
}

extension ProtobufError {
    fileprivate static let truncated = ProtobufError("the message ends in the middle of a field")
}

/// The value of a field on the wire (Protocol Buffers encoding, “Message Structure”).
package enum ProtobufWireValue {
    /// Wire type 0.
    case varint(UInt64)
    /// Wire type 1.
    case fixed64(UInt64)
    /// Wire type 2: a text, bytes, a message or packed numbers.
    case bytes(ArraySlice<UInt8>)
    /// Wire types 3 and 4: the fields between the start and the end of a group.
    case group(ArraySlice<UInt8>)
    /// Wire type 5.
    case fixed32(UInt32)
}
