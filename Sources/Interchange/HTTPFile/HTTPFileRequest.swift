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
        /// The number of lines that continue the value.
        var furtherLines = 0

        /// The numbers of its lines.
        var lines: Range<Int> { place.line..<place.line + furtherLines + 1 }
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
    /// The curl command line in place of the request line, the fields and the body; nil for none.
    var command: String?
    /// The place of the request line.
    var place: SourceLocation
    /// The last line of the request line with its continuations, from 1.
    var lastTargetLine = 0
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

    /// The names by which people and templates of other requests call the request, the most specific first.
    var names: [String] { [name, title].compactMap(\.self) }
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
        // The password has the rest of the words.
        if words.count >= 2 { return (words[0], words.dropFirst().joined(separator: " ")) }
        guard words.count == 1 else { return nil }
        if let login = ForeignText.login(colonIn: text) { return login }
        guard Template(text).isPlain, let data = Data(base64Encoded: text), let decoded = String(validating: data, as: UTF8.self),
            let split = decoded.firstIndex(of: ":")
        else { return nil }
        return (Template.quoting(String(decoded[..<split])), Template.quoting(String(decoded[decoded.index(after: split)...])))
    }
}

extension HTTPFileRequest.Note {
    /// The script; nil for a reference to a file.
    ///
    /// - Parameter request: The place of the request line.
    func script(of request: SourceLocation) -> TestScript? {
        let isBefore = place.line < request.line || kind.hasPrefix("pre-request")
        let place = place
        func script(_ text: some StringProtocol, skipping lines: Int) -> TestScript {
            TestScript(String(text), isBefore ? .beforeRequest : .afterResponse, kind: kind) { line in
                SourceLocation(file: place.file, line: place.line + lines + line, column: 1)
            }
        }
        if let open = text.firstRange(of: "{%"), let close = text.lastIndex(of: "%"), close >= open.upperBound {
            return script(text[open.upperBound..<close], skipping: 0)
        }
        guard text.hasPrefix("{{"), let first = text.firstIndex(where: \.isNewline), let last = text.lastIndex(where: \.isNewline), first < last
        else {
            return nil
        }
        return script(text[text.index(after: first)..<last], skipping: 1)
    }
}

/// The checks of httpyac, `?? status == 200`.
enum HTTPYacCheck {
    /// In scripts of httpyac, `response.body` is the text of the body.
    static let hiddenNames: Set = ["response.body"]

    /// The checks of a line; nil for one that no expectation has.
    static func checks(_ text: String) -> [ScriptCheck]? {
        let words = text.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
        guard let first = words.first, words.count >= 2 else { return nil }
        if first == "js" { return ScriptTranslation.checks(of: words.dropFirst().joined(separator: " "), hiddenNames: hiddenNames) }
        let isHeader = first == "header"
        guard words.count >= (isHeader ? 3 : 2) else { return nil }
        let rest = words.dropFirst(isHeader ? 2 : 1)
        let subject: ScriptCheck.Subject? =
            switch first {
            case "header": .header(words[1])
            case "status": .status
            case "duration": .time
            default:
                ScriptTranslation.subject(of: first.hasPrefix("$.") ? "response.parsedBody." + first.dropFirst(2) : first, hiddenNames: hiddenNames)
            }
        let operand = rest.dropFirst().joined(separator: " ")
        return subject.flatMap { ScriptOperator.check($0, rest.first ?? "", operand, isLoose: true) }.map { [$0] }
    }
}
