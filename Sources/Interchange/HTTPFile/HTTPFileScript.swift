internal import SortieBase
internal import WorkspaceModel

/// What scripts and checks say that Sortie can do without running them.
enum HTTPFileScript {
    /// The values of a response that a script sets: `client.global.set("name", response.body.path)`, or `exports.name = response.parsedBody.path`.
    static func captures(in script: String) -> [Capture] {
        var captures: [Capture] = []
        var rest = script[...]
        while let call = rest.firstRange(of: "client.global.set(") {
            rest = rest[call.upperBound...]
            guard let close = rest.firstIndex(of: ")") else { break }
            let arguments = rest[..<close].split(separator: ",", maxSplits: 1).map { ForeignText.trimmed($0) }
            guard arguments.count == 2, let name = quoted(arguments[0]), ForeignText.isVariable(name), let path = place(arguments[1]) else {
                continue
            }
            captures.append(Capture(name: name, path: path))
        }
        for line in script.split(whereSeparator: { $0.isNewline || $0 == ";" }) {
            let content = ForeignText.trimmed(line)
            guard content.hasPrefix("exports."), let equals = content.firstIndex(of: "=") else { continue }
            let name = ForeignText.trimmed(content[..<equals].dropFirst("exports.".count))
            guard ForeignText.isVariable(name), let path = place(ForeignText.trimmed(content[content.index(after: equals)...])) else { continue }
            captures.append(Capture(name: name, path: path))
        }
        return captures
    }

    /// The text in quotes; nil for another text.
    private static func quoted(_ text: String) -> String? {
        guard let quote = text.first, "\"'`".contains(quote), text.count >= 2, text.last == quote else { return nil }
        return String(text.dropFirst().dropLast())
    }

    /// The source of a capture for `response.body.a.b[0]`; nil for another expression.
    private static func place(_ expression: String) -> String? {
        guard expression.hasPrefix("response."), expression.allSatisfy({ $0.isLetter || $0.isNumber || "._[]$".contains($0) }) else { return nil }
        guard let path = HTTPFileTranslation.source(of: expression, base: "$") else { return nil }
        do {
            _ = try Capture(name: "x", path: path).source()
            return path
        } catch { return nil }
    }

    /// The status that a script expects: `response.status === 200`.
    static func status(in script: String) -> Int? {
        for operation in ["response.status === ", "response.status == ", "response.status==", "response.status==="] {
            guard let range = script.firstRange(of: operation) else { continue }
            let digits = script[range.upperBound...].prefix { $0.isNumber }
            if let status = Int(digits), (100...599).contains(status) { return status }
        }
        return nil
    }

    /// Adds a check of httpyac, `status == 200`; false for one that has no equivalent.
    static func add(_ check: String, to expectation: inout Expectation) -> Bool {
        var words = check.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
        if words.first == "js" { words.removeFirst() }
        guard words.count >= 2 else { return false }
        if words[0] == "header" {
            guard let test = test(words[2...].first, words.dropFirst(3).joined(separator: " ")) else { return false }
            expectation.headers.append(Parameter(words[1], Template.quoting(test)))
            return true
        }
        let subject = words[0]
        let argument = words.dropFirst(2).joined(separator: " ")
        if subject == "status" || subject == "response.statusCode" || subject == "response.status" {
            guard words[1].hasPrefix("=="), let status = Int(argument), (100...599).contains(status) else { return false }
            expectation.status = status
            return true
        }
        if subject == "duration", words[1] == "<" || words[1] == "<=", let limit = Int(argument), limit > 0 {
            expectation.under = .milliseconds(limit)
            return true
        }
        let isPath = subject.hasPrefix("$.") || subject.hasPrefix("response.parsedBody.") || subject.hasPrefix("response.body.")
        guard isPath, let path = place(subject.hasPrefix("$") ? "response.body." + subject.dropFirst(2) : subject) else { return false }
        guard let test = test(words[1], unquoted(argument)) else { return false }
        expectation.json.append(Parameter(path, Template.quoting(test)))
        return true
    }

    private static func unquoted(_ text: String) -> String { quoted(text) ?? text }

    private static func test(_ operation: String?, _ argument: String) -> String? {
        switch operation {
        case "==", "===": "= \(argument)"
        case "!=", "!==": "!= \(argument)"
        case "<", "<=", ">", ">=": Double(argument) == nil ? nil : "\(operation ?? "") \(argument)"
        case "exists": "exists"
        case "isFalse" where argument.isEmpty: nil
        default: nil
        }
    }
}
