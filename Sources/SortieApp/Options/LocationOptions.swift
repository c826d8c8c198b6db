internal import ArgumentParser
internal import SortieHTTP
internal import SortieStorage

/// Whether protected locations may be used (`Security.md` 6).
struct LocationOptions: ParsableArguments {
    static let help: ArgumentHelp =
        "Permit protected places: write to .git folders, /etc and dot files of the home folder; read and write in /proc, /sys and /dev."

    @Flag(name: .customLong("force"), help: help)
    var isForced = false

    init() {}

    /// The options of a command that declares `--force` itself, or has none, such as those that open the workbench.
    init(isForced: Bool) { self.isForced = isForced }

    /// Rejects a path of the command line or a file that is empty, that leads to a protected location, or that cannot be written because its folder
    /// is missing.
    ///
    /// What a command writes after it has sent something would be lost then.
    ///
    /// - Parameters:
    ///   - path: a path; nil and `-` are standard input or output.
    ///   - createsFolder: whether the command creates the folder.
    func check(_ path: String?, _ access: ProtectedLocation.Access, in program: ProgramContext, createsFolder: Bool = false) throws {
        guard let path else { return }
        guard !path.isEmpty else { throw CommandFailure.emptyFileName }
        if !isForced, let protected = ProtectedLocation(path, access, program.folders) { throw CommandFailure(protected) }
        if access == .writing, !createsFolder, path.contains("/") { try OutputFile.requireFolder(of: path, program.folders) }
    }
}

extension Request {
    /// The files that sending the request reads.
    var readFiles: [String] {
        let trust = options.trust
        let script = options.decidingProxyScript
        let scriptFile: String? = if case .file(let path)? = script?.location { path } else { nil }
        let ofTrust = [
            scriptFile, script?.certificateAuthorityFile,
            trust.certificateAuthorityFile, trust.clientCertificateFile, trust.clientKeyFile, options.proxy?.certificateAuthorityFile,
        ]
        return body.files + ofTrust.compactMap { $0 } + trust.pinFiles
    }
}
