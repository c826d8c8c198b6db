internal import SortieHTTP

extension AuthField {
    /// The name on the Auth tab: that of the key in files, as words, in which abbreviations stay in capitals.
    var label: String { KeyLabel.text(of: name) }
}

/// The names of keys as words.
enum KeyLabel {
    /// Abbreviations that keys have in small letters.
    private static let abbreviations: Set = ["ca", "https", "pac", "url"]

    /// The words of the names of a key in a mapping, such as `limits` and `requests`: `Limits: requests`.
    static func text(of name: String, in mapping: String) -> String {
        let label = text(of: name)
        let isAbbreviation = label.dropFirst().first?.isUppercase ?? false
        return "\(text(of: mapping)): " + (isAbbreviation ? label : label.prefix(1).lowercased() + label.dropFirst())
    }

    /// The words of a name such as `clientID`: `Client ID`.
    static func text(of name: String) -> String {
        var words: [String] = []
        for character in name {
            let joins = words.last?.last.map { character.isLowercase || $0.isUppercase } ?? false
            if joins { words[words.count - 1].append(character) } else { words.append(String(character)) }
        }
        let text = words.map { word in
            if abbreviations.contains(word) { return word.uppercased() }
            return word.allSatisfy(\.isUppercase) && word.count > 1 ? word : word.lowercased()
        }.joined(separator: " ")
        return text.prefix(1).uppercased() + text.dropFirst()
    }
}
