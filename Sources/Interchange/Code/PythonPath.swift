internal import SortieBase

/// JSON paths as literals for the functions of ``PythonRuntime``.
enum PythonPath {
    /// The steps of a path as a list of lists of selectors; a filter is a function of the tested value and the root.
    static func text(_ path: JSONPath) -> String {
        let steps = path.steps.map { step in
            let selectors = step.selectors.map { selector in
                switch selector {
                case .name(let name): PythonText.string(name)
                case .index(let index): String(index)
                case .wildcard: "ANY"
                case .slice(let slice):
                    "slice(\(slice.start.map(String.init) ?? "None"), \(slice.end.map(String.init) ?? "None"), \(slice.step))"
                case .filter(let filter): "lambda item, root: \(text(filter))"
                }
            }
            return "[" + ((step.isRecursive ? ["DEEP"] : []) + selectors).joined(separator: ", ") + "]"
        }
        return "[\(steps.joined(separator: ", "))]"
    }

    private static func text(_ filter: JSONPathFilter) -> String {
        switch filter {
        case .or(let left, let right): "(\(text(left)) or \(text(right)))"
        case .and(let left, let right): "(\(text(left)) and \(text(right)))"
        case .not(let inner): "(not \(text(inner)))"
        case .exists(let query): "bool(\(text(query)))"
        case .compare(let left, let comparison, let right): "compares(\(text(left)), \"\(comparison.rawValue)\", \(text(right)))"
        case .matches(let value, let pattern, let isWhole): "matches(\(text(value)), \(text(pattern)), \(isWhole ? "True" : "False"))"
        }
    }

    private static func text(_ query: JSONPathFilter.Query) -> String {
        "find(\(text(query.path)), \(query.isRelative ? "item" : "root"), root)"
    }

    private static func text(_ operand: JSONPathFilter.Operand) -> String {
        switch operand {
        case .literal(let value): text(value)
        case .query(let query), .value(let query): "single(\(text(query)))"
        case .length(let operand): "length(\(text(operand)))"
        case .count(let query): "Number(len(\(text(query))))"
        }
    }

    private static func text(_ value: JSONValue) -> String {
        switch value {
        case .null: "None"
        case .bool(let value): value ? "True" : "False"
        case .number(let digits): "Number(\(PythonText.string(digits)))"
        case .string(let text): PythonText.string(text)
        case .array(let items): "[\(items.map(text).joined(separator: ", "))]"
        case .object(let members): "{\(members.map { "\(PythonText.string($0.key)): \(text($0.value))" }.joined(separator: ", "))}"
        }
    }
}
