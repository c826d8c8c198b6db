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
