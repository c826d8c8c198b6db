/// One evaluation of a script.
struct JavaScriptEvaluation {
    /// What a statement does to the statements after it.
    enum Completion {
        case normal
        case returns(JavaScriptValue)
        case leaves, continues
    }

    /// The deepest nesting of calls, statements and expressions.
    private static let deepest = 300
    /// The characters of a text that count as one step.
    private static let charactersPerStep = 64

    let globals = JavaScriptScope(in: nil, isFunction: true)
    let functions: [String: JavaScriptScript.Function]
    private(set) var stepsLeft: Int
    /// The position of the statement that is evaluated; nil before the first one.
    private(set) var position: Int?
    private var depth = 0

    init(functions: [String: JavaScriptScript.Function], stepsLeft: Int) {
        (self.functions, self.stepsLeft) = (functions, stepsLeft)
    }

    // MARK: Limits

    /// Counts a step, and those for a text or a list of a length.
    mutating func count(_ length: Int = 0) throws(JavaScriptFailure) {
        stepsLeft -= 1 + length / Self.charactersPerStep
        guard stepsLeft >= 0 else { throw .unsupported("the script takes more than \(JavaScriptScript.mostSteps) steps") }
    }

    /// Counts the steps that a search took.
    mutating func count(steps: Int) throws(JavaScriptFailure) { try count(steps * Self.charactersPerStep) }

    private mutating func nested<Result>(
        _ body: (inout JavaScriptEvaluation) throws(JavaScriptFailure) -> Result
    ) throws(JavaScriptFailure) -> Result {
        guard depth < Self.deepest else { throw .unsupported("the script is nested too deeply") }
        depth += 1
        defer { depth -= 1 }
        try count()
        return try body(&self)
    }

    // MARK: Statements

    /// Evaluates statements in a scope, whose functions are known from the beginning.
    mutating func run(_ statements: [JavaScriptStatement], in scope: JavaScriptScope) throws(JavaScriptFailure) -> Completion {
        for statement in statements {
            guard case .declaration(let list) = statement.kind else { continue }
            for case (.name(let name), .function(let function)?) in list { scope.ofFunction.values[name] = .function(function, scope) }
        }
        for statement in statements {
            let completion = try run(statement, in: scope)
            if case .normal = completion { continue }
            return completion
        }
        return .normal
    }

    private mutating func run(_ statement: JavaScriptStatement, in scope: JavaScriptScope) throws(JavaScriptFailure) -> Completion {
        try nested { evaluation throws(JavaScriptFailure) in try evaluation.runNested(statement, in: scope) }
    }

    private mutating func runNested(_ statement: JavaScriptStatement, in scope: JavaScriptScope) throws(JavaScriptFailure) -> Completion {
        position = statement.range.lowerBound
        switch statement.kind {
        case .empty: return .normal
        case .expression(let expression):
            _ = try value(of: expression, in: scope)
            return .normal
        case .declaration(let list):
            for (pattern, expression) in list {
                let name = try name(of: pattern)
                // A repeated declaration without a value keeps the value.
                if expression == nil, scope.ofFunction.values[name] != nil { continue }
                scope.ofFunction.values[name] = try optionalValue(of: expression, in: scope)
            }
            return .normal
        case .lexical(let list):
            for (pattern, expression) in list {
                let name = try name(of: pattern)
                scope.values[name] = try optionalValue(of: expression, in: scope)
            }
            return .normal
        case .block(let statements): return try run(statements, in: JavaScriptScope(in: scope, isFunction: false))
        case .returns(let expression): return .returns(try optionalValue(of: expression, in: scope))
        case .condition: return try runBranches(statement, in: scope)
        case .loop(let start, let condition, let step, let body, let isAfter):
            let scope = JavaScriptScope(in: scope, isFunction: false)
            if let start { _ = try run(start, in: scope) }
            var isFirst = isAfter
            while true {
                try count()
                if !isFirst, let condition, !(try value(of: condition, in: scope).isTrue) { return .normal }
                isFirst = false
                if let end = try runBody(body, in: scope) { return end }
                if let step { _ = try value(of: step, in: scope) }
            }
        case .each(let name, let list, let body):
            guard case .array(let array) = try value(of: list, in: scope) else { throw .unsupported("the loop is not over an array") }
            return try runLoop(over: array.items, name, body, in: scope)
        case .keys(let name, let list, let body):
            let keys: [String]
            switch try value(of: list, in: scope) {
            case .array(let array): keys = array.items.indices.map(String.init)
            case .object(let object): keys = object.names.filter { object.members[$0] != nil }
            default: throw .unsupported("the loop is over neither an object nor an array")
            }
            return try runLoop(over: keys.map(JavaScriptValue.string), name, body, in: scope)
        case .selection(let expression, let cases): return try runSelection(expression, cases, in: scope)
        case .leaves: return .leaves
        case .continues: return .continues
        case .attempt, .other: throw .unsupported("this statement is not evaluated")
        }
    }

