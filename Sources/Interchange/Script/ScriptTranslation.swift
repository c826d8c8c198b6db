internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Translates the scripts of one request into an expectation, captures and variables.
///
/// A statement is translated as a whole or not at all, and only where a response passes exactly when the script passes. What follows a statement that may
/// leave its function is not translated either.
struct ScriptTranslation {
    /// When a script runs.
    enum Stage { case beforeRequest, afterResponse }

    /// What is known of the response from all scripts of the request, by which conditions of statements are decided.
    private let facts: ScriptExpectation?
    private let texts: String
    /// The request that follows in the collection, whose choice by a script changes nothing; nil for none.
    var nextRequest: String?
    /// Names that mean something else in the tool.
    var hiddenNames: Set<String> = []
    /// The credentials of the request.
    var auth = Auth.none
    /// The value of the field Authorization of the request; nil for none.
    var authorization: String?
    /// The credentials that a script makes in place of the field Authorization.
    private(set) var login: Auth?

    var stage = Stage.afterResponse
    var expectation: ScriptExpectation
    private(set) var captures: [Capture] = []
    /// The variables that scripts set before the request.
    private(set) var variables: [String: String] = [:]
    /// The variables that scripts of other requests, too, set before the request, and that this request does not use.
    private(set) var unused: Set<String> = []
    /// The header fields that scripts add to the request; one that replaces those of its name, too.
    private(set) var headers: [(field: Parameter, replaces: Bool)] = []
    /// What is translated with another meaning.
    private(set) var changes: [String] = []
    /// The numbers of statements that are translated and that are not.
    private(set) var counts = (translated: 0, kept: 0)

    /// The local variables by scope, the innermost one last; nil for a value that is not known.
    private var scopes: [[String: ScriptValue?]] = []
    /// What scripts have set in the environment; nil for a value that is not known.
    var environment: [String: ScriptValue?] = [:]
    private var program: JavaScriptProgram?
    private var isShared = false
    /// The number of expressions of the current statement that were evaluated.
    private var evaluations = 0
    /// The characters that further values may have, because each can have the one before it twice, or within it.
    var charactersLeft = 1 << 20
    /// The number of expressions that are being evaluated.
    private var depth = 0
    /// Whether a statement before may have ended the current function.
    private var mayHaveEnded = false
    /// The statements of the current script that are not translated.
    private var kept: [Range<Int>] = []

    /// - Parameters:
    ///   - texts: The texts of the request that may have templates.
    init(_ expectation: Expectation, texts: String = "", facts: ScriptExpectation? = nil) {
        (self.expectation, self.texts, self.facts) = (ScriptExpectation(expectation), texts, facts)
    }

    /// Translates a script.
    ///
    /// - Parameter isShared: Whether other requests run the script as well.
    /// - Returns: The positions of the statements that are not translated: of those in a call of a test, and of the complete statements around them.
    mutating func run(_ program: JavaScriptProgram, in stage: Stage, isShared: Bool) -> (inner: [Range<Int>], outer: [Range<Int>]) {
        (self.program, self.stage, self.isShared, scopes, kept, mayHaveEnded) = (program, stage, isShared, [[:]], [], false)
        var outer: [Range<Int>] = []
        body(program.statements) { statement, count in
            if count > 0 { outer.append(statement.range) }
        }
        return (kept, outer)
    }

    // MARK: Statements

    /// Translates statements in order.
    ///
    /// - Parameter report: Gets each statement, and the number of its parts that are not translated.
    private mutating func body(_ statements: [JavaScriptStatement], _ report: (JavaScriptStatement, Int) -> Void = { _, _ in }) {
        for statement in statements {
            let before = kept.count
            if case .empty = statement.kind { continue }
            let names = stage == .beforeRequest ? program?.names(in: statement.range) ?? [] : []
            let generated = names.filter { local($0)?.isGenerated == true }
            if mayHaveEnded || !translate(statement) {
                keep(statement)
                mayHaveEnded = mayHaveEnded || program?.mayLeave(statement) == true
            } else if !generated.isEmpty, !isLog(statement) {
                // Inserted again, the value would be another one.
                for name in generated { setVariable(name, nil) }
            }
            report(statement, kept.count - before)
            if case .returns = statement.kind {
                // It also ends what is around this block.
                mayHaveEnded = true
                return
            }
        }
    }

