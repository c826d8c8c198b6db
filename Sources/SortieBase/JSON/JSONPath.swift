/// A path to values inside a JSON value: `$.items[0].id`, `$['odd name']`, `$.items[-1]`, `$.items[*].id`, `$..id`.
///
/// A subset of RFC 9535: names, indices (negative ones count from the end), wildcards and descendants; no slices, unions or filters.
/// A name needs no quotes when it consists of letters, digits, `_`, `-`, `$`, `@`, `:` and non-ASCII characters other than whitespace.
public struct JSONPath: Hashable, Sendable {
    /// The children that a step selects.
    package enum Selector: Hashable, Sendable {
        /// A member of an object; the last one where the name occurs more than once.
        case name(String)
        /// An item of an array; -1 is the last one.
        case index(Int)
        /// All members or items.
        case wildcard
    }

    /// One step.
    package struct Step: Hashable, Sendable {
        /// The selected children.
        package var selector: Selector
        /// Whether the step also selects among all descendants (`..`).
        package var isRecursive: Bool

        /// Creates a step.
        package init(_ selector: Selector, isRecursive: Bool = false) {
            self.selector = selector
            self.isRecursive = isRecursive
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
        steps = try parser.steps()
    }

    /// Whether the path selects at most one value.
    public var isSingular: Bool { steps.allSatisfy { !$0.isRecursive && $0.selector != .wildcard } }

    /// The path with one more step.
    package func appending(_ selector: Selector) -> JSONPath { JSONPath(steps: steps + [Step(selector)]) }
}

extension JSONPath: CustomStringConvertible {
    /// The path in its shortest spelling.
    public var description: String {
        steps.reduce(into: "$") { text, step in
            switch step.selector {
            case .name(let name) where JSONPathParser.isPlain(name): text += (step.isRecursive ? ".." : ".") + name
            case .wildcard: text += step.isRecursive ? "..*" : "[*]"
            case .name(let name): text += (step.isRecursive ? ".." : "") + "['\(Self.escaped(name))']"
            case .index(let index): text += (step.isRecursive ? ".." : "") + "[\(index)]"
            }
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
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
