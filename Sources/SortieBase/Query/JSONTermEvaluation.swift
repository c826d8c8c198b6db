/// Evaluates the terms of a filter: each result is passed on as soon as it is known.
final class JSONTermEvaluation {
    /// The memory that may still be used for values that are needed at the same time, in bytes.
    var left: Int
    let memoryLimit: Int
    var depth = 0
    /// The number of terms whose results are being made.
    private var active = 0
    private var untilCheck = JSONTermEvaluation.checkInterval
    let patterns: JSONPatternBudget
    private let isStopped: () -> Bool

    /// The number of steps until the next check for a cancellation.
    private static let checkInterval = 4096
    /// The greatest number of terms whose results are made at the same time; each of them takes a part of the stack.
    private static let activeLimit = 400

    init(memoryLimit: Int, patterns: JSONPatternBudget, isStopped: @escaping () -> Bool) {
        left = memoryLimit
        (self.memoryLimit, self.patterns, self.isStopped) = (memoryLimit, patterns, isStopped)
    }

    typealias Value = JSONQueryValue
    typealias Emit = (JSONQueryValue) throws(JSONEvaluationError) -> Void

    /// Passes on the results of a term for an input.
    func run(_ term: JSONTerm, _ input: Value, _ emit: Emit) throws(JSONEvaluationError) {
        active += 1
        defer { active -= 1 }
        guard active <= Self.activeLimit else {
            throw .failed("more than \(Self.activeLimit) terms of the filter depend on each other; divide it into several filters", position: nil)
        }
        try step()
        switch term {
        case .identity: try emit(input)
        case .path(let path): try follow(path, input, emit)
        case .descendants: try descend(input, emit)
        case .field(let name, let position): try emit(try field(name, of: input, position))
        case .index(let index, let position): try emit(try item(index, of: input, position))
        case .slice(let slice, let position):
            let before = left
            defer { left = before }
            try emit(try self.slice(slice, of: input, position))
        case .iterate(let position):
            switch try input.kind {
            case .array, .object:
                try input.forEachChild { (_, child) throws(JSONEvaluationError) in
                    try emit(child)
                    return true
                }
            default: throw mismatch("cannot list the values of", input, position)
            }
        case .literal(let value): try emit(Value(value))
        case .interpolation(let parts): try interpolate(parts[...], "", input, emit)
        case .array(let term):
            let before = left
            defer { left = before }
            try emit(.array(try term.map { (term) throws(JSONEvaluationError) in try collect(term, input) } ?? []))
        case .object(let members): try object(members[...], [], input, emit)
        case .pipe(let first, let second):
            try run(first, input) { (value) throws(JSONEvaluationError) in try run(second, value, emit) }
        case .comma(let first, let second):
            try run(first, input, emit)
            try run(second, input, emit)
        case .alternative(let first, let second):
            var isFound = false
            do throws(JSONEvaluationError) {
                try run(first, input) { (value) throws(JSONEvaluationError) in
                    guard try value.isTrue else { return }
                    isFound = true
                    try emit(value)
                }
            } catch { guard error.isMismatch, !isFound else { throw error } }
            if !isFound { try run(second, input, emit) }
        case .or(let first, let second): try combine(first, second, input, endsWith: true, emit)
        case .and(let first, let second): try combine(first, second, input, endsWith: false, emit)
        case .compare(let first, let comparison, let second):
            try forEachPair(first, second, input) { (first, second) throws(JSONEvaluationError) in
                try emit(.bool(comparison.sorts(JSONOrder.compare(try first.json, try second.json))))
            }
        case .calculate(let first, let sign, let second, let position):
            try forEachPair(first, second, input) { (first, second) throws(JSONEvaluationError) in
                let before = left
                defer { left = before }
                let value = try calculate(first, sign, second, position)
                left = before
                try keep(value)
                try emit(value)
            }
        case .negative(let term, let position):
            try run(term, input) { (value) throws(JSONEvaluationError) in
                guard let number = try number(value) else { throw mismatch("cannot negate", value, position) }
                try emit(.number(-number))
            }
        case .conditional(let test, let then, let otherwise):
            try run(test, input) { (value) throws(JSONEvaluationError) in try run(try value.isTrue ? then : otherwise, input, emit) }
        case .attempt(let term):
            do throws(JSONEvaluationError) { try run(term, input, emit) } catch { guard error.isMismatch else { throw error } }
        case .call(let function, let arguments, let position): try call(function, arguments, input, position, emit)
        }
    }

