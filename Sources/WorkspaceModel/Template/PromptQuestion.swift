internal import SortieBase

/// A value that the user types before a request is sent: `{{$prompt LABEL}}`, `{{$prompt LABEL = DEFAULT}}` or `{{$promptSecret LABEL}}`.
///
/// Templates with the same label are one question.
package struct PromptQuestion: Hashable, Sendable {
    /// The names of the built-ins that prompt the user.
    package static let builtins = ["prompt", "promptSecret"]

    /// The text that names the value.
    package let label: String
    /// The value that the user accepts by typing nothing; empty for none.
    ///
    /// A secret has none, because files are shared.
    package let suggestion: String
    /// Whether the value is masked and not stored: that of `$promptSecret`, and that of a label with the name of a credential.
    package let isSecret: Bool

    /// Creates the question of a built-in; nil for a built-in that does not prompt.
    package init?(_ name: String, _ argument: String) {
        guard Self.builtins.contains(name) else { return nil }
        let equals = argument.firstIndex(of: "=")
        let label = argument[..<(equals ?? argument.endIndex)].trimmingBlanks
        self.label = label.isEmpty ? "Value" : label
        isSecret = name == "promptSecret" || Self.namesCredential(label)
        suggestion = isSecret ? "" : equals.map { argument[argument.index(after: $0)...].trimmingBlanks } ?? ""
    }

    private init(label: String, suggestion: String, isSecret: Bool) {
        (self.label, self.suggestion, self.isSecret) = (label, suggestion, isSecret)
    }

    /// The question of two templates with the same label; secret where one of them is.
    func merged(with other: PromptQuestion) -> PromptQuestion {
        let isSecret = isSecret || other.isSecret
        return PromptQuestion(label: label, suggestion: isSecret ? "" : suggestion.isEmpty ? other.suggestion : suggestion, isSecret: isSecret)
    }

    /// Whether a built-in in the notation of ``TemplateMemo/key(_:_:)`` prompts for a secret.
    static func isSecret(key: String) -> Bool {
        let name = key.prefix { $0 != " " }
        return PromptQuestion(String(name), String(key.dropFirst(name.count + 1)))?.isSecret ?? false
    }

    /// Whether the label or one of its words names a credential.
    private static func namesCredential(_ label: String) -> Bool {
        let words = label.split { !$0.isLetter && !$0.isNumber }.map(String.init)
        let names = words + [words.joined()] + zip(words, words.dropFirst()).map { $0 + $1 }
        let parameters = CredentialNames.parameters.map(CredentialNames.plain)
        return names.contains { CredentialNames.contains($0) || parameters.contains(CredentialNames.plain($0)) }
    }
}
