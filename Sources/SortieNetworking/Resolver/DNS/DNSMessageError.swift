/// Why a DNS answer from the network cannot be used (RFC 1035 §4).
enum DNSMessageError: Error, Hashable, CustomStringConvertible {
    /// The message is truncated at this byte.
    case ended(at: Int)
    /// A name at this byte is longer than 255 bytes, or a label has an undefined form.
    case badName(at: Int)
    /// A compression pointer does not point backwards, so following it might not terminate.
    case badPointer(at: Int)
    /// The header declares more records than the message can contain.
    case tooManyRecords(Int)
    /// The message is a question, or the answer to another question.
    case otherQuestion
    /// The server truncated the message because it was too long.
    case cut
    /// The server returned this error code (RFC 1035 §4.1.1).
    case refused(code: UInt8)
    /// An address record has this length in bytes.
    case badAddress(length: Int)
    /// The text is not a valid DNS name.
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
