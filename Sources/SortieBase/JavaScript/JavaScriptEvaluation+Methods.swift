/// The functions and methods that every script has.
extension JavaScriptEvaluation {
    static let standardFunctions: Set = ["Array", "Object", "RegExp", "String", "Number", "Boolean", "parseInt", "parseFloat", "isNaN"]

    func callStandard(_ name: String, _ arguments: [JavaScriptValue]) throws(JavaScriptFailure) -> JavaScriptValue {
        switch name {
        case "Array":
            if arguments.count == 1, case .number(let count) = arguments[0] {
                guard count == 0 else { throw .unsupported("an array without elements is not evaluated") }
                return .array(JavaScriptArray([]))
            }
            return .array(JavaScriptArray(arguments))
        case "Object" where arguments.isEmpty: return .object(JavaScriptObject())
        case "RegExp":
            return try pattern(try text(arguments.first), flags: arguments.count > 1 ? try text(arguments[1]) : "")
        case "String": return .string(arguments.isEmpty ? "" : try text(arguments[0]))
        case "Number": return .number(arguments.first?.number ?? 0)
        case "Boolean": return .boolean(arguments.first?.isTrue ?? false)
        case "isNaN": return .boolean((arguments.first ?? .undefined).number.isNaN)
        case "parseInt":
            let radix = arguments.count > 1 ? arguments[1].number : 10
            guard radix == 10 || radix == 0 else { throw .unsupported("parseInt is evaluated for decimal numbers only") }
            return .number(Self.leadingNumber(of: try text(arguments.first), isInteger: true))
        case "parseFloat": return .number(Self.leadingNumber(of: try text(arguments.first), isInteger: false))
        default: throw .unsupported("“\(name)” is not evaluated")
        }
    }

    private static func leadingNumber(of text: String, isInteger: Bool) -> Double {
        let trimmed = text.trimmingBlanks
        var hasPoint = isInteger
        var digits = ""
        for character in trimmed {
            if character.isASCII, character.isNumber || digits.isEmpty && (character == "-" || character == "+") {
                digits.append(character)
            } else if character == ".", !hasPoint {
                hasPoint = true
                digits.append(character)
            } else {
                break
            }
        }
        return JavaScriptValue.string(digits.isEmpty ? "-" : digits).number
    }

    func pattern(_ text: String, flags: String) throws(JavaScriptFailure) -> JavaScriptValue {
        // With `g`, the result of `test` depends on the calls before.
        guard flags.allSatisfy({ $0 == "i" }) else { throw .unsupported("the flags \(flags.prefix(10)) of the regular expression are not evaluated") }
        do throws(PatternError) { return .pattern(try TextPattern(text, ignoringCase: flags.contains("i"), classes: .javaScript)) } catch {
            throw .unsupported("the regular expression is not evaluated: \(error)")
        }
    }

    private func text(_ value: JavaScriptValue?) throws(JavaScriptFailure) -> String {
        guard let text = (value ?? .undefined).text else { throw .unsupported("an object has no text here") }
        return text
    }

    /// The value of a member that is no method.
    mutating func member(_ name: String, of value: JavaScriptValue) throws(JavaScriptFailure) -> JavaScriptValue {
        switch value {
        case .string(let text):
            try count(text.utf8.count)
            if name == "length" { return .number(Double(text.utf16.count)) }
            if let index = Int(name) { return Self.character(at: index, of: text).map(JavaScriptValue.string) ?? .undefined }
        case .array(let array):
            if name == "length" { return .number(Double(array.items.count)) }
            if let index = Int(name) { return array.items.indices.contains(index) ? array.items[index] : .undefined }
        case .object(let object): return object.members[name] ?? .undefined
        case .undefined, .null: throw .unsupported("\(try text(value)) has no member \(name.prefix(60))")
        case .boolean, .number, .function, .native, .pattern, .match: break
        }
        throw .unsupported("the member \(name.prefix(60)) is not evaluated")
    }

