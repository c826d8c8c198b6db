import Foundation
import Support

/// Reads test data in `shared/corpora` beside or above the project.
enum Corpus {
    /// The bytes of a file; nil, with a message, where it is missing.
    static func data(_ path: String) throws -> Data? {
        if let file = Corpora.url(path) { return try Data(contentsOf: file) }
        print("shared/corpora/\(path) is not here; its cases are skipped")
        return nil
    }
}
