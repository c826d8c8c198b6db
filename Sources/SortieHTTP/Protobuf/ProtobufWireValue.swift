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
