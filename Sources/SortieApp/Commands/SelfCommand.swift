internal import ArgumentParser
internal import Foundation
internal import Interchange
internal import SortieBase
internal import SortieNetworking
internal import SortieStorage

/// `sortie self`: the program itself.
struct SelfCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "self", abstract: "Install this program for its user.", subcommands: [SelfInstallCommand.self])
}

/// `sortie self install`: links the program into a folder of programs, with its manual and completions.
struct SelfInstallCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "install", abstract: "Link this program into ~/.local/bin, with manual and completions.",
        discussion: """
            The files of the program stay where they are. A link that exists is replaced, a file that is no link is not. To remove what was installed, remove \
            the files that this command prints.
            """)

    @Option(
        help: ArgumentHelp(
            "The folder that gets bin/sortie and share; by default ~/.local. A folder with the name bin gets the link, and share is beside it.",
            valueName: "folder"), completion: .directory)
    var to: String?

    func run(in program: ProgramContext) throws {
        let installation = Installation(folder: to.map(program.folders.absolute) ?? program.folders.home + "/.local")
        do {
            try installation.link(to: RealPath.of(ProgramFile.own))
            program.output.write(installation.program + "\n")
            for (name, text) in try ProgramDocuments.files() {
                let path = FilePath.joining(installation.folder, ProgramDocuments.place(of: name))
                try installation.write(text, to: path)
                program.output.write(path + "\n")
            }
        } catch let failure as CommandFailure { throw failure } catch {
            throw CommandFailure(
                .file, name: "install", "\(installation.folder) cannot be written: \(error.systemReason)",
                hint: "name a folder that you can write to: --to FOLDER")
        }
        let folder = FilePath.folder(of: installation.program)
        let places = (program.environment["PATH"] ?? "").split(separator: ":").map { RealPath.of(String($0)) }
        if !places.contains(RealPath.of(folder)) {
            program.errors.line("\(folder) is not in PATH; add it, for example with this line in ~/.profile: PATH=\(ShellQuote.quoted(folder)):$PATH")
        }
    }
}

/// Where a program is installed by a link.
private struct Installation {
    /// The folder that has `bin` and `share`.
    let folder: String
    /// The path of the link.
    let program: String

    init(folder: String) {
        let folder = FilePath.normalized(folder)
        self.folder = FilePath.name(of: folder) == "bin" ? FilePath.folder(of: folder) : folder
        program = FilePath.joining(self.folder, "bin/sortie")
    }

    /// Makes the link, in place of a former one.
    func link(to file: String) throws {
        // The program is there itself, for example because the archive was unpacked into the folder.
        guard RealPath.of(program) != file else { return }
        let manager = FileManager.default
        try manager.createDirectory(atPath: FilePath.folder(of: program), withIntermediateDirectories: true)
        var information = stat()
        if lstat(program, &information) == 0, information.st_mode & S_IFMT != S_IFLNK {
            throw CommandFailure(
                .file, name: "exists", "\(program) exists and is no link", hint: "remove it first, or name another folder: --to FOLDER")
        }
        // rename(2) replaces the former link at once, so that the command is never missing.
        let next = FilePath.temporary(beside: program)
        try manager.createSymbolicLink(atPath: next, withDestinationPath: file)
        guard rename(next, program) == 0 else {
            let code = POSIXErrorCode(rawValue: errno) ?? .EIO
            unlink(next)
            throw POSIXError(code)
        }
    }

    func write(_ text: String, to path: String) throws {
        try FileManager.default.createDirectory(atPath: FilePath.folder(of: path), withIntermediateDirectories: true)
        do throws(AtomicFile.Failure) { try AtomicFile.replace(BodyBytes(Array(text.utf8)), at: path) } catch {
            throw POSIXError(POSIXErrorCode(rawValue: error.code) ?? .EIO)
        }
    }
}

/// The pages of the manual and the completion scripts of this program.
enum ProgramDocuments {
    /// The texts by the names of their files.
    static func files() throws -> [(name: String, text: String)] {
        let pages = ManualPage.pages(of: try ManualCommand(of: SortieCommand.self), version: NetworkingVersion.current)
        return pages.map { ("\($0.name).1", $0.text) } + CompletionScripts.files(of: SortieCommand.self)
    }

    /// The place of a file below the folder of an installation, such as `/usr/local`, as `.ci/install` has it.
    static func place(of name: String) -> String {
        switch name {
        case "sortie.bash": "share/bash-completion/completions/sortie"
        case "_sortie": "share/zsh/site-functions/_sortie"
        case "sortie.fish": "share/fish/vendor_completions.d/sortie.fish"
        default: "share/man/man1/\(name)"
        }
    }
}