    private mutating func isLog(_ statement: JavaScriptStatement) -> Bool {
        guard case .expression(.call(let callee, _)) = statement.kind, let name = interface(callee) else { return false }
        return ScriptInterface.logs.contains(name)
    }

    /// Translates the body of a function that is called here.
    private mutating func body(of function: JavaScriptFunction) {
        let before = mayHaveEnded
        mayHaveEnded = false
        scopes.append([:])
        body(function.body)
        scopes.removeLast()
        mayHaveEnded = before
    }

    /// Records a statement that is not translated; what it may change is not known afterwards.
    private mutating func keep(_ statement: JavaScriptStatement) {
        kept.append(statement.range)
        counts.kept += 1
        guard let program else { return }
        let changes = program.changes(in: statement.range)
        for name in changes.variables { setVariable(name, nil) }
        for name in changes.settings { environment[name] = .some(nil) }
        // Without a declaration, it is a global variable, also where an object of a tool has its name.
        if case .expression(.assignment(_, .name(let name), _)) = statement.kind, !isLocal(name) { scopes[0][name] = .some(nil) }
        if case .declaration(let list) = statement.kind { for (pattern, _) in list { declare(pattern, nil) } }
    }

    /// Translates a statement; false, with nothing changed, where it is not translated as a whole.
    private mutating func translate(_ statement: JavaScriptStatement) -> Bool {
        evaluations = 0
        switch statement.kind {
        case .empty: return true
        case .block(let statements):
            scopes.append([:])
            body(statements)
            scopes.removeLast()
            // What is not translated in it is recorded already.
            return true
        case .declaration(let list): return counted(declare(list))
        case .expression(let expression): return translate(expression)
        case .returns(let value):
            return value.map { translate($0) } ?? true
        case .condition(let condition, let then, let otherwise):
            guard let checks = checks(of: condition, true) else { return false }
            let holds = checks.allSatisfy { isCertain($0) }
            guard holds || checks.contains(where: { isCertain($0.negated) }) else { return false }
            counts.translated += 1
            if let taken = holds ? then : otherwise { body([taken]) }
            return true
        case .each(let name, let list, let body):
            guard case .subject(.json(let path))? = value(of: list), program?.mayLeave(body) == false else { return false }
            return repeated(JavaScriptFunction(parameters: [.name(name)], body: [body]), for: path + [.every])
        case .attempt, .lexical, .loop, .keys, .selection, .leaves, .continues, .other: return false
        }
    }

    /// Translates statements that are evaluated for each item of an array, all or none.
    private mutating func repeated(_ function: JavaScriptFunction, for path: [ScriptCheck.Step]) -> Bool {
        guard stage == .afterResponse, let item = function.parameters.first else { return false }
        let before = self
        // An array without items passes, but another value does not.
        guard expectation.add([ScriptCheck(subject: .json(Array(path.dropLast())), test: .type(.array))]) else { return false }
        scopes.append([:])
        for other in function.parameters.dropFirst() { declare(other, nil) }
        declare(item, .subject(.json(path)))
        body(of: function)
        scopes.removeLast()
        guard kept.count == before.kept.count, captures == before.captures else {
            self = before
            return false
        }
        return true
    }

    /// Whether a check holds for each response that satisfies the checks of all scripts.
    private func isCertain(_ check: ScriptCheck) -> Bool { expectation.implies(check) || facts?.implies(check) == true }

    private mutating func counted(_ isTranslated: Bool) -> Bool {
        if isTranslated { counts.translated += 1 }
        return isTranslated
    }

    /// Translates an expression that is a statement.
    private mutating func translate(_ expression: JavaScriptExpression) -> Bool {
        let before = (expectation: expectation, captures: captures, variables: variables, environment: environment, headers: headers)
        if let isTest = test(expression) { return isTest }
        if counted(effect(of: expression)) { return true }
        (expectation, captures, variables, environment) = (before.expectation, before.captures, before.variables, before.environment)
        headers = before.headers
        return false
    }