    private mutating func optionalValue(of expression: JavaScriptExpression?, in scope: JavaScriptScope) throws(JavaScriptFailure) -> JavaScriptValue
    {
        guard let expression else { return .undefined }
        return try value(of: expression, in: scope)
    }

    private func name(of pattern: JavaScriptPattern) throws(JavaScriptFailure) -> String {
        guard case .name(let name) = pattern else { throw .unsupported("variables in brackets are not evaluated") }
        return name
    }

    /// The branch that a chain of conditions takes; a chain may be long.
    private mutating func runBranches(_ first: JavaScriptStatement, in scope: JavaScriptScope) throws(JavaScriptFailure) -> Completion {
        var statement = first
        while case .condition(let condition, let then, let otherwise) = statement.kind {
            position = statement.range.lowerBound
            try count()
            if try value(of: condition, in: scope).isTrue { return try run(then, in: scope) }
            guard let otherwise else { return .normal }
            statement = otherwise
        }
        return try run(statement, in: scope)
    }

    /// Evaluates the body of a loop; nil where the loop continues.
    private mutating func runBody(_ body: JavaScriptStatement, in scope: JavaScriptScope) throws(JavaScriptFailure) -> Completion? {
        switch try run(body, in: scope) {
        case .normal, .continues: nil
        case .leaves: .normal
        case .returns(let value): .returns(value)
        }
    }

    private mutating func runLoop(
        over values: [JavaScriptValue], _ name: String, _ body: JavaScriptStatement, in scope: JavaScriptScope
    ) throws(JavaScriptFailure) -> Completion {
        try count(values.count)
        // A variable of the function keeps its value after the loop.
        let owner = scope.owner(of: name) ?? scope.ofFunction
        for value in values {
            owner.values[name] = value
            if let end = try runBody(body, in: scope) { return end }
        }
        return .normal
    }

    private mutating func runSelection(
        _ expression: JavaScriptExpression, _ cases: [(label: JavaScriptExpression?, body: [JavaScriptStatement])], in scope: JavaScriptScope
    ) throws(JavaScriptFailure) -> Completion {
        let scope = JavaScriptScope(in: scope, isFunction: false)
        let value = try value(of: expression, in: scope)
        var start: Int?
        for (index, branch) in cases.enumerated() where start == nil {
            guard let label = branch.label else { continue }
            if try self.value(of: label, in: scope).isIdentical(to: value) { start = index }
        }
        guard let first = start ?? cases.firstIndex(where: { $0.label == nil }) else { return .normal }
        for branch in cases[first...] {
            switch try run(branch.body, in: scope) {
            case .normal: continue
            case .leaves: return .normal
            case .continues: return .continues
            case .returns(let value): return .returns(value)
            }
        }
        return .normal
    }

    // MARK: Functions

    /// Calls a function of the script, or one of the caller.
    mutating func call(_ function: JavaScriptValue, _ arguments: [JavaScriptValue]) throws(JavaScriptFailure) -> JavaScriptValue {
        switch function {
        case .function(let function, let parent):
            let scope = JavaScriptScope(in: parent, isFunction: true)
            for (index, pattern) in function.parameters.enumerated() {
                scope.values[try name(of: pattern)] = index < arguments.count ? arguments[index] : .undefined
            }
            return try nested { evaluation throws(JavaScriptFailure) in
                let caller = evaluation.position
                guard case .returns(let value) = try evaluation.run(function.body, in: scope) else {
                    evaluation.position = caller
                    return .undefined
                }
                evaluation.position = caller
                return value
            }
        case .native(let name):
            for case .string(let text) in arguments { try count(text.utf8.count) }
            if let function = functions[name] { return try function(arguments) }
            return try callStandard(name, arguments)
        default: throw .unsupported("this is no function")
        }
    }
}

