internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

internal import struct FoundationEssentials.Data

/// The value of `Authorization` in `.http` files, which may have a user and a password in plain text.
enum HTTPFileAuth {
    /// The credentials; nil where the field must be sent as it is written.
    static func auth(_ value: String) -> Auth? {
        let scheme = value.prefix { !$0.isWhitespace }
        let rest = ForeignText.trimmed(value.dropFirst(scheme.count))
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
        let text = ForeignText.trimmed(words[1])
        guard text.hasPrefix("{{"), text.hasSuffix("}}") else { return nil }
        let call = ForeignText.trimmed(text.dropFirst(2).dropLast(2))
        guard call.hasPrefix("$auth.token("), call.hasSuffix(")") else { return nil }
        return ForeignText.trimmed(call.dropFirst("$auth.token(".count).dropLast()).filter { $0 != "\"" && $0 != "'" }
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
