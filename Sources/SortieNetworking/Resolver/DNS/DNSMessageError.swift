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
        case .badPointer(let offset): "the DNS message has a circular pointer at byte \(offset)"
        case .tooManyRecords(let count): "the DNS message announces \(count) records, more than it can contain"
        case .otherQuestion: "the DNS message does not match the query"
        case .cut: "the DNS message was truncated by the server"
        case .refused(let code):
            switch code {
            case 1: "the DNS server did not understand the query (FORMERR)"
            case 2: "the DNS server failed (SERVFAIL)"
            case 3: "the name does not exist"
            case 4: "the DNS server does not support this query (NOTIMP)"
            case 5: "the DNS server refused the query (REFUSED)"
            default: "the DNS server responded with error \(code)"
            }
        case .badAddress(let length): "the DNS message has an address of \(length) bytes"
        case .unaskable(let host): "“\(host)” is not a valid DNS name"
        }
    }
}
