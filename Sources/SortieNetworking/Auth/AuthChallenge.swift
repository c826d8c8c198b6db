internal import SortieBase
internal import SortieHTTP

/// One challenge of a `WWW-Authenticate` field (RFC 9110 §11.6.1).
struct AuthChallenge: Hashable {
    /// The scheme as the server wrote it.
    var scheme: String
    /// The parameters, with names in lowercase.
    var parameters: [String: String] = [:]

    /// The challenges of all `WWW-Authenticate` fields, in order; commas separate both the challenges of a field and their parameters.
    ///
    /// They are read by scalars, because a combining mark would hide a quote or a comma before it.
    static func all(in headers: Headers) -> [AuthChallenge] {
        var result: [AuthChallenge] = []
        for item in headers.values(of: "WWW-Authenticate").flatMap(items) {
            let equals = item.firstIndex(of: "=") ?? item.endIndex
            let blank = item.firstIndex(where: \.isSpaceOrTab) ?? item.endIndex
            var parameter = item
            // A token before a space, or alone, begins a challenge; a parameter has its “=” before any space.
            if equals == item.endIndex || blank < equals {
                result.append(AuthChallenge(scheme: String(item[..<blank])))
                parameter = item[blank...].drop(while: \.isSpaceOrTab)
            }
            guard let last = result.indices.last, let sign = parameter.firstIndex(of: "=") else { continue }
            let name = String(String.UnicodeScalarView(parameter[..<sign].filter { $0 != " " })).lowercased()
            let value = parameter[parameter.index(after: sign)...].drop { $0 == " " }
            result[last].parameters[name] = String(String.UnicodeScalarView(value.filter { $0 != "\"" }))
        }
        return result
    }

    /// Splits at commas outside quoted strings.
    private static func items(_ value: String) -> [Substring.UnicodeScalarView] {
        var (isQuoted, isEscaped) = (false, false)
        return value.unicodeScalars.split { character in
            if isEscaped {
                isEscaped = false
                return false
            }
            if character == "\\" { isEscaped = isQuoted }
            if character == "\"" { isQuoted.toggle() }
            return character == "," && !isQuoted
        }.map { $0.trimming(\.isSpaceOrTab) }
    }
}