    /// Counts a step of an evaluation, and ends it when the work was cancelled.
    func step() throws(JSONEvaluationError) {
        untilCheck -= 1
        guard untilCheck <= 0 else { return }
        untilCheck = Self.checkInterval
        if isStopped() { throw .stopped }
    }

    func mismatch(_ text: String, _ value: Value, _ position: Int) -> JSONEvaluationError {
        do throws(JSONEvaluationError) {
            return .failed("\(text) \(try value.kind.name); ? after it ignores that", position: position + 1)
        } catch {
            return error
        }
    }
}

extension JSONEvaluationError {
    /// Whether a value does not permit an operation, which `?` ignores.
    fileprivate var isMismatch: Bool {
        if case .failed(_, position: .some) = self { true } else { false }
    }
}

extension JSONPathFilter.ComparisonOperator {
    /// The result for the order of two values.
    fileprivate func sorts(_ order: Int) -> Bool {
        switch self {
        case .equal: order == 0
        case .unequal: order != 0
        case .less: order < 0
        case .lessOrEqual: order <= 0
        case .greater: order > 0
        case .greaterOrEqual: order >= 0
        }
    }
}

/// Terms that calculate.
extension JSONTermEvaluation {
    func calculate(_ first: Value, _ sign: Character, _ second: Value, _ position: Int) throws(JSONEvaluationError) -> Value {
        let kinds = (try first.kind, try second.kind)
        if let left = try number(first), let right = try number(second) {
            switch sign {
            case "+": return .number(left + right)
            case "-": return .number(left - right)
            case "*": return .number(left * right)
            default:
                guard right != 0 else { throw .failed("a number is divided by 0; ? after it ignores that", position: position + 1) }
                return .number(sign == "/" ? left / right : left.rounded(.towardZero).truncatingRemainder(dividingBy: right.rounded(.towardZero)))
            }
        }
        switch (sign, kinds.0, kinds.1) {
        case ("+", .null, _): return second
        case ("+", _, .null): return first
        case ("+", .string, .string): return .string(try first.plainText + second.plainText)
        case ("+", .array, .array): return .array(try children(of: first) + children(of: second))
        case ("-", .array, .array):
            let removed = try second.json
            guard case .array(let values) = removed else { return first }
            var kept: [Value] = []
            for item in try children(of: first) {
                try step()
                let value = try item.json
                if !values.contains(where: { JSONOrder.areEqual($0, value) }) { kept.append(item) }
            }
            return .array(kept)
        case ("+", .object, .object), ("*", .object, .object):
            var members = try self.members(of: first)
            for member in try self.members(of: second) {
                try step()
                if let index = members.firstIndex(where: { $0.name == member.name }) { members[index] = member } else { members.append(member) }
            }
            return .object(members)
        default: throw mismatch("cannot calculate \(kinds.0.name) \(sign)", second, position)
        }
    }

    func number(_ value: Value) throws(JSONEvaluationError) -> Double? {
        guard try value.kind == .number, case .number(let text) = try value.json else { return nil }
        return Double(text)
    }

    func text(_ value: Value, _ position: Int) throws(JSONEvaluationError) -> String {
        guard case .string(let text) = try value.json else { throw mismatch("a text is needed, not", value, position) }
        return text
    }
}

/// Terms that make texts and objects, and that combine the results of two terms.
extension JSONTermEvaluation {
    func interpolate(_ parts: ArraySlice<JSONTerm>, _ text: String, _ input: Value, _ emit: Emit) throws(JSONEvaluationError) {
        guard let part = parts.first else { return try emit(.string(text)) }
        try run(part, input) { (value) throws(JSONEvaluationError) in
            let before = left
            defer { left = before }
            let text = text + (try value.plainText)
            try keep(.string(text))
            try interpolate(parts.dropFirst(), text, input, emit)
        }
    }