/// The expressions.
extension JavaScriptEvaluation {
    /// The value of an expression.
    mutating func value(of expression: JavaScriptExpression, in scope: JavaScriptScope) throws(JavaScriptFailure) -> JavaScriptValue {
        try nested { evaluation throws(JavaScriptFailure) in try evaluation.nestedValue(of: expression, in: scope) }
    }

    private mutating func nestedValue(of expression: JavaScriptExpression, in scope: JavaScriptScope) throws(JavaScriptFailure) -> JavaScriptValue {
        switch expression {
        case .name(let name): return try variable(name, in: scope)
        case .string(let text): return .string(text)
        case .number(let digits): return .number(JavaScriptValue.string(digits.filter { $0 != "_" }).number)
        case .boolean(let value): return .boolean(value)
        case .null: return .null
        case .template(let texts, let expressions):
            var result = texts.first ?? ""
            for (text, expression) in zip(texts.dropFirst(), expressions) { result += try self.text(of: expression, in: scope) + text }
            try count(result.utf8.count)
            return .string(result)
        case .regexp(let pattern, let flags): return try self.pattern(pattern, flags: flags)
        case .array(let items): return .array(JavaScriptArray(try values(of: items, in: scope)))
        case .object(let members):
            let object = JavaScriptObject()
            for (name, value) in members { object.set(name, try self.value(of: value, in: scope)) }
            return .object(object)
        case .function(let function): return .function(function, scope)
        case .member(let base, let name, let isOptional):
            let value = try value(of: base, in: scope)
            if isOptional, !isPresent(value) { return .undefined }
            return try member(try key(of: name, in: scope), of: value)
        case .call(let function, let arguments): return try call(function, arguments, in: scope)
        case .new(let type, let arguments):
            guard case .name(let name) = type, ["Array", "Object", "RegExp", "String"].contains(name) else {
                throw .unsupported("this object is not evaluated")
            }
            return try callStandard(name, try values(of: arguments, in: scope))
        case .unary(let operation, let operand): return try unary(operation, operand, in: scope)
        case .postfix(let operation, let target):
            try requireSimple(target)
            let old = try value(of: target, in: scope).number
            try assign(.number(operation == "++" ? old + 1 : old - 1), to: target, in: scope)
            return .number(old)
        case .binary(let operation, let left, let right): return try binary(operation, left, right, in: scope)
        case .conditional(let condition, let then, let otherwise):
            return try value(of: try value(of: condition, in: scope).isTrue ? then : otherwise, in: scope)
        case .assignment(let operation, let target, let expression):
            var new = try value(of: expression, in: scope)
            if operation != "=" {
                try requireSimple(target)
                new = try self.operation(String(operation.dropLast()), try value(of: target, in: scope), new)
            }
            try assign(new, to: target, in: scope)
            return new
        case .sequence(let list):
            var last = JavaScriptValue.undefined
            for expression in list { last = try value(of: expression, in: scope) }
            return last
        case .other: throw .unsupported("this expression is not evaluated")
        }
    }

    private mutating func values(of list: [JavaScriptExpression], in scope: JavaScriptScope) throws(JavaScriptFailure) -> [JavaScriptValue] {
        var values: [JavaScriptValue] = []
        for expression in list { values.append(try value(of: expression, in: scope)) }
        return values
    }

    /// Rejects a target whose parts would be evaluated twice with another effect each time.
    private func requireSimple(_ target: JavaScriptExpression) throws(JavaScriptFailure) {
        switch target {
        case .name, .string, .number: return
        case .member(let base, let name, _):
            try requireSimple(base)
            try requireSimple(name)
        default: throw .unsupported("this target of a changed value is not evaluated")
        }
    }