    /// Translates a named test, whose function is called at once; nil for another expression.
    private mutating func test(_ expression: JavaScriptExpression) -> Bool? {
        guard case .call(let callee, let arguments) = expression else { return nil }
        if let name = interface(callee), ScriptInterface.tests.contains(name), arguments.count == 2 {
            guard case .function(let function)? = value(of: arguments[1]), function.parameters.isEmpty else { return false }
            body(of: function)
            return true
        }
        guard case .member(let list, .string("forEach"), isOptional: false) = callee, let first = arguments.first,
            case .subject(.json(let path))? = value(of: list), case .function(let function)? = value(of: first)
        else { return nil }
        return repeated(function, for: path + [.every])
    }

    /// Translates an expression with an effect or a check; false where it has no equal.
    private mutating func effect(of expression: JavaScriptExpression) -> Bool {
        if case .string = expression { return true }
        if case .assignment("=", let target, let assigned) = expression { return assign(assigned, to: target) }
        if case .binary("&&", let condition, let then) = expression {
            guard let checks = checks(of: condition, true), checks.allSatisfy({ isCertain($0) }) else { return false }
            return effect(of: then)
        }
        if case .call(let callee, let arguments) = expression, let name = interface(callee) {
            if ScriptInterface.logs.contains(name) { return arguments.allSatisfy { readsNothing($0) } }
            if ScriptInterface.nextRequests.contains(name) {
                guard let next = arguments.first.flatMap({ value(of: $0)?.string }) else { return false }
                return next == nextRequest
            }
            if ScriptInterface.sets(name) {
                guard arguments.count >= 2, let variable = value(of: arguments[0])?.string else { return false }
                return set(variable, arguments[1])
            }
            if let replaces = ScriptInterface.headerSetters[name] { return setHeader(arguments, replaces: replaces) }
        }
        guard stage == .afterResponse, let checks = assertion(expression) else { return false }
        return expectation.add(checks)
    }

    /// Whether the evaluation of an argument cannot fail, so that leaving it out changes nothing.
    private mutating func readsNothing(_ expression: JavaScriptExpression) -> Bool {
        switch expression {
        case .string, .number, .boolean, .null, .name, .function: return true
        case .template(_, let parts): return parts.allSatisfy { readsNothing($0) }
        case .binary("+", let left, let right): return readsNothing(left) && readsNothing(right)
        case .array(let items): return items.allSatisfy { readsNothing($0) }
        case .object(let members): return members.allSatisfy { readsNothing($0.value) }
        default:
            switch value(of: expression) {
            case .subject(.json(let path))?, .subject(.length(let path))?, .subject(.type(let path))?: return expectation.read(path)
            case .checks, nil: return false
            case .subject, .constant, .bytes, .words, .template, .base64, .pattern, .function, .interface, .undefined: return true
            }
        }
    }

    // MARK: Variables

    private mutating func assign(_ assigned: JavaScriptExpression, to target: JavaScriptExpression) -> Bool {
        switch target {
        case .name(let name) where scopes.count == 1 && scopes[0][name] != nil:
            guard let known = value(of: assigned) else { return false }
            scopes[0][name] = known
            return true
        case .member(let object, let member, isOptional: false):
            guard let owner = interface(object) else { return false }
            // The name of a test may be any expression: it has no meaning.
            if owner == "tests" { return stage == .afterResponse && checks(of: assigned, true).map { expectation.add($0) } == true }
            guard owner == "exports" || owner == "client.global", case .string(let name) = member else { return false }
            return set(name, assigned)
        default: return false
        }
    }

