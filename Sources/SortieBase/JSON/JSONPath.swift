/// A path to values inside a JSON value (RFC 9535): `$.items[0].id`, `$['odd name']`, `$.items[-1]`, `$.items[1:3]`, `$..id`, `$.items[?@.price > 10]`.
///
/// Beyond RFC 9535, a name after a dot needs no quotes when it consists of letters, digits, `_`, `-`, `$`, `@`, `:` and non-ASCII characters other than
/// whitespace.
public struct JSONPath: Hashable, Sendable {
    /// The children that a step selects.
    package enum Selector: Hashable, Sendable {
        /// A member of an object; the last one where the name occurs more than once.
        case name(String)
        /// An item of an array; -1 is the last one.
        case index(Int)
        /// All members or items.
        case wildcard
        /// The items of a range with a step.
        case slice(JSONPathSlice)
        /// The members or items for which an expression holds.
        case filter(JSONPathFilter)
    }

    /// One step, a *segment* in RFC 9535.
    package struct Step: Hashable, Sendable {
        /// The selectors of the children, each of which adds its values.
        package var selectors: [Selector]
        /// Whether the step also selects among all descendants (`..`).
        package var isRecursive: Bool

        /// Creates a step with one selector.
        package init(_ selector: Selector, isRecursive: Bool = false) {
            self.init([selector], isRecursive: isRecursive)
        }

        /// Creates a step with several selectors.
        package init(_ selectors: [Selector], isRecursive: Bool = false) {
            self.selectors = selectors
            self.isRecursive = isRecursive
        }

        /// The name or index that the step selects; nil where it may select several values.
        package var singular: Selector? {
            guard !isRecursive, selectors.count == 1, let selector = selectors.first else { return nil }
            switch selector {
            case .name, .index: return selector
            case .wildcard, .slice, .filter: return nil
            }
        }
    }

    /// The steps from the root.
    package var steps: [Step]

    /// Creates a path from its steps; without steps, the path of the root.
    package init(steps: [Step] = []) {
        self.steps = steps
    }

    /// Parses a path.
    ///
    /// - Throws: A ``JSONPathError`` with the position of the error.
    public init(_ text: String) throws(JSONPathError) {
        var parser = JSONPathParser(text)
        steps = try parser.path()
    }

    /// Whether the path selects at most one value.
    public var isSingular: Bool { steps.allSatisfy { $0.singular != nil } }

    /// Whether a step has a filter, which depends on the values and not only on their places.
    package var hasFilter: Bool {
        steps.contains { $0.selectors.contains { if case .filter = $0 { true } else { false } } }
    }

    /// The path with one more step.
    package func appending(_ selector: Selector) -> JSONPath { JSONPath(steps: steps + [Step(selector)]) }
}

extension JSONPath: CustomStringConvertible {
    /// The path in its shortest spelling.
    public var description: String { text(root: "$") }

    /// The path after `$` or `@`.
    func text(root: String) -> String {
        steps.reduce(into: root) { text, step in
            let recursion = step.isRecursive ? ".." : ""
            switch step.selectors.first {
            case .name(let name) where step.selectors.count == 1 && JSONPathParser.isPlain(name): text += (step.isRecursive ? ".." : ".") + name
            case .wildcard where step.selectors.count == 1 && step.isRecursive: text += "..*"
            default: text += "\(recursion)[\(step.selectors.map(\.text).joined(separator: ", "))]"
            }
        }
    }
}

extension JSONPath.Selector {
    /// Whether the selector selects an item of an array, where that does not depend on the values.
    package func selects(_ index: Int, of count: Int) -> Bool {
        switch self {
        case .index(let wanted): index == wanted || index - count == wanted
        case .slice(let slice): slice.contains(index, of: count)
        case .wildcard: true
        case .name, .filter: false
        }
    }

    /// The text between brackets.
    var text: String {
        switch self {
        case .name(let name): "'\(Self.escaped(name))'"
        case .index(let index): String(index)
        case .wildcard: "*"
        case .slice(let slice): slice.description
        case .filter(let filter): "?\(filter)"
        }
    }

    private static func escaped(_ name: String) -> String {
        var text = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "'": text += "\\'"
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{0}"..."\u{1f}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