    private func isPresent(_ value: JavaScriptValue) -> Bool {
        switch value {
        case .undefined, .null: false
        default: true
        }
    }

    private mutating func text(of expression: JavaScriptExpression, in scope: JavaScriptScope) throws(JavaScriptFailure) -> String {
        guard let text = try value(of: expression, in: scope).text else { throw .unsupported("an object has no text here") }
        return text
    }

    private mutating func key(of expression: JavaScriptExpression, in scope: JavaScriptScope) throws(JavaScriptFailure) -> String {
        if case .string(let name) = expression { return name }
        return try text(of: expression, in: scope)
    }

    private func variable(_ name: String, in scope: JavaScriptScope) throws(JavaScriptFailure) -> JavaScriptValue {
        if let value = scope.owner(of: name)?.values[name] { return value }
        switch name {
        case "undefined": return .undefined
        case "NaN": return .number(.nan)
        case "Infinity": return .number(.infinity)
        default: break
        }
        guard functions[name] != nil || Self.standardFunctions.contains(name) else { throw .unsupported("“\(name.prefix(60))” is not defined") }
        return .native(name)
    }

    private mutating func call(
        _ function: JavaScriptExpression, _ arguments: [JavaScriptExpression], in scope: JavaScriptScope
    ) throws(JavaScriptFailure) -> JavaScriptValue {
        guard case .member(let base, let name, let isOptional) = function else {
            let value = try value(of: function, in: scope)
            return try call(value, try values(of: arguments, in: scope))
        }
        let object = try value(of: base, in: scope)
        if isOptional, !isPresent(object) { return .undefined }
        let key = try key(of: name, in: scope)
        let values = try values(of: arguments, in: scope)
        if case .object(let object) = object, let method = object.members[key] { return try call(method, values) }
        return try callMethod(key, of: object, values)
    }

    private mutating func assign(_ value: JavaScriptValue, to target: JavaScriptExpression, in scope: JavaScriptScope) throws(JavaScriptFailure) {
        switch target {
        case .name(let name): (scope.owner(of: name) ?? globals).values[name] = value
        case .member(let base, let name, isOptional: false):
            let key = try key(of: name, in: scope)
            switch try self.value(of: base, in: scope) {
            case .object(let object): object.set(key, value)
            case .array(let array):
                guard let index = Int(key), index >= 0, index <= array.items.count else {
                    throw .unsupported("the array has no place \(key.prefix(20))")
                }
                if index == array.items.count { array.items.append(value) } else { array.items[index] = value }
            default: throw .unsupported("only members of objects and arrays are set")
            }
        default: throw .unsupported("this is not a variable")
        }
    }

    private mutating func unary(
        _ operation: String, _ operand: JavaScriptExpression, in scope: JavaScriptScope
    ) throws(JavaScriptFailure) -> JavaScriptValue {
        if operation == "typeof" {
            // A variable that is not defined has a type.
            if case .name(let name) = operand, scope.owner(of: name) == nil, functions[name] == nil, !Self.standardFunctions.contains(name) {
                return .string("undefined")
            }
            return .string(try type(of: value(of: operand, in: scope)))
        }
        let value = try value(of: operand, in: scope)
        switch operation {
        case "!": return .boolean(!value.isTrue)
        case "-": return .number(-value.number)
        case "+": return .number(value.number)
        case "~": return .number(Double(~Self.integer(value.number)))
        case "void": return .undefined
        case "++", "--":
            try requireSimple(operand)
            let new = JavaScriptValue.number(value.number + (operation == "++" ? 1 : -1))
            try assign(new, to: operand, in: scope)
            return new
        default: throw .unsupported("“\(operation)” is not evaluated")
        }
    }

    private func type(of value: JavaScriptValue) throws(JavaScriptFailure) -> String {
        switch value {
        case .undefined: "undefined"
        case .null, .array, .object, .pattern, .match: "object"
        case .boolean: "boolean"
        case .number: "number"
        case .string: "string"
        case .function, .native: "function"
        }
    }

