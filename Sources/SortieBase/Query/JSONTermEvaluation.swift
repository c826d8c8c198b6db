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
