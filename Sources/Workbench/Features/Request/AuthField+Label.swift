internal import SortieHTTP

extension AuthField {
    /// The name on the Auth tab: that of the key in files, as words, in which abbreviations stay in capitals.
    var label: String {
        var words: [String] = []
        for character in name {
            let joins = words.last?.last.map { character.isLowercase || $0.isUppercase } ?? false
            if joins { words[words.count - 1].append(character) } else { words.append(String(character)) }
        }
        let text = words.map { $0.allSatisfy(\.isUppercase) && $0.count > 1 ? $0 : $0.lowercased() }.joined(separator: " ")
        return text.prefix(1).uppercased() + text.dropFirst()
    }
}
