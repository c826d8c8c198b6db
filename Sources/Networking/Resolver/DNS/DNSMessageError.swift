/// Why bytes are no DNS answer that can be used (RFC 1035 §4): the network sent them, so anything may be wrong with them.
enum DNSMessageError: Error, Hashable, CustomStringConvertible {
    /// The message ends at this byte, in the middle of something.
    case ended(at: Int)
    /// A name is longer than 255 bytes, or a label has a form that nobody defined, at this byte.
    case badName(at: Int)
    /// A pointer does not point backwards, so following it might never end.
    case badPointer(at: Int)
    /// The header promises more records than the bytes could hold.
    case tooManyRecords(Int)
    /// It is a question, or the answer to another one.
    case otherQuestion
    /// The server left something out because the message was too long.
    case cut
    /// The server refused to answer, with this code (RFC 1035 §4.1.1).
    case refused(code: UInt8)
    /// A record of an address has this many bytes.
    case badAddress(length: Int)
    /// This text is no name that DNS can be asked for.
    case unaskable(String)

    var description: String {
        switch self {
        case .ended(let offset): "the DNS message ends in the middle, at byte \(offset)"
        case .badName(let offset): "the DNS message has a malformed name at byte \(offset)"
        case .badPointer(let offset): "the DNS message has a pointer that leads in a circle, at byte \(offset)"
        case .tooManyRecords(let count): "the DNS message promises \(count) records, more than it can hold"
        case .otherQuestion: "the DNS message is no answer to what was asked"
        case .cut: "the DNS message was cut by the server"
        case .refused(let code):
            switch code {
            case 1: "the DNS server did not understand the question"
            case 2: "the DNS server failed (SERVFAIL)"
            case 3: "the name does not exist"
            case 4: "the DNS server does not know this kind of question"
            case 5: "the DNS server refused to answer"
            default: "the DNS server answered with error \(code)"
            }
        case .badAddress(let length): "the DNS message has an address of \(length) bytes"
        case .unaskable(let host): "“\(host)” is no name that DNS can be asked for"
        }
    }
}
