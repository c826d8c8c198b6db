internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Makes valid and unique identifiers of names.
struct CodeNames {
    /// How words are joined.
    enum Style {
        /// `list_orders`
        case snake
        /// `listOrders`
        case camel
        /// `ListOrders`
        case type
    }

    private var taken: Set<String>

    /// Creates a list without names.
    ///
    /// - Parameter reserved: identifiers that the code uses otherwise, such as keywords.
    init(reserved: Set<String>) { taken = reserved }

    /// An identifier of ASCII letters, digits and `_` that no other name has.
    mutating func name(for text: String, _ style: Style) -> String {
        let words = Self.words(of: text)
        let plain =
            switch style {
            case .snake: words.map { $0.lowercased() }.joined(separator: "_")
            case .type: words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
            case .camel:
                words.enumerated().map { $0 == 0 ? $1.prefix(1).lowercased() + $1.dropFirst() : $1.prefix(1).uppercased() + $1.dropFirst() }
                    .joined()
            }
        let start = plain.isEmpty ? (style == .type ? "Requests" : "request") : plain
        let first = start.first?.isNumber == true ? "_" + start : start
        var result = first
        var number = 2
        while !taken.insert(result).inserted {
            result = "\(first)_\(number)"
            number += 1
        }
        return result
    }

    private static func words(of text: String) -> [String] {
        text.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.map(String.init)
    }
}

/// How a value is written at its place in a text.
enum CodeNotation {
    case plain, url, form, json, xml

    /// The notation of a body by its media type.
    init(of request: Request, _ type: String?) {
        let known = (request.headers["Content-Type"] ?? type ?? "").lowercased()
        self =
            known.contains("json")
            ? .json : known.contains("urlencoded") ? .form : known.contains("xml") || known.contains("plist") ? .xml : .plain
    }
}

extension Condition {
    /// The name of the test in exported code, and what a value is compared with.
    ///
    /// - Parameter isText: Whether the value is that of a header field, whose type is that of its text.
    func named(ofText isText: Bool = false) -> (test: String, operands: [String]) {
        switch test {
        case .exists: ("exists", [])
        case .missing: ("missing", [])
        case .oneOf(let values): ("in", values)
        case .type(let type) where isText || type == .date: type.pattern.map { ("matches", [$0]) } ?? ("in", [])
        case .equals, .differs, .compares, .matches, .type, .length: (entry.key.word, [entry.operand])
        }
    }
}

extension ValueType {
    /// A regular expression for the texts of the type; nil where no text has it.
    fileprivate var pattern: String? {
        switch self {
        case .string: ""
        case .integer: "^[-+]?[0-9]+$"
        case .number: #"^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$"#
        case .boolean: "^(true|false|1|0)$"
        case .date: "^[0-9]{4}-[0-9]{2}-[0-9]{2}([Tt ].*)?$"
        case .null, .array, .object: nil
        }
    }
}

/// What the options of a request do that the code of other programs does not do.
enum CodeNotes {
    /// The sentences about parts of the expectation that exported programs do not check.
    static func expectation(of item: ExportSource.Item) -> [String] {
        item.expectation.partsBesideStatusAndRows.filter { $0 != "under" }.map { "the \($0) of the response is not checked" }
    }

    /// The sentences about conditions of success that exported programs do not check.
    static func answer(of item: ExportSource.Item) -> [String] {
        let rules = item.request.options.answer
        return [rules.schema == nil ? nil : "shape", rules.format == nil ? nil : "format"].compactMap(\.self).map { part in
            "the \(part) of the response is not checked"
        }
    }

    /// The sentence about captured values, which only the steps of a run have.
    static func captures(of item: ExportSource.Item, in source: ExportSource) -> [String] {
        let names = item.endpoint.captures.map(\.name)
        return source.run == nil && !names.isEmpty ? ["the values \(names.joined(separator: ", ")) are captured where a run is exported"] : []
    }

    /// The sentences about options that only Sortie has.
    static func options(of item: ExportSource.Item) -> [String] {
        var notes: [String] = []
        let options = item.request.options
        if options.retry?.parksWhenOffline == true { notes.append("the request is not kept while there is no network") }
        if let retry = options.retry, retry.limit > 0 { notes.append("failed requests are not repeated (retry: \(retry.limit))") }
        if !options.trust.pins.isEmpty || !options.trust.pinFiles.isEmpty { notes.append("the pinned keys are not checked") }
        if let addresses = options.resolution.configured(for: item.request.url), !addresses.fixed.isEmpty || !addresses.further.isEmpty {
            notes.append("the host is resolved by the system, not to the addresses of the service")
        }
        if options.resolution.server != nil { notes.append("the host is resolved by the system, not by DNS over HTTPS") }
        if options.interface != nil { notes.append("the network interface is the system's choice") }
        if !options.excludedNetworks.isEmpty { notes.append("no network is excluded") }
        if options.unixSocket != nil { notes.append("the Unix socket is not used") }
        if options.maximumUploadRate != nil { notes.append("the upload rate is not limited") }
        if let proxy = options.proxy, proxy.authentication != .basic { notes.append("the login of the proxy is sent as Basic") }
        if let proxy = options.proxy, !proxy.exceptions.isEmpty { notes.append("the exceptions of the proxy are not used") }
        return notes
    }
}
