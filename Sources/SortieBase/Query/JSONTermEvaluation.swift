/// Evaluates the terms of a filter: each result is passed on as soon as it is known.
final class JSONTermEvaluation {
    /// The memory that may still be used for values that are needed at the same time, in bytes.
    private var left: Int
    private let memoryLimit: Int
    private var depth = 0
    /// The number of terms whose results are being made.
    private var active = 0
    private var untilCheck = JSONTermEvaluation.checkInterval
    private let patterns: JSONPatternBudget
    private let isStopped: () -> Bool

    /// The number of steps until the next check for a cancellation.
    private static let checkInterval = 4096
    /// The greatest number of terms whose results are made at the same time; each of them takes a part of the stack.
    private static let activeLimit = 400

    init(memoryLimit: Int, patterns: JSONPatternBudget, isStopped: @escaping () -> Bool) {
        left = memoryLimit
        self.memoryLimit = memoryLimit
        self.patterns = patterns
        self.isStopped = isStopped
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
    private func step() throws(JSONEvaluationError) {
        untilCheck -= 1
        guard untilCheck <= 0 else { return }
        untilCheck = Self.checkInterval
        if isStopped() { throw .stopped }
    }

    // MARK: Parts

    private func follow(_ path: JSONPath, _ input: Value, _ emit: Emit) throws(JSONEvaluationError) {
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

    private func mismatch(_ text: String, _ value: Value, _ position: Int) -> JSONEvaluationError {
        do throws(JSONEvaluationError) {
            return .failed("\(text) \(try value.kind.name); ? after it ignores that", position: position + 1)
        } catch {
            return error
        }
    }

    private func field(_ name: String, of input: Value, _ position: Int) throws(JSONEvaluationError) -> Value {
        switch try input.kind {
        case .object:
            let member = try input.member(name)
            return member ?? .null
        case .null: return .null
        default: throw mismatch("cannot read .\(name) of", input, position)
        }
    }

    private func item(_ index: Int, of input: Value, _ position: Int) throws(JSONEvaluationError) -> Value {
        switch (try input.kind, input) {
        case (.null, _): return .null
        case (.array, .source(let source)): return try source.item(index).map { .source($0) } ?? .null
        case (.array, .array(let items)):
            let place = index < 0 ? items.count + index : index
            return items.indices.contains(place) ? items[place] : .null
        default: throw mismatch("cannot read [\(index)] of", input, position)
        }
    }

    private func slice(_ slice: JSONPathSlice, of input: Value, _ position: Int) throws(JSONEvaluationError) -> Value {
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

    private func descend(_ value: Value, _ emit: Emit) throws(JSONEvaluationError) {
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

    private func interpolate(_ parts: ArraySlice<JSONTerm>, _ text: String, _ input: Value, _ emit: Emit) throws(JSONEvaluationError) {
        guard let part = parts.first else { return try emit(.string(text)) }
        try run(part, input) { (value) throws(JSONEvaluationError) in
            let before = left
            defer { left = before }
            let text = text + (try value.plainText)
            try keep(.string(text))
            try interpolate(parts.dropFirst(), text, input, emit)
        }
    }

    private func object(
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

    private func combine(
        _ first: JSONTerm, _ second: JSONTerm, _ input: Value, endsWith end: Bool, _ emit: Emit
    ) throws(JSONEvaluationError) {
        try run(first, input) { (value) throws(JSONEvaluationError) in
            if try value.isTrue == end { return try emit(.bool(end)) }
            try run(second, input) { (value) throws(JSONEvaluationError) in try emit(.bool(try value.isTrue)) }
        }
    }

    private func forEachPair(
        _ first: JSONTerm, _ second: JSONTerm, _ input: Value, _ visit: (Value, Value) throws(JSONEvaluationError) -> Void
    ) throws(JSONEvaluationError) {
        try run(second, input) { (right) throws(JSONEvaluationError) in
            try run(first, input) { (left) throws(JSONEvaluationError) in try visit(left, right) }
        }
    }

    private func calculate(_ first: Value, _ sign: Character, _ second: Value, _ position: Int) throws(JSONEvaluationError) -> Value {
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

    private func number(_ value: Value) throws(JSONEvaluationError) -> Double? {
        guard try value.kind == .number, case .number(let text) = try value.json else { return nil }
        return Double(text)
    }

    private func text(_ value: Value, _ position: Int) throws(JSONEvaluationError) -> String {
        guard case .string(let text) = try value.json else { throw mismatch("a text is needed, not", value, position) }
        return text
    }

    // MARK: Values in memory

    /// Counts a value that is kept.
    private func keep(_ value: Value, _ more: Int = 0) throws(JSONEvaluationError) {
        left -= value.cost + more
        guard left >= 0 else {
            throw .failed(
                "more than \(ByteCount(memoryLimit).text) of values are needed at the same time; select fewer of them before they are collected",
                position: nil)
        }
    }

    /// Passes on a text that was made; the function that made it gives the memory back.
    private func emitText(_ text: String, _ emit: Emit) throws(JSONEvaluationError) {
        try keep(.string(text))
        try emit(.string(text))
    }

    private func collect(_ term: JSONTerm, _ input: Value) throws(JSONEvaluationError) -> [Value] {
        var values: [Value] = []
        try run(term, input) { (value) throws(JSONEvaluationError) in
            try keep(value)
            values.append(value)
        }
        return values
    }

    private func children(of value: Value) throws(JSONEvaluationError) -> [Value] {
        if case .array(let items) = value { return items }
        var values: [Value] = []
        try value.forEachChild { (_, child) throws(JSONEvaluationError) in
            try keep(child)
            values.append(child)
            return true
        }
        return values
    }

    private func members(of value: Value) throws(JSONEvaluationError) -> [Value.Member] {
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

    /// The items of an array in the order of a key.
    private func sorted(
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

    private func groups(of pairs: [(key: JSONValue, value: Value)]) -> [[(key: JSONValue, value: Value)]] {
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

    /// The first results of a term.
    private func take(_ count: Int, of term: JSONTerm, _ input: Value, _ emit: Emit) throws(JSONEvaluationError) {
        guard count > 0 else { return }
        var taken = 0
        do throws(JSONEvaluationError) {
            try run(term, input) { (value) throws(JSONEvaluationError) in
                try emit(value)
                taken += 1
                if taken == count { throw .stopped }
            }
        } catch {
            guard taken == count, error == .stopped else { throw error }
        }
    }

    // MARK: Functions

    private func call(
        _ function: JSONFunction, _ arguments: [JSONTerm], _ input: Value, _ position: Int, _ emit: Emit
    ) throws(JSONEvaluationError) {
        let before = left
        defer { left = before }
        let kind = try input.kind
        let first = arguments.first ?? .identity
        func require(_ kinds: JSONKind...) throws(JSONEvaluationError) {
            guard kinds.contains(kind) else { throw mismatch("\(function.rawValue) cannot use", input, position) }
        }
        switch function {
        case .empty: return
        case .select:
            try run(first, input) { (value) throws(JSONEvaluationError) in if try value.isTrue { try emit(input) } }
        case .map:
            try require(.array, .object)
            var values: [Value] = []
            try input.forEachChild { (_, child) throws(JSONEvaluationError) in
                try run(first, child) { (value) throws(JSONEvaluationError) in
                    try keep(value)
                    values.append(value)
                }
                return true
            }
            try emit(.array(values))
        case .map_values:
            try require(.array, .object)
            var members: [Value.Member] = []
            try input.forEachChild(named: true) { (name, child) throws(JSONEvaluationError) in
                try take(1, of: first, child) { (value) throws(JSONEvaluationError) in
                    let name = name ?? ""
                    try keep(value, 32 + name.utf8.count)
                    members.append(.init(name: name, value: value))
                }
                return true
            }
            try emit(kind == .array ? .array(members.map(\.value)) : .object(members))
        case .recurse: try descend(input, emit)
        case .not: try emit(.bool(try !input.isTrue))
        case .values: if kind != .null { try emit(input) }
        case .nulls: if kind == .null { try emit(input) }
        case .booleans: if kind == .bool { try emit(input) }
        case .numbers: if kind == .number { try emit(input) }
        case .strings: if kind == .string { try emit(input) }
        case .arrays: if kind == .array { try emit(input) }
        case .objects: if kind == .object { try emit(input) }
        case .iterables: if kind == .array || kind == .object { try emit(input) }
        case .scalars: if kind != .array, kind != .object { try emit(input) }
        case .type: try emit(.string(kind.word))
        case .length: try emit(try length(input, kind, position))
        case .keys, .keys_unsorted:
            try require(.array, .object)
            var names: [String] = []
            var count = 0
            try input.forEachChild(named: true) { (name, _) throws(JSONEvaluationError) in
                count += 1
                guard let name else { return true }
                try keep(.string(name))
                names.append(name)
                return true
            }
            if function == .keys { names.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) } }
            try emit(.array(kind == .array ? (0..<count).map { .number(Double($0)) } : names.map { .string($0) }))
        case .has:
            try run(first, input) { (key) throws(JSONEvaluationError) in
                switch (kind, try key.json) {
                case (.object, .string(let name)): try emit(.bool(try input.member(name) != nil))
                case (.array, .number(let text)):
                    let count = try children(of: input).count
                    try emit(.bool(Int(text).map { (0..<count).contains($0) } ?? false))
                default: throw mismatch("has() cannot use", input, position)
                }
            }
        case .add:
            try require(.array, .object, .null)
            var sum = Value.null
            var texts: [String] = []
            try input.forEachChild { (_, child) throws(JSONEvaluationError) in
                // Texts are joined at the end, because joining each of them takes a quadratic time.
                let kinds = (try sum.kind, try child.kind)
                if case (.null, .string) = kinds, case .string(let text) = try child.json {
                    try keep(.string(text))
                    texts.append(text)
                } else if kinds.1 != .null {
                    if !texts.isEmpty { sum = .string(texts.joined()) }
                    texts = []
                    try keep(child)
                    sum = try calculate(sum, "+", child, position)
                }
                return true
            }
            try emit(texts.isEmpty ? sum : .string(texts.joined()))
        case .any, .all:
            let end = function == .any
            var isEnded = false
            try require(.array, .object)
            try input.forEachChild { (_, child) throws(JSONEvaluationError) in
                try run(first, child) { (value) throws(JSONEvaluationError) in if try value.isTrue == end { isEnded = true } }
                return !isEnded
            }
            try emit(.bool(isEnded == end))
        case .first:
            if arguments.isEmpty { return try emit(try item(0, of: input, position)) }
            try take(1, of: first, input, emit)
        case .last:
            if arguments.isEmpty { return try emit(try item(-1, of: input, position)) }
            var last: Value?
            try run(first, input) { (value) throws(JSONEvaluationError) in last = value }
            if let last { try emit(last) }
        case .limit:
            try run(first, input) { (count) throws(JSONEvaluationError) in
                guard let number = try number(count), number.isFinite else { throw mismatch("limit needs a number, not", count, position) }
                try take(Int(min(max(number, 0), 1e15)), of: arguments[1], input, emit)
            }
        case .range:
            let low: JSONTerm = arguments.count == 2 ? first : .literal(.number("0"))
            try forEachPair(low, arguments.last ?? first, input) { (low, high) throws(JSONEvaluationError) in
                guard let start = try number(low), let end = try number(high), start.isFinite, end.isFinite else {
                    throw mismatch("range needs numbers, not", low, position)
                }
                // By their count, because 1 is lost when it is added to a number beyond 2^53.
                for index in 0..<Int(min(max((end - start).rounded(.up), 0), 1e15)) {
                    try step()
                    try emit(.number(start + Double(index)))
                }
            }
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
        case .reverse:
            if kind == .string { return try emitText(String(String.UnicodeScalarView(try text(input, position).unicodeScalars.reversed())), emit) }
            try require(.array, .null)
            try emit(.array(try children(of: input).reversed()))
        case .flatten:
            try require(.array)
            var depth = Double.infinity
            if !arguments.isEmpty {
                try run(first, input) { (value) throws(JSONEvaluationError) in depth = try number(value) ?? 0 }
            }
            var flat: [Value] = []
            try flatten(input, depth, level: 1, &flat)
            try emit(.array(flat))
        case .to_entries: try emit(.array(try entries(of: input, position)))
        case .from_entries: try emit(try object(fromEntries: input, position))
        case .with_entries:
            var changed: [Value] = []
            for entry in try entries(of: input, position) {
                try run(first, entry) { (value) throws(JSONEvaluationError) in
                    try keep(value)
                    changed.append(value)
                }
            }
            try emit(try object(fromEntries: .array(changed), position))
        case .contains:
            try run(first, input) { (other) throws(JSONEvaluationError) in try emit(.bool(Self.contains(try input.json, try other.json))) }
        default: try callOnText(function, arguments, input, kind, position, emit)
        }
    }

    private func length(_ input: Value, _ kind: JSONKind, _ position: Int) throws(JSONEvaluationError) -> Value {
        switch kind {
        case .null: return .number(0)
        case .bool: throw mismatch("length cannot use", input, position)
        case .number: return .number(abs(try number(input) ?? 0))
        case .string: return .number(Double(try text(input, position).unicodeScalars.count))
        case .array, .object:
            var count = 0
            try input.forEachChild { (_, _) throws(JSONEvaluationError) in
                count += 1
                return true
            }
            return .number(Double(count))
        }
    }

    private func flatten(_ value: Value, _ depth: Double, level: Int, _ flat: inout [Value]) throws(JSONEvaluationError) {
        guard level <= JSONValue.depthLimit else {
            throw .failed("JSON nested deeper than \(JSONValue.depthLimit) levels is shown but not evaluated", position: nil)
        }
        var flattened: [Value] = []
        try value.forEachChild { (_, child) throws(JSONEvaluationError) in
            let kind = try child.kind
            if depth > 0, kind == .array {
                try flatten(child, depth - 1, level: level + 1, &flattened)
            } else {
                try keep(child)
                flattened.append(child)
            }
            return true
        }
        flat += flattened
    }

    private func entries(of input: Value, _ position: Int) throws(JSONEvaluationError) -> [Value] {
        guard try input.kind == .object else { throw mismatch("to_entries needs an object, not", input, position) }
        var entries: [Value] = []
        for member in try members(of: input) {
            try keep(member.value, 128 + member.name.utf8.count)
            entries.append(.object([.init(name: "key", value: .string(member.name)), .init(name: "value", value: member.value)]))
        }
        return entries
    }

    private func object(fromEntries input: Value, _ position: Int) throws(JSONEvaluationError) -> Value {
        guard try input.kind == .array else { throw mismatch("from_entries needs an array, not", input, position) }
        var members: [Value.Member] = []
        for entry in try children(of: input) {
            var name = try entry.member("key")
            if name == nil { name = try entry.member("name") }
            guard let name else { throw mismatch("from_entries needs objects with key and value, not", entry, position) }
            try keep(name, 64)
            members.append(.init(name: try name.plainText, value: try entry.member("value") ?? .null))
        }
        return .object(members)
    }

    /// Functions of texts and numbers.
    private func callOnText(
        _ function: JSONFunction, _ arguments: [JSONTerm], _ input: Value, _ kind: JSONKind, _ position: Int, _ emit: Emit
    ) throws(JSONEvaluationError) {
        switch function {
        case .tostring: return try emitText(try input.plainText, emit)
        case .tojson: return try emitText(try input.json.text, emit)
        case .tonumber:
            if kind == .number { return try emit(input) }
            guard let number = Double(try text(input, position)) else { throw mismatch("no number is in", input, position) }
            return try emit(.number(number))
        case .floor, .ceil, .round:
            guard let number = try number(input) else { throw mismatch("\(function.rawValue) needs a number, not", input, position) }
            return try emit(.number(function == .floor ? number.rounded(.down) : function == .ceil ? number.rounded(.up) : number.rounded()))
        case .join:
            let separator = try string(arguments[0], input, position)
            var texts: [String] = []
            for child in try children(of: input) {
                let isNull = try child.kind == .null
                let text = isNull ? "" : try child.plainText
                // Before the texts are joined, because the separator may be long.
                try keep(.string(text), separator.utf8.count)
                texts.append(text)
            }
            return try emitText(texts.joined(separator: separator), emit)
        default: break
        }
        let whole = try text(input, position)
        guard let argument = arguments.first else {
            switch function {
            case .ascii_downcase:
                return try emit(.string(String(decoding: whole.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)))
            case .ascii_upcase:
                return try emit(.string(String(decoding: whole.utf8.map { (0x61...0x7A).contains($0) ? $0 & 0xDF : $0 }, as: UTF8.self)))
            default:
                var trimmed = whole[...]
                while trimmed.first?.isWhitespace == true { trimmed.removeFirst() }
                while trimmed.last?.isWhitespace == true { trimmed.removeLast() }
                return try emit(.string(String(trimmed)))
            }
        }
        let other = try string(argument, input, position)
        switch function {
        case .startswith: try emit(.bool(whole.utf8.starts(with: other.utf8)))
        case .endswith: try emit(.bool(whole.utf8.reversed().starts(with: other.utf8.reversed())))
        case .ltrimstr: try emit(.string(whole.hasPrefix(other) ? String(whole.dropFirst(other.count)) : whole))
        case .rtrimstr: try emit(.string(whole.hasSuffix(other) && !other.isEmpty ? String(whole.dropLast(other.count)) : whole))
        case .split:
            let parts = other.isEmpty ? whole.map(String.init) : Self.parts(of: whole, separatedBy: other)
            for part in parts { try keep(.string(part)) }
            try emit(.array(parts.map { .string($0) }))
        default:
            let flags = arguments.count > 1 ? try string(arguments[1], input, position) : ""
            try emit(.bool(try isFound(flags.contains("i") ? "(?i)\(other)" : other, in: whole, position)))
        }
    }

    private func isFound(_ pattern: String, in text: String, _ position: Int) throws(JSONEvaluationError) -> Bool {
        do throws(PatternError) {
            return try patterns.isFound(pattern, in: text)
        } catch {
            throw .failed("\(error)", position: position + 1)
        }
    }

    private func string(_ term: JSONTerm, _ input: Value, _ position: Int) throws(JSONEvaluationError) -> String {
        var found: Value?
        try run(term, input) { (value) throws(JSONEvaluationError) in found = value }
        return try text(found ?? .null, position)
    }

    private static func parts(of text: String, separatedBy separator: String) -> [String] {
        var parts: [String] = []
        var rest = Array(text.unicodeScalars)[...]
        let wanted = Array(separator.unicodeScalars)
        var part = String.UnicodeScalarView()
        while let scalar = rest.first {
            if rest.starts(with: wanted) {
                parts.append(String(part))
                part = String.UnicodeScalarView()
                rest = rest.dropFirst(wanted.count)
            } else {
                part.append(scalar)
                rest = rest.dropFirst()
            }
        }
        return parts + [String(part)]
    }

    /// Whether a value has everything of another one.
    private static func contains(_ value: JSONValue, _ other: JSONValue) -> Bool {
        switch (value, other) {
        case (.string(let text), .string(let part)): part.isEmpty || Self.parts(of: text, separatedBy: part).count > 1
        case (.array(let items), .array(let others)): others.allSatisfy { other in items.contains { contains($0, other) } }
        case (.object, .object(let members)): members.allSatisfy { member in value.member(member.key).map { contains($0, member.value) } ?? false }
        default: JSONOrder.areEqual(value, other)
        }
    }
}

extension JSONEvaluationError {
    /// Whether a value does not permit an operation, which `?` ignores.
    fileprivate var isMismatch: Bool {
        if case .failed(_, position: .some) = self { true } else { false }
    }
}

extension JSONQueryValue {
    /// The text of a string, or the JSON text of another value.
    fileprivate var plainText: String {
        get throws(JSONEvaluationError) {
            let value = try json
            if case .string(let text) = value { return text }
            return value.text
        }
    }
}

extension JSONPathFilter.Comparison {
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

extension JSONKind {
    /// The name that `type` gives.
    var word: String {
        switch self {
        case .null: "null"
        case .bool: "boolean"
        case .number: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }

    /// The name for messages.
    var name: String {
        switch self {
        case .null: "null"
        case .array, .object: "an \(word)"
        default: "a \(word)"
        }
    }
}
