internal import SortieBase

extension Condition {
    /// Replaces the templates of a condition.
    ///
    /// The author's text determines the test; a value determines only the operand.
    ///
    /// - Returns: The text of the condition. A value such as `exists` is compared literally; `{{name|raw}}` inserts a test.
    static func resolved(_ text: String, in scope: TemplateScope) throws(TemplateError) -> String {
        guard text.contains("{{") else { return text }
        // A raw value may be a complete test.
        let isRaw = Template(text).segments.contains { $0.isRaw }
        guard !isRaw, let test = test(of: text) else { return try scope.resolve(text) }
        switch test {
        case .equals(let argument) where argument.isContainer, .differs(let argument) where argument.isContainer:
            return try "\(text.prefix { $0 != " " }) " + value(argument, in: scope)
        case .equals:
            let value = try scope.resolve(text)
            if let read = Condition.test(of: value), read == .equals(value) { return value }
            return text.hasPrefix("= ") ? value : "= \(value)"
        case .matches(let pattern): return "matches \(try scope.resolve(pattern, as: .pattern))"
        case .oneOf(let values):
            var resolved: [String] = []
            for value in values { resolved.append(try scope.resolve(value)) }
            return "\(Key.oneOf.word) \(Condition(.oneOf(resolved)).entry.operand)"
        case .differs, .compares, .exists, .missing, .type, .length: return try scope.resolve(text)
        }
    }

    /// An array or an object to compare with.
    ///
    /// A text that only begins like one is treated as text.
    private static func value(_ text: String, in scope: TemplateScope) throws(TemplateError) -> String {
        do { return try scope.resolve(text, as: .json) } catch { return try scope.resolve(text) }
    }

    /// Nil for a text that is not a condition.
    private static func test(of text: String) -> Test? {
        do { return try Condition(text).test } catch { return nil }
    }
}

extension String {
    /// Whether the text begins like a JSON array or object.
    fileprivate var isContainer: Bool { hasPrefix("[") || (hasPrefix("{") && !hasPrefix("{{")) }
}
