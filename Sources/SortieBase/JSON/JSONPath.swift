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
            (self.selectors, self.isRecursive) = (selectors, isRecursive)
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
    package var isSingular: Bool { steps.allSatisfy { $0.singular != nil } }

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
        case .name(let name): "'\(JSONText.escaped(name, in: "'"))'"
        case .index(let index): String(index)
        case .wildcard: "*"
        case .slice(let slice): slice.description
        case .filter(let filter): "?\(filter)"
        }
    }
}

extension JSONPath {
    /// The default of the most values that a path may visit after its first `..`.
    public static let maximumValues = 10_000_000

    /// Every value that the path names, in the order of the document; empty where there is none.
    ///
    /// - Parameters:
    ///   - root: The document.
    ///   - limit: The maximum number of values that the steps may give together; each `..` may give one value as often as it is nested, so a short
    ///     path and a small body can mean billions.
    /// - Throws: A ``JSONPathLimit`` that names the limit, also when the task is cancelled.
    public func values(in root: JSONValue, limit: Int = maximumValues) throws(JSONPathLimit) -> [JSONValue] {
        var values: [JSONValue] = []
        let evaluation = JSONPathEvaluation(self, root: root, budget: JSONPathBudget(self, limit: limit))
        do throws(JSONEvaluationError) {
            try evaluation.run { (value) throws(JSONEvaluationError) in values.append(value) }
        } catch {
            throw JSONPathLimit(path: description, limit: limit, isCancelled: error == .stopped)
        }
        return values
    }

    /// The first value that the path names; nil where there is none, and where the path exceeds the limit of ``values(in:limit:)``.
    public func first(in root: JSONValue) -> JSONValue? {
        do throws(JSONPathLimit) { return try values(in: root).first } catch { return nil }
    }

    /// The value of a path that names one, a list of the values of one that may name many; nil where the former names none.
    ///
    /// - Throws: A ``JSONPathLimit``, as ``values(in:limit:)``, for a path that may name many.
    public func result(in root: JSONValue) throws(JSONPathLimit) -> JSONValue? {
        isSingular ? first(in: root) : .array(try values(in: root))
    }
}

/// What an evaluation of a path may still use, which the paths inside its filters share.
final class JSONPathBudget {
    private let path: JSONPath
    /// How many values may be visited; nil for no limit.
    private let limit: Int?
    private var visited = 0
    /// The number of values after which a cancellation of the task is noticed.
    private static let checkInterval = 4096
    private let patterns: JSONPatternBudget
    /// Called for each visited value; throws when the work was cancelled.
    private let step: () throws(JSONEvaluationError) -> Void

    init(
        _ path: JSONPath, limit: Int?, patterns: JSONPatternBudget = .init(), step: @escaping () throws(JSONEvaluationError) -> Void = {}
    ) {
        (self.path, self.limit, self.patterns, self.step) = (path, limit, patterns, step)
    }

    /// Counts a visited value, whether a filter then selects it or not.
    func count() throws(JSONEvaluationError) {
        try step()
        guard let limit else { return }
        guard visited < limit else { throw .failed("\(JSONPathLimit(path: path.description, limit: limit))", position: nil) }
        visited += 1
        if visited.isMultiple(of: Self.checkInterval), Task.isCancelled { throw .stopped }
    }

    /// Whether a text contains a match; false for a pattern that is not one (RFC 9535 §2.4.6).
    func isFound(_ pattern: String, in text: String) throws(JSONEvaluationError) -> Bool {
        do throws(PatternError) {
            return try patterns.isFound(pattern, in: text)
        } catch {
            guard patterns.isExhausted else { return false }
            throw .failed(error.message, position: nil)
        }
    }
}

/// The error for a text that is not a JSON path.
public struct JSONPathError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The parsed text.
    public var path: String
    /// The description of the problem and its remedy.
    public var message: String
    /// The position of the character in the text, from 1.
    public var position: Int

    /// Creates an error.
    package init(path: String, message: String, position: Int) {
        (self.path, self.message, self.position) = (path, message, position)
    }

    /// The complete message, with the path and the position.
    public var description: String { "the JSON path “\(path)” is invalid at character \(position): \(message)" }
}