    func object(
        _ members: ArraySlice<JSONTerm.Member>, _ made: [Value.Member], _ input: Value, _ emit: Emit
    ) throws(JSONEvaluationError) {
        guard let member = members.first else {
            let before = left
            defer { left = before }
            try keep(.object(made))
            return try emit(.object(made))
        }
        func add(_ name: String) throws(JSONEvaluationError) {
            try run(member.value, input) { (value) throws(JSONEvaluationError) in
                var made = made
                if let index = made.firstIndex(where: { $0.name == name }) {
                    made[index].value = value
                } else {
                    made.append(.init(name: name, value: value))
                }
                try object(members.dropFirst(), made, input, emit)
            }
        }
        // Without a call for a literal, so that an object may have more members.
        if case .literal(.string(let name)) = member.name { return try add(name) }
        try run(member.name, input) { (name) throws(JSONEvaluationError) in try add(try name.plainText) }
    }

    func combine(
        _ first: JSONTerm, _ second: JSONTerm, _ input: Value, endsWith end: Bool, _ emit: Emit
    ) throws(JSONEvaluationError) {
        try run(first, input) { (value) throws(JSONEvaluationError) in
            if try value.isTrue == end { return try emit(.bool(end)) }
            try run(second, input) { (value) throws(JSONEvaluationError) in try emit(.bool(try value.isTrue)) }
        }
    }

    func forEachPair(
        _ first: JSONTerm, _ second: JSONTerm, _ input: Value, _ visit: (Value, Value) throws(JSONEvaluationError) -> Void
    ) throws(JSONEvaluationError) {
        try run(second, input) { (right) throws(JSONEvaluationError) in
            try run(first, input) { (left) throws(JSONEvaluationError) in try visit(left, right) }
        }
    }
}

/// The values that are in memory at the same time.
extension JSONTermEvaluation {
    /// Counts a value that is kept.
    func keep(_ value: Value, _ more: Int = 0) throws(JSONEvaluationError) {
        left -= value.cost + more
        guard left >= 0 else {
            throw .failed(
                "more than \(ByteCount(memoryLimit).text) of values are needed at the same time; select fewer of them before they are collected",
                position: nil)
        }
    }

    /// Passes on a text that was made; the function that made it gives the memory back.
    func emitText(_ text: String, _ emit: Emit) throws(JSONEvaluationError) {
        try keep(.string(text))
        try emit(.string(text))
    }

    func collect(_ term: JSONTerm, _ input: Value) throws(JSONEvaluationError) -> [Value] {
        var values: [Value] = []
        try run(term, input) { (value) throws(JSONEvaluationError) in
            try keep(value)
            values.append(value)
        }
        return values
    }

    func children(of value: Value) throws(JSONEvaluationError) -> [Value] {
        if case .array(let items) = value { return items }
        var values: [Value] = []
        try value.forEachChild { (_, child) throws(JSONEvaluationError) in
            try keep(child)
            values.append(child)
            return true
        }
        return values
    }

    func members(of value: Value) throws(JSONEvaluationError) -> [Value.Member] {
        if case .object(let members) = value { return members }
        var members: [Value.Member] = []
        try value.forEachChild(named: true) { (name, child) throws(JSONEvaluationError) in
            let name = name ?? ""
            try keep(child, 32 + name.utf8.count)
            members.append(.init(name: name, value: child))
            return true
        }
        return members
    }
}

/// Functions that sort and group items.
extension JSONTermEvaluation {
    /// Functions of the order of items; false for another function.
    func callOnOrder(
        _ function: JSONFunction, _ arguments: [JSONTerm], _ input: Value, _ kind: JSONKind, _ position: Int, _ emit: Emit
    ) throws(JSONEvaluationError) -> Bool {
        let first = arguments.first ?? .identity
        switch function {
        case .sort: try emit(.array(try sorted(input, by: .identity, "sort", position).map(\.value)))
        case .sort_by: try emit(.array(try sorted(input, by: first, "sort_by", position).map(\.value)))
        case .group_by:
            try emit(.array(groups(of: try sorted(input, by: first, "group_by", position)).map { .array($0.map(\.value)) }))
        case .unique, .unique_by:
            let pairs = try sorted(input, by: first, function.rawValue, position)
            try emit(.array(groups(of: pairs).compactMap { $0.first?.value }))
        case .min, .min_by, .max, .max_by:
            let pairs = try sorted(input, by: first, function.rawValue, position)
            try emit((function == .min || function == .min_by ? pairs.first : pairs.last)?.value ?? .null)
        default: return false
        }
        return true
    }

