internal import Foundation

/// A secret that an option takes from a file or from standard input, so that it is in no list of processes.
struct SecretArgument {
    /// The secret, without the line break at its end.
    let value: String

    /// - Parameters:
    ///   - text: `@FILE`, or `@-` for standard input.
    ///   - option: the option, for messages.
    init(_ text: String, option: String) throws {
        guard text.hasPrefix("@"), text.count > 1 else {
            throw CommandFailure(
                .usage, "\(option) takes @FILE, or @- for standard input: every user of this machine can read the arguments of a program",
                hint: "write the secret into a file that only you can read, and give \(option) @FILE")
        }
        let path = String(text.dropFirst())
        let data: Data
        do {
            data = try path == "-" ? FileHandle.standardInput.readToEnd() ?? Data() : Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw CommandFailure(.file, name: "fileUnreadable", "\(option): the file \(path) cannot be read: \(error.localizedDescription)")
        }
        guard var secret = String(data: data, encoding: .utf8) else {
            throw CommandFailure(.file, name: "fileUnreadable", "\(option): \(path) does not hold text in UTF-8")
        }
        if secret.last?.isNewline == true { secret.removeLast() }
        value = secret
    }
}