    private static func character(at index: Int, of text: String) -> String? {
        let units = Array(text.utf16)
        return units.indices.contains(index) ? String(decoding: [units[index]], as: UTF16.self) : nil
    }

    mutating func callMethod(_ name: String, of value: JavaScriptValue, _ arguments: [JavaScriptValue]) throws(JavaScriptFailure) -> JavaScriptValue {
        switch value {
        case .string(let text):
            try count(text.utf8.count)
            return try callMethod(name, of: text, arguments)
        case .array(let array):
            try count(array.items.count)
            return try callMethod(name, of: array, arguments)
        case .object(let object) where name == "hasOwnProperty": return .boolean(object.members[try text(arguments.first)] != nil)
        case .pattern(let pattern) where name == "test": return .boolean(try isFound(pattern, in: try text(arguments.first)))
        case .number, .boolean:
            if name == "toString", arguments.isEmpty { return .string(try text(value)) }
        case .undefined, .null: throw .unsupported("\(try text(value)) has no method \(name.prefix(60))")
        default: break
        }
        throw .unsupported("the method \(name.prefix(60)) is not evaluated")
    }

    private mutating func isFound(_ pattern: TextPattern, in text: String) throws(JavaScriptFailure) -> Bool {
        // A step of a search is much less than one of an evaluation.
        let share = 100
        let before = stepsLeft * share
        var left = before
        let isFound: Bool
        do throws(PatternError) { isFound = try pattern.isFound(in: text, steps: &left) } catch {
            throw .unsupported("the regular expression is not evaluated: \(error)")
        }
        try count(steps: (before - left) / share)
        return isFound
    }

    private mutating func callMethod(_ name: String, of text: String, _ arguments: [JavaScriptValue]) throws(JavaScriptFailure) -> JavaScriptValue {
        let first = arguments.first ?? .undefined
        switch name {
        case "toLowerCase", "toLocaleLowerCase": return .string(text.lowercased())
        case "toUpperCase", "toLocaleUpperCase": return .string(text.uppercased())
        case "toString", "valueOf": return .string(text)
        case "trim": return .string(text.trimmingBlanks)
        case "charAt": return .string(try index(first).flatMap { Self.character(at: $0, of: text) } ?? "")
        case "charCodeAt":
            let units = Array(text.utf16)
            return .number(try index(first).flatMap { units.indices.contains($0) ? Double(units[$0]) : nil } ?? .nan)
        case "concat":
            var result = text
            for argument in arguments { result += try self.text(argument) }
            try count(result.utf8.count)
            return .string(result)
        case "match", "search":
            guard case .pattern(let pattern) = first else { throw .unsupported("\(name) is evaluated for a regular expression only") }
            let isFound = try isFound(pattern, in: text)
            if name == "match" { return isFound ? .match : .null }
            guard !isFound else { throw .unsupported("the place that search finds is not evaluated; write test") }
            return .number(-1)
        case "startsWith" where arguments.count == 1: return .boolean(Array(text.utf16).starts(with: try self.text(first).utf16))
        case "endsWith" where arguments.count == 1: return .boolean(text.utf16.reversed().starts(with: try self.text(first).utf16.reversed()))
        case "includes" where arguments.count == 1: return .boolean(Self.index(of: try self.text(first), in: text, from: 0) != nil)
        case "indexOf":
            let start = arguments.count > 1 ? try index(arguments[1]) ?? 0 : 0
            return .number(Self.index(of: try self.text(first), in: text, from: max(0, start)).map(Double.init) ?? -1)
        case "lastIndexOf":
            let (units, wanted) = (Array(text.utf16), Array(try self.text(first).utf16))
            guard wanted.count <= units.count else { return .number(-1) }
            try count(units.count * min(wanted.count, 64))
            let last = min(units.count - wanted.count, arguments.count > 1 ? max(0, try index(arguments[1]) ?? 0) : .max)
            let found = (0...last).last { units[$0...].starts(with: wanted) }
            return .number(found.map(Double.init) ?? -1)
        case "substring", "substr", "slice": return .string(try part(of: text, name, arguments))
        case "split":
            guard arguments.count == 1, case .string(let separator) = first else { throw .unsupported("split is evaluated for a text only") }
            let parts =
                separator.isEmpty
                ? text.unicodeScalars.map { String($0) }
                : text.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
            try count(parts.count * 16)
            return .array(JavaScriptArray(parts.map(JavaScriptValue.string)))
        case "replace":
            guard arguments.count == 2, case .string(let old) = first, case .string(let new) = arguments[1], !new.contains("$") else {
                throw .unsupported("replace is evaluated for texts only")
            }
            try count(text.utf8.count + new.utf8.count)
            return .string(old.isEmpty ? new + text : text.replacing(old, with: new, maxReplacements: 1))
        default: throw .unsupported("the method \(name.prefix(60)) of a text is not evaluated")
        }
    }

