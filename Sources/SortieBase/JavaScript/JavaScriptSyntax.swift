/// An expression of JavaScript, as far as scripts of tests and scripts that choose a proxy need it.
package indirect enum JavaScriptExpression: Sendable {
    case name(String)
    case string(String)
    /// The digits as they are written.
    case number(String)
    case boolean(Bool)
    case null
    /// The texts around the expressions.
    case template([String], [JavaScriptExpression])
    case regexp(String, flags: String)
    case array([JavaScriptExpression])
    /// Members with constant names.
    case object([(name: String, value: JavaScriptExpression)])
    case function(JavaScriptFunction)
    /// `a.b` and `a["b"]`; with `?.`, an object that is missing gives `undefined`.
    case member(JavaScriptExpression, JavaScriptExpression, isOptional: Bool)
    case call(JavaScriptExpression, [JavaScriptExpression])
    case new(JavaScriptExpression, [JavaScriptExpression])
    case unary(String, JavaScriptExpression)
    case binary(String, JavaScriptExpression, JavaScriptExpression)
    case conditional(JavaScriptExpression, JavaScriptExpression, JavaScriptExpression)
    /// The operator, the target and the value of an assignment.
    case assignment(String, JavaScriptExpression, JavaScriptExpression)
    /// `a, b`; of a whole script only.
    case sequence([JavaScriptExpression])
    /// `a++` or `a--`; of a whole script only.
    case postfix(String, JavaScriptExpression)
    /// What is parsed and has no meaning here, such as a spread element.
    case other
}

/// A function: its parameters, and its body, which is one returned expression in short arrow functions.
package struct JavaScriptFunction: Sendable {
    package let parameters: [JavaScriptPattern]
    package let body: [JavaScriptStatement]

    /// Creates a function.
    package init(parameters: [JavaScriptPattern], body: [JavaScriptStatement]) { (self.parameters, self.body) = (parameters, body) }
}

/// What a declaration or a parameter names.
package enum JavaScriptPattern: Sendable {
    case name(String)
    /// `{a, b: c}`: members and the names that get their values.
    case members([(member: String, name: String)])
    case other
}

/// A statement with its place.
package struct JavaScriptStatement: Sendable {
    /// The kinds of statements.
    package indirect enum Kind: Sendable {
        case expression(JavaScriptExpression)
        case declaration([(pattern: JavaScriptPattern, value: JavaScriptExpression?)])
        case condition(JavaScriptExpression, JavaScriptStatement, otherwise: JavaScriptStatement?)
        case block([JavaScriptStatement])
        case returns(JavaScriptExpression?)
        /// `for (const NAME of LIST)`.
        case each(String, JavaScriptExpression, JavaScriptStatement)
        case attempt([JavaScriptStatement], handler: [JavaScriptStatement])
        case empty
        /// `let` and `const`, whose names are those of their block; of a whole script only.
        case lexical([(pattern: JavaScriptPattern, value: JavaScriptExpression?)])
        /// `for (START; CONDITION; STEP)`, `while` and `do`, whose condition is evaluated after the body first; of a whole script only.
        case loop(JavaScriptStatement?, JavaScriptExpression?, step: JavaScriptExpression?, JavaScriptStatement, isAfter: Bool)
        /// `for (NAME in OBJECT)`; of a whole script only.
        case keys(String, JavaScriptExpression, JavaScriptStatement)
        /// `switch`, with nil for `default`; of a whole script only.
        case selection(JavaScriptExpression, [(label: JavaScriptExpression?, body: [JavaScriptStatement])])
        /// `break`; of a whole script only.
        case leaves
        /// `continue`; of a whole script only.
        case continues
        /// What is parsed and has no meaning here, such as a class, and a loop in a script of tests.
        case other
    }

    package let kind: Kind
    /// The positions of its scalars in the script.
    package let range: Range<Int>
}
