/// The functions that exported Swift contains.
enum SwiftRuntime {
    /// The functions that code uses.
    static func text(for code: String) -> String {
        let used = functions.filter { code.contains($0.use) }.map { "\n" + $0.code }.joined()
        return used.contains("Problem(") ? used + "\n" + problem : used
    }

    /// The functions, each with the text by which code uses it.
    private static let functions: [(use: String, code: String)] = [
        (
            "environment(",
            """
                /// The value of an environment variable.
                private static func environment(_ name: String) throws -> String {
                    guard let value = ProcessInfo.processInfo.environment[name] else { throw Problem("set the environment variable \\(name)") }
                    return value
                }

            """
        ),
        (
            "value(\"",
            """
                /// A value that an earlier request captured.
                private static func value(_ name: String, of values: [String: String]) throws -> String {
                    guard let value = values[name] else { throw Problem("there is no value \\(name)") }
                    return value
                }

            """
        ),
        (
            "escaped(",
            """
                /// A value as part of a URL or a form.
                private static func escaped(_ value: String) -> String {
                    value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
                }

            """
        ),
        (
            "jsonText(",
            """
                /// A value inside the quotes of a JSON string.
                private static func jsonText(_ value: String) throws -> String {
                    String(String(decoding: try JSONEncoder().encode(value), as: UTF8.self).dropFirst().dropLast())
                }

            """
        ),
        (
            "xmlText(",
            """
                /// A value as the text of an XML element.
                private static func xmlText(_ value: String) -> String {
                    value.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
                }

            """
        ),
        (
            "captured(",
            """
                /// A value of a response: `status`, `header NAME` or a JSON path.
                private static func captured(_ source: String, in response: Response) throws -> String {
                    if source == "status" { return String(response.status) }
                    if source.hasPrefix("header ") {
                        guard let field = response.headers[String(source.dropFirst("header ".count))] else { throw Problem("there is no \\(source)") }
                        return field
                    }
                    guard let value = try JSONPath(source).result(in: JSONValue(parsing: response.text ?? "")) else {
                        throw Problem("there is no value at \\(source)")
                    }
                    if case .string(let text) = value { return text }
                    return value.text
                }

            """
        ),
        (
            "check(\"",
            #"""
                /// Throws where none of the values satisfies a condition.
                private static func check(_ subject: String, _ found: [JSONValue], _ test: String, _ operands: [String], hidden: Bool = false) throws {
                    let isMet = try test == "missing" ? found.isEmpty : found.contains { try holds($0, test, operands) }
                    if isMet { return }
                    let actual = found.isEmpty ? "nothing" : hidden ? "****" : found.prefix(10).map(\.text).joined(separator: ", ")
                    let wanted = hidden ? "****" : operands.joined(separator: " ")
                    throw Problem("\(subject): expected \(test) \(wanted), got \(actual.prefix(500))")
                }

                private static func holds(_ value: JSONValue, _ test: String, _ operands: [String]) throws -> Bool {
                    var text = value.text
                    if case .string(let plain) = value { text = plain }
                    let operand = operands.first ?? ""
                    switch test {
                    case "exists": return true
                    case "in": return operands.contains(text)
                    case "=": return equals(value, text, operand)
                    case "!=": return !equals(value, text, operand)
                    case "matches": return try text.firstMatch(of: Regex(operand)) != nil
                    case "type":
                        switch value {
                        case .null: return operand == "null"
                        case .bool: return operand == "bool"
                        case .string: return operand == "string"
                        case .array: return operand == "array"
                        case .object: return operand == "object"
                        case .number(let digits): return operand == "number" || operand == "integer" && Double(digits).map { $0.rounded() == $0 } ?? false
                        }
                    default:
                        guard let left = Double(text), let right = Double(operand) else { return false }
                        return test == "<" ? left < right : test == "<=" ? left <= right : test == ">" ? left > right : left >= right
                    }
                }

                /// Whether a value is the expected one; a number is also equal to another spelling of it.
                private static func equals(_ value: JSONValue, _ text: String, _ expected: String) -> Bool {
                    if text == expected { return true }
                    switch value {
                    case .null, .bool, .string: return false
                    case .number:
                        guard let left = Double(text), let right = Double(expected) else { return false }
                        return left == right && abs(left) < 9_007_199_254_740_992
                    case .array, .object: return (try? JSONValue(parsing: expected)) == value
                    }
                }

            """#
        ),
        (
            "found(\"",
            """
                /// The values at a JSON path of a response.
                private static func found(_ path: String, in response: Response) throws -> [JSONValue] {
                    try JSONPath(path).values(in: JSONValue(parsing: response.text ?? ""))
                }

            """
        ),
        (
            "field(\"",
            """
                /// The value of a header field of a response; an empty list where it has none.
                private static func field(_ name: String, of response: Response) -> [JSONValue] {
                    response.headers[name].map { [.string($0)] } ?? []
                }

            """
        ),
        (
            "require(",
            """
                private static func require(_ condition: Bool, _ message: String) throws {
                    if !condition { throw Problem(message) }
                }

            """
        ),
    ]

    private static let problem = """
            /// Why a request was not sent, or how its response differs from the expectation.
            struct Problem: Error, CustomStringConvertible {
                let description: String

                init(_ description: String) { self.description = description }
            }

        """
}
