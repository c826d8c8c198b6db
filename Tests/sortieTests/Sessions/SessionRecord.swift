import Foundation

/// A file with what a parser of YAML must find in it.
struct SessionRecord {
    /// The absolute path.
    var path: String
    /// The path in the workspace.
    var file: String
    /// A comment that the file still has; nil for none.
    var comment: String?
    var expected: [String: Any]

    var json: [String: Any] { ["path": path, "file": file, "comment": comment as Any? ?? NSNull(), "expected": expected] }
}
