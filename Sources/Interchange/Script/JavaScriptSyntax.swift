/// An expression of JavaScript, as far as scripts of tests need it.
indirect enum JavaScriptExpression {
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
    /// What is parsed and has no meaning here, such as a spread element.
    case other
}

/// A function: its parameters, and its body, which is one returned expression in short arrow functions.
struct JavaScriptFunction {
    let parameters: [JavaScriptPattern]
    let body: [JavaScriptStatement]
}

/// What a declaration or a parameter names.
enum JavaScriptPattern {
    case name(String)
    /// `{a, b: c}`: members and the names that get their values.
    case members([(member: String, name: String)])
    case other
}

/// A statement with its place.
struct JavaScriptStatement {
    /// The kinds of statements.
    indirect enum Kind {
        case expression(JavaScriptExpression)
        case declaration([(pattern: JavaScriptPattern, value: JavaScriptExpression?)])
        case condition(JavaScriptExpression, JavaScriptStatement, otherwise: JavaScriptStatement?)
        case block([JavaScriptStatement])
        case returns(JavaScriptExpression?)
        /// `for (const NAME of LIST)`.
        case each(String, JavaScriptExpression, JavaScriptStatement)
        case attempt([JavaScriptStatement], handler: [JavaScriptStatement])
        case empty
        /// What is parsed and has no meaning here, such as a loop.
        case other
    }

    let kind: Kind
    /// The positions of its scalars in the script.
    let range: Range<Int>
}
