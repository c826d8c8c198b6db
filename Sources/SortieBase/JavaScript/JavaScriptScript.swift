/// A script of functions that is evaluated: the part of JavaScript that scripts which choose a proxy consist of.
///
/// It has no access to anything but the functions that the caller gives. Objects without prototypes, arrays, texts, numbers and regular expressions
/// without groups are evaluated; classes, exceptions, destructuring and dates are not.
package struct JavaScriptScript: Sendable {
    /// A function of the caller.
    ///
    /// - Throws: A ``JavaScriptFailure``, which ends the evaluation.
    package typealias Function = @Sendable ([JavaScriptValue]) throws(JavaScriptFailure) -> JavaScriptValue

    /// The limit of one evaluation: the sum of its statements, expressions and handled texts, which count by their length.
    package static let mostSteps = 100_000

    let script: ScriptText
    private let statements: [JavaScriptStatement]

    /// Parses a script.
    ///
    /// - Parameter file: The name of the script in diagnostics.
    /// - Throws: A diagnostic with the place of the first text that is not understood.
    package init(_ text: String, file: String) throws(Diagnostic) {
        script = ScriptText(text, file: file)
        var lexer = JavaScriptLexer(script)
        statements = try JavaScriptParser.statements(of: script, try lexer.all(), .whole)
    }

    /// Evaluates the script, and then one of its functions.
    ///
    /// - Parameters:
    ///   - name: The name of the function.
    ///   - arguments: The values of its parameters.
    ///   - functions: What the script can call besides its own functions, by name.
    /// - Throws: A failure with the place of the statement that was not evaluated.
    package func call(
        _ name: String, _ arguments: [JavaScriptValue], functions: [String: Function]
    ) throws(JavaScriptFailure) -> JavaScriptValue {
        var evaluation = JavaScriptEvaluation(functions: functions, stepsLeft: Self.mostSteps)
        do throws(JavaScriptFailure) {
            _ = try evaluation.run(statements, in: evaluation.globals)
            guard let function = evaluation.globals.values[name] else {
                throw .unsupported("the script has no function \(name)")
            }
            return try evaluation.call(function, arguments)
        } catch {
            guard case .unsupported(let message) = error else { throw error }
            guard let position = evaluation.position else { throw .problem(Diagnostic(SourceLocation(file: script.file), message)) }
            var script = script
            throw .problem(Diagnostic(script.place(at: position), message))
        }
    }
}

/// Why a script has no result.
package enum JavaScriptFailure: Error, Hashable, Sendable {
    /// Something that is not evaluated, at a place of the script.
    case problem(Diagnostic)
    /// Something that is not evaluated, before its place is known.
    case unsupported(String)
    /// A function of the caller needs the addresses of a host, with which the evaluation is repeated.
    case lookup(String)
}