    /// The items of an array in the order of a key.
    func sorted(
        _ input: Value, by term: JSONTerm, _ name: String, _ position: Int
    ) throws(JSONEvaluationError) -> [(key: JSONValue, value: Value)] {
        guard try input.kind == .array else { throw mismatch("\(name) needs an array, not", input, position) }
        var pairs: [(key: JSONValue, value: Value)] = []
        for item in try children(of: input) {
            var keys: [JSONValue] = []
            try run(term, item) { (key) throws(JSONEvaluationError) in keys.append(try key.json) }
            let key = keys.count == 1 ? keys[0] : .array(keys)
            try keep(.scalar(.null), Value(key).cost)
            pairs.append((key, item))
        }
        return pairs.enumerated().sorted { left, right in
            let order = JSONOrder.compare(left.element.key, right.element.key)
            return order == 0 ? left.offset < right.offset : order < 0
        }.map(\.element)
    }

    func groups(of pairs: [(key: JSONValue, value: Value)]) -> [[(key: JSONValue, value: Value)]] {
        var groups: [[(key: JSONValue, value: Value)]] = []
        for pair in pairs {
            if let last = groups.last?.first, JSONOrder.compare(last.key, pair.key) == 0 {
                groups[groups.count - 1].append(pair)
            } else {
                groups.append([pair])
            }
        }
        return groups
    }
}

/// Terms that read parts of the input.
extension JSONTermEvaluation {
    func follow(_ path: JSONPath, _ input: Value, _ emit: Emit) throws(JSONEvaluationError) {
        // The limit of values is for those in memory; the text of a body may be large.
        let isSource = if case .source = input { true } else { false }
        let budget = JSONPathBudget(path, limit: isSource ? nil : JSONPath.maximumValues, patterns: patterns) {
            () throws(JSONEvaluationError) in try self.step()
        }
        if case .source(let source) = input {
            try JSONPathEvaluation(path, root: source, budget: budget).run { (node) throws(JSONEvaluationError) in try emit(.source(node)) }
        } else {
            let evaluation = JSONPathEvaluation(path, root: try input.json, budget: budget)
            try evaluation.run { (value) throws(JSONEvaluationError) in try emit(Value(value)) }
        }
    }

    func field(_ name: String, of input: Value, _ position: Int) throws(JSONEvaluationError) -> Value {
        switch try input.kind {
        case .object:
            let member = try input.member(name)
            return member ?? .null
        case .null: return .null
        default: throw mismatch("cannot read .\(name) of", input, position)
        }
    }

    func item(_ index: Int, of input: Value, _ position: Int) throws(JSONEvaluationError) -> Value {
        switch (try input.kind, input) {
        case (.null, _): return .null
        case (.array, .source(let source)): return try source.item(index).map { .source($0) } ?? .null
        case (.array, .array(let items)):
            let place = index < 0 ? items.count + index : index
            return items.indices.contains(place) ? items[place] : .null
        default: throw mismatch("cannot read [\(index)] of", input, position)
        }
    }

    func slice(_ slice: JSONPathSlice, of input: Value, _ position: Int) throws(JSONEvaluationError) -> Value {
        switch try input.kind {
        case .null: return .null
        case .string:
            let scalars = Array(try text(input, position).unicodeScalars)
            var part = String.UnicodeScalarView()
            for index in slice.indices(of: scalars.count) { part.append(scalars[index]) }
            return .string(String(part))
        case .array:
            let items = try children(of: input)
            return .array(slice.indices(of: items.count).map { items[$0] })
        default: throw mismatch("cannot read a range of", input, position)
        }
    }

    func descend(_ value: Value, _ emit: Emit) throws(JSONEvaluationError) {
        depth += 1
        defer { depth -= 1 }
        guard depth <= JSONValue.depthLimit else {
            throw .failed("JSON nested deeper than \(JSONValue.depthLimit) levels is shown but not evaluated", position: nil)
        }
        try emit(value)
        try value.forEachChild { (_, child) throws(JSONEvaluationError) in
            try descend(child, emit)
            return true
        }
    }
}
