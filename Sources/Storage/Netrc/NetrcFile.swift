internal import Foundation
internal import SortieBase

/// A file of credentials by host, in the format of `ftp(1)` and curl: `machine HOST login NAME password SECRET`, `default`, and `macdef`, which
/// is skipped.
package struct NetrcFile: Sendable {
    /// The credentials of a host.
    package struct Login: Hashable, Sendable {
        /// The user name; empty where the file has none.
        package var user = ""
        /// The password; empty where the file has none.
        package var password = ""
    }

    private struct Entry {
        /// Nil for `default`.
        var host: String?
        var login = Login()
    }

    private let entries: [Entry]
    /// Whether other users can read the file.
    package private(set) var isReadableByOthers = false

    /// Reads a file.
    ///
    /// - Parameter mayRead: Waits for input of a pipe; false is a failure. Nil waits without limit.
    /// - Throws: When the file cannot be read, or has another format; the error contains the line number and never its text.
    package init(path: String, while mayRead: ((_ descriptor: Int32) -> Bool)? = nil) throws(WorkspaceError) {
        guard let text = String(validating: try InputFile.bytes(at: path, while: mayRead), as: UTF8.self) else {
            throw WorkspaceError(.unreadable, file: path, "the logins cannot be read: this is not UTF-8 text")
        }
        do throws(Fault) { try self.init(parsing: text) } catch {
            throw WorkspaceError(.unreadable, file: "\(path):\(error.line)", error.message)
        }
        var information = stat()
        isReadableByOthers = stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFREG && information.st_mode & 0o077 != 0
    }

    /// A syntax error in a file.
    struct Fault: Error, Hashable {
        let line: Int
        let message: String
    }

    /// Parses the text of a file.
    init(parsing text: String) throws(Fault) {
        var words = Words(FileText.withoutMark(text))
        var entries: [Entry] = []
        while let word = try words.next() {
            let keyword = word.lowercased()
            // A value may be on another line than its keyword.
            let line = words.line
            switch keyword {
            case "machine": entries.append(Entry(host: try words.value(of: keyword).lowercased()))
            case "default": entries.append(Entry())
            case "macdef": words.skipMacro()
            case "login", "password", "account":
                let value = try words.value(of: keyword)
                guard let last = entries.indices.last else { throw Fault(line: line, message: "“\(keyword)” comes before the first machine") }
                if keyword == "login" { entries[last].login.user = value }
                if keyword == "password" { entries[last].login.password = value }
            default:
                throw Fault(
                    line: line, message: "a word is not one of machine, default, login, password, account and macdef; quote values with blanks")
            }
        }
        self.entries = entries
    }

    /// The credentials of a host: those of the first `machine` with its name, else of `default`; nil without either.
    ///
    /// - Parameter user: the user whose credentials are searched; nil for any.
    package func login(for host: String, user: String? = nil) -> Login? {
        let host = host.lowercased()
        let entries = entries.filter { user == nil || $0.login.user == user }
        return (entries.first { $0.host == host } ?? entries.first { $0.host == nil })?.login
    }
}

/// The words of a netrc file: separated by blanks, or in double quotes with `\"`, `\\`, `
/// `, `\r` and `\t`, as in curl.
private struct Words {
    private var rest: Substring.UnicodeScalarView
    /// The line of the last word, from 1 on.
    private(set) var line = 1

    init(_ text: String) {
        rest = Substring(text).unicodeScalars
    }

    /// The next word; nil at the end.
    mutating func next() throws(NetrcFile.Fault) -> String? {
        while let scalar = rest.first {
            if scalar == "#" {
                skipLine()
            } else if scalar.isSpaceOrLineBreak {
                take()
            } else {
                break
            }
        }
        guard let first = rest.first else { return nil }
        if first == "\"" { return try quoted() }
        return word()
    }

    /// The word after a keyword, where a leading `#` is part of the value.
    mutating func value(of keyword: String) throws(NetrcFile.Fault) -> String {
        let begin = line
        while let scalar = rest.first, scalar.isSpaceOrLineBreak { take() }
        guard let first = rest.first else { throw NetrcFile.Fault(line: begin, message: "“\(keyword)” has no value") }
        return first == "\"" ? try quoted() : word()
    }

    /// Skips the body of a macro, which ends at an empty line.
    mutating func skipMacro() {
        skipLine()
        // A line of a file of Windows ends with a carriage return before the line feed.
        while let first = rest.first, first != "\n", first != "\r" { skipLine() }
    }

    private mutating func word() -> String {
        var result = String.UnicodeScalarView()
        while let scalar = rest.first, !scalar.isSpaceOrLineBreak { result.append(take() ?? scalar) }
        return String(result)
    }

    private mutating func quoted() throws(NetrcFile.Fault) -> String {
        let begin = line
        take()
        var result = String.UnicodeScalarView()
        while let scalar = take() {
            switch scalar {
            case "\"": return String(result)
            case "\\":
                guard let escaped = take() else { break }
                result.append(escaped == "n" ? "\n" : escaped == "r" ? "\r" : escaped == "t" ? "\t" : escaped)
            default: result.append(scalar)
            }
        }
        throw NetrcFile.Fault(line: begin, message: "a quoted value has no end")
    }

    private mutating func skipLine() {
        while let scalar = take(), scalar != "\n" {}
    }

    @discardableResult
    private mutating func take() -> Unicode.Scalar? {
        guard let scalar = rest.popFirst() else { return nil }
        if scalar == "\n" { line += 1 }
        return scalar
    }
}