/// A JSON path visits more values than it may.
public struct JSONPathLimit: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path as text.
    public let path: String
    /// How many values it may visit.
    public let limit: Int
    /// Whether the task was cancelled before the limit.
    public internal(set) var isCancelled = false

    /// The description of the problem and its remedy.
    public var description: String {
        if isCancelled { return "the evaluation of the JSON path \(path) was cancelled" }
        return "the JSON path \(path) visits more than \(limit) values; name the members instead of using .. repeatedly"
    }
}

/// A range of items with a step: `1:3`, `-2:`, `::2`, `::-1` (RFC 9535 §2.3.4).
package struct JSONPathSlice: Hashable, Sendable {
    /// The first item; negative values count from the end; nil for the first in the direction of the step.
    package var start: Int?
    /// The item after the last one; nil for the end in the direction of the step.
    package var end: Int?
    /// The distance of two items, which may be negative; 0 selects nothing.
    package var step: Int

    /// Creates a slice.
    package init(start: Int? = nil, end: Int? = nil, step: Int = 1) {
        (self.start, self.end, self.step) = (start, end, step)
    }

    /// The indices of an array with `count` items, in the order of the step.
    package func indices(of count: Int) -> StrideTo<Int> {
        func index(_ value: Int) -> Int { value < 0 ? count + value : value }
        if step > 0 {
            let low = start.map { min(max(index($0), 0), count) } ?? 0
            let high = end.map { min(max(index($0), 0), count) } ?? count
            return stride(from: low, to: max(low, high), by: step)
        }
        guard step < 0 else { return stride(from: 0, to: 0, by: 1) }
        let high = start.map { min(max(index($0), -1), count - 1) } ?? count - 1
        let low = end.map { min(max(index($0), -1), count - 1) } ?? -1
        return stride(from: high, to: min(low, high), by: step)
    }

    /// Whether an item of an array with `count` items is selected.
    package func contains(_ index: Int, of count: Int) -> Bool {
        let forward = JSONPathSlice(start: start, end: end, step: 1).indices(of: count)
        guard step > 0 else {
            guard step < 0, let first = indices(of: count).first(where: { _ in true }), index <= first, (first - index) % -step == 0 else {
                return false
            }
            return end.map { index > ($0 < 0 ? count + $0 : $0) } ?? (index >= 0)
        }
        guard let first = forward.first(where: { _ in true }), index >= first, (index - first) % step == 0 else { return false }
        return index < (end.map { $0 < 0 ? count + $0 : $0 } ?? count)
    }

    /// Whether an item is selected without the number of items being known; nil where it depends on that number.
    func contains(_ index: Int) -> Bool? {
        let low = start ?? 0
        guard step > 0, low >= 0, (end ?? 0) >= 0 else { return nil }
        return index >= low && index < (end ?? .max) && (index - low) % step == 0
    }
}

extension JSONPathSlice: CustomStringConvertible {
    package var description: String {
        "\(start.map(String.init) ?? ""):\(end.map(String.init) ?? "")\(step == 1 ? "" : ":\(step)")"
    }
}

/// The patterns of an evaluation: they share a budget of steps, and each is read once.
package final class JSONPatternBudget {
    private var left: Int
    private var known: [String: TextPattern] = [:]

    /// The maximum number of read patterns that are kept; a pattern may come from the text, so that there may be many.
    private static let keptPatterns = 16

    /// - Parameter steps: The steps of all comparisons together; each comparison also has the limit of ``TextPattern/maximumSteps``.
    package init(steps: Int = TextPattern.maximumSteps) { left = steps }

    /// Whether a comparison ended because of the budget.
    package private(set) var isExhausted = false

    /// Whether a text contains a match of a pattern.
    package func isFound(_ pattern: String, in text: String) throws(PatternError) -> Bool {
        let compiled: TextPattern
        if let pattern = known[pattern] {
            compiled = pattern
        } else {
            compiled = try TextPattern(pattern)
            if known.count >= Self.keptPatterns { known = [:] }
            known[pattern] = compiled
        }
        let budget = min(left, TextPattern.maximumSteps)
        var steps = budget
        defer { left -= budget - max(steps, 0) }
        do throws(PatternError) {
            return try compiled.isFound(in: text, steps: &steps)
        } catch {
            isExhausted = steps <= 0
            throw error
        }
    }
}
