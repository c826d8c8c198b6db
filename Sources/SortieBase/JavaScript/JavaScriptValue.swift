/// A value of an evaluated script.
package enum JavaScriptValue {
    case undefined, null
    case boolean(Bool)
    case number(Double)
    case string(String)
    case array(JavaScriptArray)
    case object(JavaScriptObject)
    case function(JavaScriptFunction, JavaScriptScope)
    /// A function of the caller, or one that every script has.
    case native(String)
    case pattern(TextPattern)
    /// What `match` found, of which only its presence is known.
    case match
}

/// An array, which variables share.
package final class JavaScriptArray {
    var items: [JavaScriptValue]

    init(_ items: [JavaScriptValue]) { self.items = items }
}

/// An object, which variables share.
package final class JavaScriptObject {
    var members: [String: JavaScriptValue] = [:]
    /// The names in the order in which they were added.
    var names: [String] = []

    func set(_ name: String, _ value: JavaScriptValue) {
        if members.updateValue(value, forKey: name) == nil { names.append(name) }
    }
}

/// The variables of a block or a function.
package final class JavaScriptScope {
    var values: [String: JavaScriptValue] = [:]
    let parent: JavaScriptScope?
    /// Whether it is that of a function or of the script, which has the names of `var`.
    let isFunction: Bool

    init(in parent: JavaScriptScope?, isFunction: Bool) { (self.parent, self.isFunction) = (parent, isFunction) }

    /// The scope with a variable; nil where none has it.
    func owner(of name: String) -> JavaScriptScope? {
        var scope: JavaScriptScope? = self
        while let current = scope {
            if current.values[name] != nil { return current }
            scope = current.parent
        }
        return nil
    }

    /// The scope of the names that `var` declares.
    var ofFunction: JavaScriptScope {
        var scope = self
        while !scope.isFunction, let parent = scope.parent { scope = parent }
        return scope
    }
}

extension JavaScriptValue {
    /// Whether a condition with the value holds (ECMA-262 §7.1.2).
    package var isTrue: Bool {
        switch self {
        case .undefined, .null: false
        case .boolean(let value): value
        case .number(let value): value != 0 && !value.isNaN
        case .string(let text): !text.isEmpty
        case .array, .object, .function, .native, .pattern, .match: true
        }
    }

    /// The value as a text (ECMA-262 §7.1.17); nil for a function, a pattern or an object.
    package var text: String? {
        switch self {
        case .undefined: "undefined"
        case .null: "null"
        case .boolean(let value): value ? "true" : "false"
        case .number(let value): Self.text(of: value)
        case .string(let text): text
        case .array, .object, .function, .native, .pattern, .match: nil
        }
    }

    /// The value as a number (ECMA-262 §7.1.4); not a number for what is none.
    package var number: Double {
        switch self {
        case .null: return 0
        case .boolean(let value): return value ? 1 : 0
        case .number(let value): return value
        case .string(let text):
            let digits = text.trimmingBlanks
            if digits.isEmpty { return 0 }
            if digits.hasPrefix("0x") || digits.hasPrefix("0X") { return UInt64(digits.dropFirst(2), radix: 16).map(Double.init) ?? .nan }
            // Swift also reads words such as “inf”.
            guard digits.utf8.allSatisfy({ ASCII.isDigit($0) || "+-.eE".utf8.contains($0) }) else { return .nan }
            return Double(digits.hasSuffix(".") ? String(digits.dropLast()) : digits) ?? .nan
        case .undefined, .array, .object, .function, .native, .pattern, .match: return .nan
        }
    }

    private static func text(of number: Double) -> String {
        if number.isNaN { return "NaN" }
        if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
        return number == number.rounded() && abs(number) < 1e15 ? String(Int64(number)) : String(number)
    }

    /// `===` (ECMA-262 §7.2.15).
    func isIdentical(to other: JavaScriptValue) -> Bool {
        switch (self, other) {
        case (.undefined, .undefined), (.null, .null): true
        case (.boolean(let left), .boolean(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        // Without the equivalence of composed characters.
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.array(let left), .array(let right)): left === right
        case (.object(let left), .object(let right)): left === right
        case (.native(let left), .native(let right)): left == right
        default: false
        }
    }

    /// `==` (ECMA-262 §7.2.14); nil for objects beside other values.
    func isEqual(to other: JavaScriptValue) -> Bool? {
        switch (self, other) {
        case (.undefined, .null), (.null, .undefined): return true
        case (.undefined, _), (.null, _), (_, .undefined), (_, .null): return isIdentical(to: other)
        case (.number, .string), (.string, .number), (.boolean, .number), (.number, .boolean), (.boolean, .string), (.string, .boolean):
            return number == other.number
        case (.number, .number), (.string, .string), (.boolean, .boolean), (.array, .array), (.object, .object): return isIdentical(to: other)
        default: return nil
        }
    }
}
