internal import ArgumentParser
internal import Foundation
internal import Glibc
internal import Interchange
internal import SortieBase
internal import SortieStorage
internal import WorkspaceModel

/// `sortie bundle`: packs a workspace into one file without its credentials, and unpacks it.
struct BundleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bundle", abstract: "Pack a workspace into one file, or unpack it.",
        subcommands: [BundlePackCommand.self, BundleUnpackCommand.self], defaultSubcommand: BundlePackCommand.self)
}

/// `sortie bundle pack`: writes a workspace as one file without its credentials.
struct BundlePackCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "pack", abstract: "Pack a workspace into one file.",
        discussion: """
            The file is a tar archive with a list of SHA-256 digests (SHA256SUMS). Hidden files such as .git, symbolic links, the values of \
            credentials in YAML files, and other files with credentials are left out and reported.
            """)

    @Argument(help: "The folder of the workspace; by default the nearest one upward.", completion: .directory)
    var folder: String?

    @OptionGroup var workspace: WorkspaceFolderOption

    @Option(
        name: .shortAndLong, help: ArgumentHelp("The file to write; by default the name of the folder with .tar.", valueName: "file"),
        completion: .file())
    var output: String?

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("Pack this file of the workspace although it has credentials.", valueName: "file"), completion: .file())
    var keep: [String] = []

    @OptionGroup var locations: LocationOptions

    func run(in program: ProgramContext) throws {
        do { try pack(in: program) } catch let problem as Diagnostic { throw CommandFailure(problem) }
    }

    private func pack(in program: ProgramContext) throws {
        let workspace = try WorkspaceSource.load(named: try self.workspace.folder(or: self.folder), in: program)
        guard workspace.foreignFile == nil else {
            throw CommandFailure(
                .usage, "files of other tools are not packed",
                hint: "sortie import FILE -o FOLDER makes a workspace of them")
        }
        let folder = URL(fileURLWithPath: workspace.folder).resolvingSymlinksInPath().path
        let output = output ?? URL(fileURLWithPath: folder).lastPathComponent + ".tar"
        try locations.check(output, .writing, in: program)
        let target = URL(fileURLWithPath: program.path(output)).resolvingSymlinksInPath().path
        guard !FilePath.isIn(folder, target) else {
            throw CommandFailure(.usage, "\(output) is inside the workspace", hint: "write the bundle to another folder")
        }
        let bundle = try WorkspaceBundle(packing: folder, keeping: Set(keep))
        if let unknown = keep.first(where: { !bundle.files.contains($0) }) {
            throw CommandFailure(
                .usage, "--keep \(unknown) is not a file of the workspace", hint: "write its path in the workspace, such as shop/data.csv")
        }
        guard try OutputFile.write(BodyBytes(bundle.archive), to: output, program.folders, program.outputWaits, overwrites: false) else {
            throw CommandFailure(.file, name: "exists", "\(output) exists", hint: "name another file, or remove it first")
        }
        // A bundle on standard output is not mixed with the report.
        let isStreamed = ProtectedLocation.descriptor(of: program.folders.absolute(output)) == STDOUT_FILENO
        func report(_ line: String) { if isStreamed { program.errors.line(line) } else { program.output.write(line + "\n") } }
        for place in bundle.blanked { report("emptied: \(place.description): the value of a credential") }
        for note in bundle.omitted { report("left out: \(note.description)") }
        if !bundle.unsearched.isEmpty {
            report("not searched for credentials, because they are not text: \(bundle.unsearched.joined(separator: ", "))")
        }
        report("left out: history, drafts, cookies and permissions, which are not files of the workspace")
        report("\(output): \(bundle.files.count) files, \(bundle.archive.count) bytes")
    }
}

/// `sortie bundle unpack`: writes the files of a bundle into a new folder.
struct BundleUnpackCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "unpack", abstract: "Unpack a bundle into a folder that does not exist yet.",
        discussion: "The complete archive is verified before anything is written. The new workspace has no permissions.")

    @Argument(help: "The bundle; - is standard input.", completion: .file())
    var file: String

    @Option(
        name: [.short, .long, .customShort("w"), .customLong("workspace")],
        help: ArgumentHelp("The new folder; by default the name of the bundle without its ending.", valueName: "folder"))
    var output: String?

    @OptionGroup var locations: LocationOptions

    func run(in program: ProgramContext) throws {
        let isInput = file == "-"
        guard let output = output ?? Self.folderName(for: file, in: program) else {
            throw CommandFailure(.usage, "the bundle in a pipe has no name for the new folder", hint: "name the folder: -o FOLDER")
        }
        try locations.check(output, .writing, in: program)
        try locations.check(file, .reading, in: program)
        let archive = try isInput ? Array(program.input.all(for: "bundle unpack")) : WorkspaceBundle.read(program.path(file))
        let file = isInput ? "standard input" : file
        let identity = TrustStore.identity(ofFolder: program.folders.absolute(output))
        // A permission for an earlier folder of the same path does not apply to files from someone else, so it is revoked before they are there.
        let files: [String]
        do throws(Diagnostic) {
            files = try WorkspaceBundle.unpack(archive, file: file, into: program.path(output)) {
                _ = try TrustStore(stateFolder: program.folders.state).revoke(identity)
            }
        } catch {
            // The place and the remedy are those of an archive, not of a file of a workspace.
            throw CommandFailure(.file, name: "workspace", "\(error.location.file): \(error.message)")
        }
        program.output.write("\(output): \(files.count) files; sortie trust \(ShellQuote.quoted(output)) shows what the workspace requests\n")
    }

    /// The name of the folder for that of the bundle; nil for a stream.
    private static func folderName(for file: String, in program: ProgramContext) -> String? {
        guard file != "-", ProtectedLocation.descriptor(of: program.folders.absolute(file)) == nil else { return nil }
        return URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
    }
}
