internal import WorkspaceModel

/// Translates the variables of posting: `$NAME` and `${NAME}`.
enum PostingTemplates {
    /// A text with the templates of Sortie; `$$` is a dollar sign.
    static func text(_ text: String) -> String {
        var result = ""
        var plain = ""
        var rest = text[...]
        func isStart(_ character: Character?) -> Bool { character.map { $0 == "_" || $0.isASCII && $0.isLetter } ?? false }
        func isPart(_ character: Character) -> Bool { character == "_" || character.isASCII && (character.isLetter || character.isNumber) }
        while let character = rest.popFirst() {
            guard character == "$" else {
                plain.append(character)
                continue
            }
            var name: Substring?
            if rest.first == "$" {
                rest.removeFirst()
            } else if rest.first == "{", let end = rest.firstIndex(of: "}"), isStart(rest.dropFirst().first),
                rest[..<end].dropFirst().allSatisfy(isPart)
            {
                name = rest[..<end].dropFirst()
                rest = rest[rest.index(after: end)...]
            } else if isStart(rest.first) {
                name = rest.prefix(while: isPart)
                rest = rest.dropFirst(name?.count ?? 0)
            }
            guard let name else {
                plain.append("$")
                continue
            }
            result += Template.quoting(plain) + "{{\(name)}}"
            plain = ""
        }
        return result + Template.quoting(plain)
    }
}
