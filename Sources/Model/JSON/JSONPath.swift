/// A way to values inside a JSON value: `$.items[0].id`, `$['odd name']`, `$.items[-1]`, `$.items[*].id`, `$..id`.
///
/// A subset of RFC 9535: names, indexes (negative ones count from the end), wildcards and descendants; no slices, unions or filters.
/// A name may stand without quotes when it holds only letters, digits, `_`, `-`, `$`, `@`, `:` or characters beyond ASCII.
public struct JSONPath: Hashable, Sendable {
    /// What a step takes of the value before it.
    public enum Selector: Hashable, Sendable {
        /// A member of an object; the last one where the name occurs twice.
        case name(String)
        /// An item of an array; -1 is the last.
        case index(Int)
        /// Every member or item.
        case wildcard
    }

    /// One step.
    public struct Step: Hashable, Sendable {
        /// What it takes.
        public var selector: Selector
        /// Whether it takes it of everything below too (`..`).
        public var isRecursive: Bool

        /// A step.
        public init(_ selector: Selector, isRecursive: Bool = false) {
            self.selector = selector
            self.isRecursive = isRecursive
        }
    }

    /// The steps from the root.
    public var steps: [Step]

    /// A path of its steps; none is the root itself.
    public init(steps: [Step] = []) {
        self.steps = steps
    }

    /// Reads a path.
    ///
    /// - Throws: a ``JSONPathError`` with the place of what is wrong.
    public init(_ text: String) throws(JSONPathError) {
        var parser = JSONPathParser(text)
        steps = try parser.steps()
    }

    /// Whether the path names at most one value.
    public var isSingular: Bool { steps.allSatisfy { !$0.isRecursive && $0.selector != .wildcard } }

    /// This path and one step more.
    public func appending(_ selector: Selector) -> JSONPath { JSONPath(steps: steps + [Step(selector)]) }
}

extension JSONPath: CustomStringConvertible {
    /// The path as text, in its shortest spelling.
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
