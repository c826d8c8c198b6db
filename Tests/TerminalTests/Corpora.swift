import Foundation
import Support

/// The test material beside the project, where it is there.
enum Corpora {
    /// The folder `shared/corpora` in a folder above this file, or `nil`.
    static let folder = Support.Corpora.folder()

    /// The text of one file.
    static func text(_ path: String) throws -> String {
        guard let folder else { return "" }
        return try String(contentsOf: folder.appending(path: path), encoding: .utf8)
    }

    /// The lines of one file, as text with a person's tabs and all.
    static func lines(_ path: String) throws -> [Substring] {
        try text(path).split(separator: "\n")
    }

    /// A text from scalars in hexadecimal digits between blanks.
    static func string(ofScalars digits: some StringProtocol) -> String {
        let scalars = digits.split(separator: " ").compactMap { UInt32($0, radix: 16).flatMap(Unicode.Scalar.init) }
        return String(String.UnicodeScalarView(scalars))
    }
}
