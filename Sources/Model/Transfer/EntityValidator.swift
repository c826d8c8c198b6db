/// What tells whether a file behind a URL is still the one of which a part is here (RFC 9110 §8.8).
public enum EntityValidator: Hashable, Sendable {
    /// A strong entity tag with its quotes: equal tags mean equal bytes.
    case strong(String)
    /// `Last-Modified` as it came, old enough when it came to be taken for unchanged bytes.
    case lastModified(String)
    /// Nothing that bytes could be trusted on.
    case none

    /// How much older than the answer `Last-Modified` must be, in seconds.
    ///
    /// RFC 9110 §8.8.2.2 asks for one; clocks of caches and servers differ by more.
    public static let leastAge: Int64 = 60

    /// What an answer says of its bytes.
    ///
    /// Beside an entity tag, even a weak one, no date may be used as a condition (RFC 9110 §13.1.5).
    public init(_ headers: Headers) {
        if let tag = headers["ETag"], !tag.isEmpty {
            self = Self.isStrong(tag) ? .strong(tag) : .none
        } else if let modified = headers["Last-Modified"], let date = headers["Date"].flatMap({ HTTPDate($0) }),
            let changed = HTTPDate(modified), date.seconds - changed.seconds >= Self.leastAge
        {
            self = .lastModified(modified)
        } else {
            self = .none
        }
    }

    /// The value of `If-Range`, nil where there must be none.
    public var ifRange: String? {
        switch self {
        case .strong(let value), .lastModified(let value): value
        case .none: nil
        }
    }

    /// Whether equal validators mean equal bytes.
    public var isStrong: Bool {
        if case .strong = self { true } else { false }
    }

    /// Whether an entity tag is a strong one, and not an empty one.
    static func isStrong(_ tag: String) -> Bool {
        tag.utf8.count > 2 && tag.utf8.first == UInt8(ascii: "\"") && tag.utf8.last == UInt8(ascii: "\"")
    }

    /// Whether two entity tags are the same by the weak comparison (RFC 9110 §8.8.3.2).
    static func isSame(_ left: String, _ right: String) -> Bool {
        func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }
        return opaque(left) == opaque(right)
    }
}
