internal import SortieBase
internal import SortieHTTP

/// The text of a body's file that was edited in place, and is neither saved nor discarded yet.
///
/// A file is sent as it is, so its text has no templates.
package struct BodyFileEdit: Hashable, Sendable {
    /// The maximum size in bytes of a file whose text is edited in place.
    package static let limit = 1 << 20

    /// The path of the file, as in ``BodyTemplate/file(path:contentType:)``.
    package var path: String
    /// The text of the file when the edits began.
    package var original: String
    /// The text that saving writes.
    package var text: String

    /// Creates an edit.
    package init(path: String, original: String, text: String) {
        (self.path, self.original, self.text) = (path, original, text)
    }
}

extension Endpoint {
    /// The edited text of the body's file; nil where the body has none, and where its text is that of the file.
    package var editedBodyFile: BodyFileEdit? {
        guard case .file(let path, _) = body, let edit = bodyFileEdit, edit.path == path else { return nil }
        return edit
    }

    /// The body that is sent: the edited text in place of a file that does not have it yet.
    package var sentBody: BodyTemplate {
        guard case .file(let path, let contentType) = body, let edit = editedBodyFile else { return body }
        return .text(Template.quoting(edit.text), contentType: contentType ?? MediaType.forFile(named: path))
    }

    /// Replaces the text of the body's file.
    ///
    /// - Parameter original: The text that the file has.
    package mutating func setBodyFileText(to text: String, original: String) {
        guard case .file(let path, _) = body else { return }
        let original = editedBodyFile?.original ?? original
        // A formatted text has line feeds.
        let text = text.lineBreak == "\n" ? text.withLineBreaks(original.lineBreak ?? "\n") : text
        bodyFileEdit = text == original ? nil : BodyFileEdit(path: path, original: original, text: text)
    }
}
