/// The validator that shows whether the remote file is unchanged (RFC 9110 §8.8).
package enum EntityValidator: Hashable, Sendable {
    /// A strong entity tag with its quotes. Equal tags mean equal bytes.
    case strong(String)
    /// The `Last-Modified` value, which was old enough at the time of the response to identify the bytes.
    case lastModified(String)
    /// No validator that guarantees equal bytes.
    case none

    /// The least age of `Last-Modified` at the time of the response, in seconds.
    ///
    /// RFC 9110 §8.8.2.2 requires one second; the clocks of caches and servers differ by more.
    package static let leastAge: Int64 = 60

    /// Extracts the validator of a response.
    ///
    /// Where there is an entity tag, even a weak one, no date may be used as a condition (RFC 9110 §13.1.5).
    package init(_ headers: Headers) {
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

    /// The value of `If-Range`; nil where the field must not be sent.
    package var ifRange: String? {
        switch self {
        case .strong(let value), .lastModified(let value): value
        case .none: nil
        }
    }

    /// Whether equal validators guarantee equal bytes.
    package var isStrong: Bool {
        if case .strong = self { true } else { false }
    }

    /// Whether an entity tag is strong and not empty.
    package static func isStrong(_ tag: String) -> Bool {
        tag.utf8.count > 2 && tag.utf8.first == UInt8(ascii: "\"") && tag.utf8.last == UInt8(ascii: "\"")
    }

    /// Whether two entity tags are equal by weak comparison (RFC 9110 §8.8.3.2).
    package static func isSame(_ left: String, _ right: String) -> Bool {
        func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }
        return opaque(left) == opaque(right)
    }
}
