import Foundation
import Support

/// The external test data beside the project, where it exists.
enum Corpora {
    /// The folder `shared/corpora` in a parent folder of this file, or `nil`.
    static let folder = Support.Corpora.folder()

    /// The text of one file.
    static func text(_ path: String) throws -> String {
        guard let folder else { return "" }
        return try String(contentsOf: folder.appending(path: path), encoding: .utf8)
    }

    /// The lines of one file, with tabs preserved.
    static func lines(_ path: String) throws -> [Substring] {
        try text(path).split(separator: "\n")
    }

    /// A text from scalars in hexadecimal notation separated by blanks.
    static func string(ofScalars digits: some StringProtocol) -> String {
        let scalars = digits.split(separator: " ").compactMap { UInt32($0, radix: 16).flatMap(Unicode.Scalar.init) }
        return String(String.UnicodeScalarView(scalars))
    }
}
