import Foundation
import Support

/// Test material that lies in `shared/corpora` beside or above the project.
enum Corpus {
    /// The bytes of a file, nil with a word where it is absent.
    static func data(_ path: String) throws -> Data? {
        if let file = Corpora.url(path) { return try Data(contentsOf: file) }
        print("shared/corpora/\(path) is not here; its cases are skipped")
        return nil
    }
}
