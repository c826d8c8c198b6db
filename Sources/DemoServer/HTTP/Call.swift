import FlyingFox
import Foundation
import SortieBase

/// A request as it is passed to a route.
struct Call: Sendable {
    let method: String
    /// The path exactly as sent, including percent escapes.
    let rawPath: String
    /// The query exactly as sent, without the question mark.
    let rawQuery: String
    /// The query decoded by the form rule, where `+` is a space.
    let query: QueryItems
    let headers: HTTPHeaders
    let body: RequestBody
    /// The port of the client; nil for a connection without ports.
    let clientPort: UInt16?
    /// The decoded values of the route's `{name}` segments.
    var parameters: [String: String] = [:]

    init(_ request: HTTPRequest) {
        method = request.method.rawValue
        rawPath = Call.path(of: request.target.path())
        rawQuery = request.target.query()
        query = QueryItems(rawQuery, plusIsSpace: true)
        headers = request.headers
        body = RequestBody(request.bodySequence)
        clientPort = if case .ip4(_, let port)? = request.remoteAddress { port } else { nil }
    }

    /// Removes scheme and host of the absolute form that clients send through a proxy (RFC 9112 §3.2.2).
    private static func path(of target: String) -> String {
        guard target.lowercased().hasPrefix("http://") else { return target }
        let rest = target.dropFirst(7)
        return rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "/"
    }

    func header(_ name: String) -> String? {
        headers[HTTPHeader(name)]
    }

    /// The media type of the body in lower case, without parameters.
    var mediaType: String {
        let type = header("Content-Type")?.split(separator: ";", omittingEmptySubsequences: false).first ?? ""
        return type.trimmingCharacters(in: .whitespaces).lowercased()
    }

    /// An integer from the query.
    ///
    /// - Throws: A 400 when the text is not an integer or is outside the range.
    func integer(_ name: String, default value: Int, in range: ClosedRange<Int>) throws -> Int {
        guard let text = query[name] else { return value }
        guard let number = Int(text), range.contains(number) else {
            throw Problem(400, "\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound), not \"\(text)\".")
        }
        return number
    }

    /// A number of seconds from the query; may have a fraction.
    ///
    /// - Throws: A 400 when the text is not a number or is outside the range.
    func seconds(_ name: String, default value: Double, upTo limit: Double) throws -> Double {
        guard let text = query[name] else { return value }
        return try Call.seconds(text, named: name, upTo: limit)
    }

    static func seconds(_ text: String, named name: String, upTo limit: Double) throws -> Double {
        guard let number = Double(text), number >= 0, number <= limit else {
            throw Problem(400, "\(name) must be a number of seconds from 0 to \(Int(limit)), like 1.5, not \"\(text)\".")
        }
        return number
    }

    /// A number of bytes from the query with an optional unit: 100MB, 1.5GiB, 64k.
    ///
    /// - Throws: A 400 when the text is not a size or exceeds `limit`.
    func byteSize(_ name: String, default value: Int, upTo limit: Int) throws -> Int {
        guard let text = query[name] else { return value }
        guard let size = ByteCount(parsing: text)?.bytes, size <= limit else {
            throw Problem(400, "\(name) must be a size of at most \(limit) bytes, like 500000, 20MB or 1GiB, not \"\(text)\".")
        }
        return Int(size)
    }

    func flag(_ name: String, default value: Bool) throws -> Bool {
        switch query[name] {
        case nil: value
        case "true", "1", "yes", "": true
        case "false", "0", "no": false
        case let text?: throw Problem(400, "\(name) must be true or false, not \"\(text)\".")
        }
    }

    func parameter(_ name: String) -> String {
        parameters[name] ?? ""
    }
}

/// The decoded pairs of a query string or a form body, in order.
struct QueryItems: Sendable {
    struct Item: Sendable, Equatable {
        let name: String
        /// Nil when the item has no `=`.
        let value: String?
    }

    let items: [Item]

    /// Splits at `&` and `=` and decodes percent escapes.
    ///
    /// - Parameter plusIsSpace: True for the form rule (WHATWG URL §5.1); false for the URL rule (RFC 3986), where
    ///   `+` is literal.
    init(_ text: String, plusIsSpace: Bool) {
        items = text.split(separator: "&", omittingEmptySubsequences: true).map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = PercentEncoding.decode(parts.first ?? "", plusIsSpace: plusIsSpace)
            return Item(name: name, value: parts.count > 1 ? PercentEncoding.decode(parts[1], plusIsSpace: plusIsSpace) : nil)
        }
    }

    /// The first value of a name; an item without `=` has an empty value.
    subscript(name: String) -> String? {
        items.first { $0.name == name }.map { $0.value ?? "" }
    }

    var json: JSON {
        .array(items.map { [.string($0.name), .optional($0.value)] })
    }
}
