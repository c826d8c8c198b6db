internal import SortieBase

/// Names of secrets and of environment variables that describe what they are.
package enum SecretName {
    /// `X-Api-Key` and `api_key` as `apiKey`.
    package static func variable(_ text: String) -> String {
        var words = text.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }.map(String.init)
        if words.count > 1, words[0].lowercased() == "x" { words.removeFirst() }
        guard let first = words.first, first.first?.isNumber == false else { return "secret" }
        let head = first == first.uppercased() ? first.lowercased() : first.prefix(1).lowercased() + first.dropFirst()
        return head + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst().lowercased() }.joined()
    }

    /// `apiKey` and `api.example` as `API_KEY` and `API_EXAMPLE`.
    package static func environment(_ text: String) -> String {
        var result = ""
        var wasLower = false
        for character in text {
            guard character.isASCII, character.isLetter || character.isNumber else {
                if !result.isEmpty, result.last != "_" { result.append("_") }
                wasLower = false
                continue
            }
            if character.isUppercase, wasLower { result.append("_") }
            result += character.uppercased()
            wasLower = character.isLowercase || character.isNumber
        }
        while result.last == "_" { result.removeLast() }
        return result.isEmpty || result.first?.isNumber == true ? "API" + (result.isEmpty ? "" : "_\(result)") : result
    }

    /// The name in the store of this machine for a secret of a workspace: `demo-token`.
    ///
    /// A part of more than 80 characters ends with a digest, so that two long names do not share a secret.
    package static func stored(_ name: String, in workspace: String) -> String {
        let parts = [plain(workspace).lowercased(), plain(name)].filter { !$0.isEmpty }
        return parts.isEmpty ? "secret" : parts.joined(separator: "-")
    }

    /// The text in characters that names in the store can have.
    private static func plain(_ text: String) -> String {
        let name = text.split { !$0.isASCII || !($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") }.joined(separator: "-")
        let (longest, digits) = (80, 16)
        guard name.count > longest else { return name }
        return "\(name.prefix(longest - digits - 1))-\(HexDigits.text(HashFunction.sha256.digest(of: text).prefix(digits / 2)))"
    }
}
