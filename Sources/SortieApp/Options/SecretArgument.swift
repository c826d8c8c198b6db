internal import Foundation
internal import SortieBase
internal import SortieNetworking
internal import SortieStorage

/// A secret that an option reads from a file or from standard input, so that it does not appear in the process list.
struct SecretArgument {
    /// The secret, without a byte order mark and without a trailing line break.
    let value: String

    /// The value of an option that accepts only `@FILE` and `@-`, not the secret itself.
    ///
    /// - Parameter option: the name of the option for messages.
    init(_ text: String, option: String, _ locations: LocationOptions, in program: ProgramContext) throws {
        guard text.hasPrefix("@"), text.count > 1 else {
            throw CommandFailure(
                .usage, "\(option) takes @FILE, or @- for standard input: every user of this machine can read the arguments of a program",
                hint: "write the secret into a file that only you can read, and give \(option) @FILE")
        }
        try self.init(file: String(text.dropFirst()), option: option, locations, in: program)
    }

    /// The content of a file, or of standard input for `-`.
    init(file: String, option: String, _ locations: LocationOptions, in program: ProgramContext) throws {
        try locations.check(file, .reading, in: program)
        let bytes: [UInt8]
        do {
            let path = program.folders.absolute(file)
            bytes =
                try file == "-"
                ? Array(program.input.all(for: option))
                : program.input.content(ofFile: path, of: option) { try InputFile.bytes(at: path, while: $0) }
        } catch let error as WorkspaceError { throw CommandFailure(.file, name: "fileUnreadable", "\(option): \(file): \(error.message)") }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure(.file, name: "fileUnreadable", "\(option): \(file) is not UTF-8 text")
        }
        let secret = FileText.value(text)
        guard !secret.isEmpty else { throw CommandFailure(.file, name: "fileUnreadable", "\(option): \(file) is empty") }
        value = secret
    }

    /// The source of an option's value: the text itself, or the content of a file or standard input.
    enum Source: Hashable {
        /// The text of the command line; a leading `@` is doubled there.
        case literal(String)
        /// The content of `@FILE` or `@-`.
        case content(String)
    }

    /// The value of an option that accepts the secret itself, `@FILE` or `@-`; `@@` begins a text with a leading `@`.
    static func source(_ text: String, option: String, _ locations: LocationOptions, in program: ProgramContext) throws -> Source {
        guard !text.isEmpty else {
            throw CommandFailure(
                .usage, "the value of \(option) is empty", hint: "set the variable of the shell in it, or remove \(option) to send no credentials")
        }
        guard text.hasPrefix("@") else { return .literal(text) }
        let rest = String(text.dropFirst())
        if rest.hasPrefix("@") { return .literal(rest) }
        guard !rest.isEmpty else {
            throw CommandFailure(.usage, "\(option) @ has no file name", hint: "write \(option) @FILE, or @- for standard input")
        }
        return .content(try SecretArgument(file: rest, option: option, locations, in: program).value)
    }

    // MARK: Standard input

    /// Rejects a request whose body is standard input when an option has already read that.
    static func refuseSharedInput(with request: Request, in program: ProgramContext) throws {
        guard let reader = program.input.reader, request.readFiles.contains(Request.standardInput) else { return }
        throw CommandFailure(.usage, "\(reader) and the body both read standard input", hint: "give \(reader) a file: @FILE")
    }

    /// Standard input as text.
    static func readStandardInput(for command: String, in program: ProgramContext) throws -> String {
        let data = try program.input.all(for: command)
        guard let text = String(validating: data, as: UTF8.self) else {
            throw CommandFailure(.file, name: "fileUnreadable", "\(command): standard input is not UTF-8 text")
        }
        return text
    }
}