    /// Translates what a script sets in the environment: a capture of the response, or a variable of the request.
    private mutating func set(_ name: String, _ expression: JavaScriptExpression) -> Bool {
        guard ForeignText.isVariable(name) else { return false }
        let known = value(of: expression)
        // The environment would have the object.
        switch known {
        case .bytes?, .words?: return false
        case .base64(let text, let before)? where stage == .beforeRequest:
            // Nothing but the field has it, where a workspace has credentials.
            let uses = texts.ranges(of: "{{\(name)}}").count
            let isField = uses == 1 && authorization?.replacing("{{\(name)}}", with: before) == "Basic "
            guard uses == 0 ? isShared : isField && signIn(text) else { return false }
            if uses == 0 { unused.insert(name) }
            environment[name] = .some(nil)
            return true
        default: break
        }
        switch stage {
        case .beforeRequest:
            let isTime = if case .interface("Date.now()")? = known { true } else { false }
            guard let text = isTime ? "{{$timestamp}}000" : known?.text.flatMap(Self.inserted), !text.contains("{{\(name)}}") else { return false }
            // What was set before has the value before this one.
            let written = variables.values + headers.map(\.field.value)
            guard !written.contains(where: { $0.contains("{{\(name)}}") }) else { return false }
            let uses = texts.ranges(of: "{{\(name)}}").count
            // A template is new each time it is inserted, and a variable that only other requests use is none of this one.
            guard uses > 0 || isShared, uses < 2 || !text.contains("{{$") else { return false }
            if uses > 0 {
                variables[name] = text
                unused.remove(name)
                if isTime { changes.append("\(name) has whole seconds in milliseconds") }
            }
            if uses == 0 { unused.insert(name) }
            // A value that is new each time it is inserted is not known afterwards.
            environment[name] = text.contains("{{$") ? .some(nil) : known
            return true
        case .afterResponse:
            guard let path = source(of: expression) else { return false }
            if case .subject? = known { environment[name] = known } else { environment[name] = .some(nil) }
            captures.removeAll { $0.name == name }
            captures.append(Capture(name: name, path: path))
            return true
        }
    }

    /// A text that a script sets before the request, with the variables in it, because the tools replace them after the script.
    ///
    /// - Returns: nil where something else than the name of a variable is between two braces.
    private static func inserted(_ text: String) -> String? {
        let braces = Template.quoting("{{")
        var (result, rest) = ("", text[...])
        while let start = rest.firstRange(of: braces), let end = rest[start.upperBound...].firstRange(of: "}}") {
            let name = rest[start.upperBound..<end.lowerBound].trimmingBlanks
            guard ForeignText.isVariable(name), !name.hasPrefix("_.") else { return nil }
            result += rest[..<start.lowerBound] + "{{\(name)}}"
            rest = rest[end.upperBound...]
        }
        return result + rest
    }

    /// Makes credentials of `USER:PASSWORD`; false for another text, and where the request has other credentials.
    private mutating func signIn(_ text: String) -> Bool {
        guard auth == .none || auth == .inherit, let found = ForeignText.login(colonIn: text) else { return false }
        login = .basic(user: found.user, password: found.password)
        headers.removeAll { $0.field.name.lowercased() == "authorization" }
        changes.append("the login is sent by auth: in UTF-8")
        return true
    }

    /// Translates a header field that a script adds: a name and a value, or an object with them as `key` and `value`.
    private mutating func setHeader(_ arguments: [JavaScriptExpression], replaces: Bool) -> Bool {
        var parts = arguments
        if arguments.count == 1, case .object(let members)? = arguments.first {
            guard members.count == 2 else { return false }
            parts = ["key", "value"].compactMap { name in members.first { $0.name == name }?.value }
        }
        guard stage == .beforeRequest, parts.count == 2, let name = value(of: parts[0])?.string else { return false }
        let known = value(of: parts[1])
        if case .base64(let text, "Basic ")? = known, name.lowercased() == "authorization", replaces || authorization == nil { return signIn(text) }
        let isTime = if case .interface("Date.now()")? = known { true } else { false }
        guard let text = isTime ? "{{$timestamp}}000" : known?.text.flatMap(Self.inserted), ImportedHeader.problem(of: name, text) == nil else {
            return false
        }
        if isTime { changes.append("\(name) has whole seconds in milliseconds") }
        if name.lowercased() == "authorization", auth != .none {
            guard auth == .inherit else { return false }
            changes.append("the field Authorization is sent instead of the credentials that the request inherits")
        }
        headers.append((Parameter(name, text), replaces))
        return true
    }

