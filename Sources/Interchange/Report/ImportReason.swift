package import SortieBase

/// Why a part of a source is imported in another form or not at all, and what the user can do about it.
package struct ImportReason: Hashable, Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
    /// The option or the key of the source that the reason is about; nil for the whole item.
    private var subject: String?
    /// The reason without the remedy; empty where the remedy says it.
    private var text: String
    /// What the user can do; nil for nothing, and where the text says it.
    private(set) var remedy: Diagnostic.Remedy?
    /// How many items of the source the reason is about; nil for one that is named.
    private var count: Int?

    /// Creates a reason.
    package init(_ text: String, remedy: Diagnostic.Remedy? = nil) {
        (self.text, self.remedy) = (text, remedy)
    }

    /// Creates a reason with the remedy of an import.
    init(_ text: String, _ remedy: ImportRemedy) { self.init(text, remedy: remedy.remedy) }

    /// Creates a reason without a remedy.
    package init(stringLiteral text: String) { self.init(text) }

    /// The reason as that of an option or a key of the source.
    func about(_ subject: String) -> ImportReason {
        var result = self
        result.subject = self.subject.map { "\(subject): \($0)" } ?? subject
        return result
    }

    /// The reason as that of some items of the source.
    func counted(_ count: Int) -> ImportReason {
        var result = self
        result.count = count
        return result
    }

    /// The reason with other texts.
    func map(_ change: (String) -> String) -> ImportReason {
        var result = self
        (result.subject, result.text) = (subject.map(change), change(text))
        return result
    }

    /// Whether there is neither a reason nor a remedy.
    package var isEmpty: Bool { subject == nil && text.isEmpty && remedy == nil }

    /// The text for users of commands and files.
    package var programText: String { joined(remedy?.programText) }

    /// The text for users of commands and files.
    package var description: String { programText }

    /// The text for users of the workbench.
    package var workbenchText: String { joined(remedy?.workbenchText) }

    /// The reason without the remedy, which a ``Diagnostic`` has beside its message.
    var message: String { joined(nil) }

    private func joined(_ remedy: String?) -> String {
        let sentence = [text, remedy ?? ""].filter { !$0.isEmpty }.joined(separator: "; ")
        let times = count.map { $0 == 1 ? " (once)" : " (\($0) times)" } ?? ""
        return [subject, sentence].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ": ") + times
    }
}