    /// The value of an operator; the operands of a chain of one operator are evaluated one after the other, because a chain may be long.
    private mutating func binary(
        _ operation: String, _ left: JavaScriptExpression, _ right: JavaScriptExpression, in scope: JavaScriptScope
    ) throws(JavaScriptFailure) -> JavaScriptValue {
        var operands = [right]
        var first = left
        while case .binary(operation, let left, let right) = first {
            operands.append(right)
            first = left
        }
        var result = try value(of: first, in: scope)
        for operand in operands.reversed() {
            try count()
            switch operation {
            case "||": if !result.isTrue { result = try value(of: operand, in: scope) }
            case "&&": if result.isTrue { result = try value(of: operand, in: scope) }
            case "??": if !isPresent(result) { result = try value(of: operand, in: scope) }
            default: result = try self.operation(operation, result, try value(of: operand, in: scope))
            }
        }
        return result
    }

    private mutating func operation(
        _ operation: String, _ left: JavaScriptValue, _ right: JavaScriptValue
    ) throws(JavaScriptFailure) -> JavaScriptValue {
        switch operation {
        case "===": return .boolean(left.isIdentical(to: right))
        case "!==": return .boolean(!left.isIdentical(to: right))
        case "==", "!=":
            guard let isEqual = left.isEqual(to: right) else { throw .unsupported("an object is not compared with another value") }
            return .boolean(isEqual == (operation == "=="))
        case "in":
            guard let name = left.text, case .object(let object) = right else { throw .unsupported("“in” is evaluated for objects only") }
            return .boolean(object.members[name] != nil)
        case "+":
            if case .string = left { return try joined(left, right) }
            if case .string = right { return try joined(left, right) }
            return .number(try number(left) + number(right))
        case "<", ">", "<=", ">=": return .boolean(try isOrdered(operation, left, right))
        case "-": return .number(try number(left) - number(right))
        case "*": return .number(try number(left) * number(right))
        case "/": return .number(try number(left) / number(right))
        case "%": return .number(try number(left).truncatingRemainder(dividingBy: number(right)))
        case "&": return .number(Double(Self.integer(left.number) & Self.integer(right.number)))
        case "|": return .number(Double(Self.integer(left.number) | Self.integer(right.number)))
        case "^": return .number(Double(Self.integer(left.number) ^ Self.integer(right.number)))
        case "<<": return .number(Double(Self.integer(left.number) << (Self.integer(right.number) & 31)))
        case ">>": return .number(Double(Self.integer(left.number) >> (Self.integer(right.number) & 31)))
        case ">>>": return .number(Double(UInt32(bitPattern: Self.integer(left.number)) >> UInt32(Self.integer(right.number) & 31)))
        default: throw .unsupported("“\(operation)” is not evaluated")
        }
    }

    private func number(_ value: JavaScriptValue) throws(JavaScriptFailure) -> Double {
        switch value {
        case .array, .object, .function, .native, .pattern, .match: throw .unsupported("an object is no number")
        default: value.number
        }
    }

    private mutating func joined(_ left: JavaScriptValue, _ right: JavaScriptValue) throws(JavaScriptFailure) -> JavaScriptValue {
        guard let left = left.text, let right = right.text else { throw .unsupported("an object has no text here") }
        try count(left.utf8.count + right.utf8.count)
        return .string(left + right)
    }

    private func isOrdered(_ operation: String, _ left: JavaScriptValue, _ right: JavaScriptValue) throws(JavaScriptFailure) -> Bool {
        func compare<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
            switch operation {
            case "<": left < right
            case ">": left > right
            case "<=": left <= right
            default: left >= right
            }
        }
        if case .string(let left) = left, case .string(let right) = right {
            // By code units, as in JavaScript; those of UTF-8 have the same order but for characters beyond 16 bits.
            let isBefore = left.utf16.lexicographicallyPrecedes(right.utf16)
            let isEqual = left.utf16.elementsEqual(right.utf16)
            return compare(isEqual ? 0 : isBefore ? -1 : 1, 0)
        }
        return compare(try number(left), try number(right))
    }

    /// The 32 bits of a number (ECMA-262 §7.1.6).
    private static func integer(_ number: Double) -> Int32 {
        guard number.isFinite else { return 0 }
        return Int32(truncatingIfNeeded: Int64(number.truncatingRemainder(dividingBy: 4_294_967_296)))
    }
}