    /// The source of a capture with the value of an expression, as in a row of Bruno; nil where a capture has none.
    static func source(of text: String) -> String? {
        var translation = ScriptTranslation(Expectation())
        return JavaScriptProgram.expression(text).flatMap { translation.source(of: $0) }
    }

    /// The checks that all hold exactly when an expression counts as true; nil where there are none.
    static func checks(of text: String, hiddenNames: Set<String>) -> [ScriptCheck]? {
        var translation = ScriptTranslation(Expectation())
        translation.hiddenNames = hiddenNames
        return JavaScriptProgram.expression(text).flatMap { translation.checks(of: $0, true) }
    }

    /// The part of a response that an expression names; nil for another one.
    static func subject(of text: String, hiddenNames: Set<String> = []) -> ScriptCheck.Subject? {
        var translation = ScriptTranslation(Expectation())
        translation.hiddenNames = hiddenNames
        guard let expression = JavaScriptProgram.expression(text), case .subject(let subject)? = translation.value(of: expression) else { return nil }
        return subject
    }

    /// The source of a capture with the text of an expression; nil where a capture has none.
    private mutating func source(of expression: JavaScriptExpression) -> String? {
        switch expression {
        case .call(.name("String"), let arguments) where arguments.count == 1: return source(of: arguments[0])
        case .call(.member(let object, .string("toString"), isOptional: false), let arguments) where arguments.isEmpty: return source(of: object)
        case .template(let texts, let parts) where parts.count == 1 && texts.allSatisfy(\.isEmpty): return source(of: parts[0])
        default: break
        }
        switch value(of: expression) {
        case .subject(.json(let path))?: return ScriptExpectation.text(of: path)
        case .subject(.status)?: return "status"
        case .subject(.header(let name))?: return "header \(name)"
        default: return nil
        }
    }

    private mutating func declare(_ list: [(pattern: JavaScriptPattern, value: JavaScriptExpression?)]) -> Bool {
        var isKnown = true
        for (pattern, expression) in list {
            guard let expression else {
                declare(pattern, .undefined)
                continue
            }
            let known = value(of: expression)
            if known == nil { isKnown = false }
            if case .subject(.json(let path))? = known, !expectation.read(path) { isKnown = false }
            declare(pattern, known)
        }
        return isKnown
    }

    private mutating func declare(_ pattern: JavaScriptPattern, _ value: ScriptValue?) {
        switch pattern {
        case .name(let name): scopes[scopes.count - 1][name] = .some(value)
        case .members(let members):
            for (member, name) in members { scopes[scopes.count - 1][name] = .some(value.flatMap { self.member(.string(member), of: $0) }) }
        case .other: break
        }
    }

    private mutating func setVariable(_ name: String, _ value: ScriptValue?) {
        guard let index = scopes.lastIndex(where: { $0[name] != nil }) else { return }
        scopes[index][name] = .some(value)
    }

    /// Begins an evaluation, which ``endEvaluation()`` ends; false where a statement has too many, because a chain of calls evaluates what is before each
    /// call again, and where they are within each other, because each of them uses the stack.
    mutating func beginEvaluation() -> Bool {
        evaluations += 1
        depth += 1
        return evaluations < 10_000 && depth < 200
    }

    mutating func endEvaluation() { depth -= 1 }

    /// Whether a local variable has a name.
    func isLocal(_ name: String) -> Bool { scopes.contains { $0[name] != nil } }

    /// The value of a local variable; nil where it is not known.
    func local(_ name: String) -> ScriptValue? { scopes.last { $0[name] != nil }?[name] ?? nil }

    /// Evaluates an expression with a parameter of a function.
    mutating func with<Result>(_ pattern: JavaScriptPattern, _ value: ScriptValue, _ body: (inout ScriptTranslation) -> Result) -> Result {
        scopes.append([:])
        defer { scopes.removeLast() }
        declare(pattern, value)
        return body(&self)
    }
}