    /// A whole number, 0 for a missing one.
    private func index(_ value: JavaScriptValue) throws(JavaScriptFailure) -> Int? {
        if case .undefined = value { return 0 }
        let number = value.number
        if number.isNaN { return 0 }
        guard abs(number) < 1e9 else { return number < 0 ? -1_000_000_000 : 1_000_000_000 }
        return Int(number)
    }

    private static func index(of wanted: String, in text: String, from start: Int) -> Int? {
        let (units, wanted) = (Array(text.utf16), Array(wanted.utf16))
        guard start + wanted.count <= units.count else { return wanted.isEmpty ? units.count : nil }
        return (start...(units.count - wanted.count)).first { units[$0...].starts(with: wanted) }
    }

    /// `substring`, `substr` and `slice` of a text.
    private func part(of text: String, _ name: String, _ arguments: [JavaScriptValue]) throws(JavaScriptFailure) -> String {
        let units = Array(text.utf16)
        func bounded(_ value: Int) -> Int { min(max(0, value), units.count) }
        func fromEnd(_ value: Int) -> Int { bounded(value < 0 ? units.count + value : value) }
        let start = try index(arguments.first ?? .undefined) ?? 0
        var hasEnd = arguments.count > 1
        if hasEnd, case .undefined = arguments[1] { hasEnd = false }
        let second = hasEnd ? try index(arguments[1]) ?? 0 : units.count
        let range: (Int, Int)
        switch name {
        case "substring": range = (min(bounded(start), bounded(second)), max(bounded(start), bounded(second)))
        case "substr": range = (fromEnd(start), hasEnd ? bounded(fromEnd(start) + max(0, second)) : units.count)
        default: range = (fromEnd(start), hasEnd ? fromEnd(second) : units.count)
        }
        return range.0 < range.1 ? String(decoding: units[range.0..<range.1], as: UTF16.self) : ""
    }

    private mutating func callMethod(
        _ name: String, of array: JavaScriptArray, _ arguments: [JavaScriptValue]
    ) throws(JavaScriptFailure) -> JavaScriptValue {
        switch name {
        case "push":
            array.items += arguments
            return .number(Double(array.items.count))
        case "pop": return array.items.popLast() ?? .undefined
        case "indexOf", "includes":
            guard arguments.count == 1 else { break }
            let found = array.items.firstIndex { $0.isIdentical(to: arguments[0]) }
            return name == "includes" ? .boolean(found != nil) : .number(found.map(Double.init) ?? -1)
        case "concat":
            var items = array.items
            for argument in arguments { if case .array(let other) = argument { items += other.items } else { items.append(argument) } }
            try count(items.count * 16)
            return .array(JavaScriptArray(items))
        case "join":
            let separator = arguments.isEmpty ? "," : try text(arguments[0])
            var parts: [String] = []
            for item in array.items { parts.append(try text(item)) }
            let result = parts.joined(separator: separator)
            try count(result.utf8.count)
            return .string(result)
        default: break
        }
        throw .unsupported("the method \(name.prefix(60)) of an array is not evaluated")
    }
}
