internal import Foundation

/// Why the file system refused to write, create, move or remove a file: its words, and the remedy.
package struct WriteRefusal: Hashable, Sendable, CustomStringConvertible {
    /// The error number of the system.
    package let code: Int32

    /// Creates the refusal with an error number.
    package init(code: Int32) { self.code = code }

    /// What the user can do; nil where the words of the system say it, and where nothing is known.
    private var remedy: String? {
        switch code {
        case EROFS: "make the file system writable, or work with a copy of the folder in another place"
        case EACCES, EPERM: "make the file and its folder writable for you"
        case ENOSPC, EDQUOT: "free some space and try again"
        case ENAMETOOLONG: "choose a shorter name"
        default: nil
        }
    }

    package var description: String { [String(cString: strerror(code)).lowercased(), remedy].compactMap(\.self).joined(separator: "; ") }
}
