internal import SortieBase

/// A block of a `.bru` file.
struct BruBlock {
    /// A row `name: value`; `~` before the name switches it off.
    struct Pair: Hashable {
        var name: String
        var value: String
        var isEnabled: Bool
        var place: SourceLocation
    }

    /// What a block contains.
    enum Content {
        case pairs([Pair])
        case list([String])
        case text(String)
    }

    var name: String
    var content: Content
    var place: SourceLocation

    /// The rows; none for other content.
    var pairs: [Pair] { if case .pairs(let pairs) = content { pairs } else { [] } }
    /// The text; empty for other content.
    var text: String { if case .text(let text) = content { text } else { "" } }
    /// The items of a list; none for other content.
    var items: [String] { if case .list(let items) = content { items } else { [] } }

    /// The value of the last enabled row with a name.
    subscript(name: String) -> String? { pairs.last { $0.name == name && $0.isEnabled }?.value }
}

extension [BruBlock] {
    /// The first block with a name.
    subscript(name: String) -> BruBlock? { first { $0.name == name } }
}
