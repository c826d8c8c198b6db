/// An article of the guide.
package struct GuideArticle: Hashable, Sendable {
    /// The name that `sortie guide` takes: the name of the article's file in lower case, with hyphens between words.
    package let topic: String
    /// The heading of the article.
    package let title: String
    /// The first sentence as plain text.
    package let summary: String
    /// The text in Markdown.
    package let markdown: String

    init(fileName: String, markdown: String) {
        topic = Self.topic(ofFile: fileName)
        self.markdown = markdown
        var (title, summary) = (fileName, "")
        for block in MarkdownBlock.blocks(of: markdown) {
            switch block {
            case .heading(1, let text): title = MarkdownText.plain(text)
            case .paragraph(let text) where summary.isEmpty:
                let text = MarkdownText.plain(text)
                summary = text.firstRange(of: ". ").map { String(text[..<$0.lowerBound]) + "." } ?? text
            default: break
            }
        }
        (self.title, self.summary) = (title, summary)
    }

    /// `WorkspaceKeys` becomes `workspace-keys`, `JSON` becomes `json`.
    static func topic(ofFile name: String) -> String {
        var topic = ""
        var isAfterLowercase = false
        for character in name {
            if character.isUppercase, isAfterLowercase { topic += "-" }
            topic += character.lowercased()
            isAfterLowercase = character.isLowercase
        }
        return topic
    }
}
