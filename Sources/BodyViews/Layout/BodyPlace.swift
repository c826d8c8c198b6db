/// What a row of a formatted body belongs to: a value of JSON, or an element of XML or HTML.
package enum BodyPlace: Hashable, Sendable {
    case value(JSONPlace)
    case element(MarkupPlace)

    /// The offset at which it begins.
    package var start: Int {
        switch self {
        case .value(let place): place.start
        case .element(let place): place.start
        }
    }

    /// The depth of its row.
    var depth: Int {
        switch self {
        case .value(let place): place.depth
        case .element(let place): place.depth
        }
    }

    /// The offsets of what hides the row where it is folded, the outermost first.
    package var containers: [Int] {
        switch self {
        case .value(let place): place.containers
        case .element(let place): place.elements.prefix(place.hiding).map(\.start)
        }
    }

    /// An offset in the row of what it is in; nil at the top.
    package var parent: Int? {
        switch self {
        case .value(let place): place.parent
        case .element(let place): place.elements.dropLast().last?.start
        }
    }

    /// Whether it is the whole body.
    package var isWhole: Bool {
        switch self {
        case .value(let place): place.parent == nil && place.valueNumber == nil
        case .element(let place): place.elements.count == 1
        }
    }

    /// The name of a member or an element; nil for an item and for the top of JSON.
    package var key: String? {
        switch self {
        case .value(let place): place.key
        case .element(let place): place.name
        }
    }

    /// The path: a JSON path (RFC 9535), or an XPath.
    package var path: String {
        switch self {
        case .value(let place): "\(place.path)"
        case .element(let place): place.path
        }
    }

    /// The path; with the number of the value where the body has several.
    package var text: String {
        switch self {
        case .value(let place): place.text
        case .element(let place): place.path
        }
    }
}
