import Foundation

/// A file with what a parser of YAML must find in it.
struct SessionRecord: Sendable {
    /// The absolute path.
    var path: String
    /// The path in the workspace.
    var file: String
    /// A comment that the file still has; nil for none.
    var comment: String?
    /// The content by the model.
    var content: SessionFile

    var json: [String: Any] { ["path": path, "file": file, "comment": comment as Any? ?? NSNull(), "expected": content.record(of: file)] }
}
