internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

internal import struct FoundationEssentials.Data

/// A request of a `.http` file as it is written.
struct HTTPFileRequest {
    /// A line with its number.
    struct Line {
        var text: String
        var number: Int
    }

    /// A name and a value: a field, a directive, a variable.
    struct Pair {
        var name: String
        var value: String
        var place: SourceLocation
        /// Whether the row is sent; false for a field in a comment.
        var isEnabled = true
    }

    /// A text that is kept as a note, with the kind that the report names.
    struct Note {
        var kind: String
        var text: String
        var place: SourceLocation
    }

    /// The text after `###`.
    var title: String?
    /// The comments before the request line.
    var comments: [String] = []
    /// `@name`-like directives.
    var directives: [Pair] = []
    /// The method as it is written; nil for none.
    var method: String?
    /// The URL with its continuation lines, without the version.
    var target = ""
    /// `1.1` of `HTTP/1.1`.
    var version: String?
    /// The place of the request line.
    var place: SourceLocation
    /// The last line of the request.
    var lastLine = 0
    var headers: [Pair] = []
    var body: [Line] = []
    /// Scripts, handlers and references.
    var notes: [Note] = []
    /// `??` lines of httpyac.
    var checks: [Pair] = []
    /// Variables that are defined by the response.
    var captures: [Pair] = []
    /// Variables that are defined before or in the request, in order.
    var variables: [Pair] = []
    /// Parts that are not understood.
    var problems: [ImportReport.Entry] = []

    /// The name by which other requests refer to this one.
    var name: String? { directives.last { $0.name == "name" }.map(\.value).flatMap { $0.isEmpty ? nil : $0 } }
}

/// The content of a `.http` file.
struct HTTPFileDocument {
    var requests: [HTTPFileRequest] = []
    /// Variables outside of requests and in requests, in the order of the file.
    var variables: [HTTPFileRequest.Pair] = []
    /// Checks that apply to every request.
    var checks: [HTTPFileRequest.Pair] = []
    /// What stands outside of requests and is not imported.
    var entries: [ImportReport.Entry] = []
}

/// The value of `Authorization` in `.http` files, which may have a user and a password in plain text.
enum HTTPFileAuth {
    /// The credentials; nil where the field must be sent as it is written.
    static func auth(_ value: String) -> Auth? {
        let scheme = value.prefix { !$0.isWhitespace }
        let rest = value.dropFirst(scheme.count).trimmingBlanks
        switch scheme.lowercased() {
        case "bearer" where !rest.isEmpty && !rest.contains(where: \.isWhitespace) || rest.hasPrefix("{{"): return .bearer(token: rest)
        case "basic": return login(rest).map { .basic(user: $0.user, password: $0.password) }
        case "digest" where !rest.contains("="): return login(rest).map { .digest(user: $0.user, password: $0.password) }
        default: return nil
        }
    }

    /// The name of the credentials in `Bearer {{$auth.token("NAME")}}`; nil for another value.
    static func credentials(_ value: String) -> String? {
        let words = value.split(maxSplits: 1, whereSeparator: \.isWhitespace)
        guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
        let text = words[1].trimmingBlanks
        guard text.hasPrefix("{{"), text.hasSuffix("}}") else { return nil }
        let call = text.dropFirst(2).dropLast(2).trimmingBlanks
        guard call.hasPrefix("$auth.token("), call.hasSuffix(")") else { return nil }
        return call.dropFirst("$auth.token(".count).dropLast().trimmingBlanks.filter { $0 != "\"" && $0 != "'" }
    }

    /// The name of a scheme that other tools compute and Sortie does not.
    static func unsupported(_ value: String) -> String? {
        let scheme = String(value.prefix { !$0.isWhitespace })
        return ["aws", "oauth2", "openid", "ntlm", "hawk", "edgegrid", "cognito", "ssl"].contains(scheme.lowercased()) ? scheme : nil
    }

    /// `user password`, `user:password`, or both in base64.
    private static func login(_ text: String) -> (user: String, password: String)? {
        let words = ForeignText.words(text)
        if words.count == 2 { return (words[0], words[1]) }
        guard words.count == 1 else { return nil }
        if let colon = colon(in: text) { return (String(text[..<colon]), String(text[text.index(after: colon)...])) }
        guard Template(text).isPlain, let data = Data(base64Encoded: text), let decoded = String(validating: data, as: UTF8.self),
            let split = decoded.firstIndex(of: ":")
        else { return nil }
        return (Template.quoting(String(decoded[..<split])), Template.quoting(String(decoded[decoded.index(after: split)...])))
    }

    private static func colon(in text: String) -> String.Index? {
        var index = text.startIndex
        while index < text.endIndex {
            if text[index...].hasPrefix("{{"), let end = text[index...].firstRange(of: "}}") {
                index = end.upperBound
            } else if text[index] == ":" {
                return index
            } else {
                index = text.index(after: index)
            }
        }
        return nil
    }
}

/// What scripts and checks say that Sortie can do without running them.
enum HTTPFileScript {
    /// The values of a response that a script sets: `client.global.set("name", response.body.path)`, or `exports.name = response.parsedBody.path`.
    static func captures(in script: String) -> [Capture] {
        var captures: [Capture] = []
        var rest = script[...]
        while let call = rest.firstRange(of: "client.global.set(") {
            rest = rest[call.upperBound...]
            guard let close = rest.firstIndex(of: ")") else { break }
            let arguments = rest[..<close].split(separator: ",", maxSplits: 1).map(\.trimmingBlanks)
            guard arguments.count == 2, let name = quoted(arguments[0]), ForeignText.isVariable(name), let path = place(arguments[1]) else {
                continue
            }
            captures.append(Capture(name: name, path: path))
        }
        for line in script.split(whereSeparator: { $0.isNewline || $0 == ";" }) {
            let content = line.trimmingBlanks
            guard content.hasPrefix("exports."), let equals = content.firstIndex(of: "=") else { continue }
            let name = content[..<equals].dropFirst("exports.".count).trimmingBlanks
            guard ForeignText.isVariable(name), let path = place(content[content.index(after: equals)...].trimmingBlanks) else { continue }
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
        case "<", "<=", ">", ">=": JSONDecimal(parsing: argument) == nil ? nil : "\(operation ?? "") \(argument)"
        case "exists": "exists"
        case "isFalse" where argument.isEmpty: nil
        default: nil
        }
    }
}
