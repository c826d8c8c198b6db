internal import Foundation
internal import SortieNetworking
internal import SortieStorage
internal import Subprocess
internal import SystemPackage
internal import WorkspaceModel

/// Starts a process for each download that was left running when the workbench was closed.
struct LeftDownloads {
    private let transfers: [QueuedTransfer]
    private let workbench: WorkbenchProgram
    private var program: ProgramContext { workbench.program }

    init(_ transfers: [QueuedTransfer], of workbench: WorkbenchProgram) {
        (self.transfers, self.workbench) = (transfers, workbench)
    }

    /// Starts the processes, one after the other, and waits until each has left the foreground.
    ///
    /// A download that fails before that is stored as unfinished, so that the next workbench offers it.
    func start() {
        guard !transfers.isEmpty else { return }
        do throws(WorkspaceError) {
            let store = try TransferStore(workspace: workbench.folder.path, stateFolder: program.folders.state)
            var unfinished = transfers
            try store.keep(unfinished)
            for transfer in transfers {
                guard start(transfer) else {
                    program.errors.line("sortie: \(transfer.endpoint.name) is not left running; the next workbench offers it in Transfers")
                    continue
                }
                unfinished.removeAll { $0 == transfer }
                try store.keep(unfinished)
            }
        } catch { program.errors.line("sortie: warning: \(error)") }
    }

    /// Runs the command that continues a download, with the streams of the program; false where it fails.
    private func start(_ transfer: QueuedTransfer) -> Bool {
        do {
            var passed = transfer
            if Self.output(of: transfer) == nil {
                passed.endpoint.download = passed.endpoint.download ?? DownloadSettings()
                passed.endpoint.download?.to = transfer.destination
            }
            let bytes = try LeftDownload(passed, overrides: workbench.overrides).bytes
            let arguments = Self.arguments(for: transfer, in: workbench.folder.path, keepsHistory: workbench.keepsHistory)
            let result = try MainThread.wait { [program] in
                try await Subprocess.run(
                    .path("/proc/self/exe"), arguments: Arguments(executablePathOverride: "sortie", remainingValues: arguments),
                    environment: program.childEnvironment, workingDirectory: program.childFolder, input: .array(bytes),
                    output: .currentStandardOutput, error: .currentStandardError
                ).terminationStatus
            }
            return result.exitStatus == 0
        } catch {
            program.errors.line("sortie: warning: \(transfer.endpoint.name): no process can be started: \(error)")
            return false
        }
    }

    /// The value of `-o`; nil for a destination with templates, which the endpoint has.
    private static func output(of transfer: QueuedTransfer) -> String? { transfer.destination.flatMap { Template($0).isPlain ? $0 : nil } }

    /// The command line that continues a download; the endpoint itself, whose values may be secret, is read from standard input.
    static func arguments(for transfer: QueuedTransfer, in folder: String, keepsHistory: Bool) -> [String] {
        var arguments = ["download", transfer.endpoint.target, "--detach", "--left", "-w", folder]
        if let environment = transfer.environment { arguments += ["-e", environment] }
        if let output = output(of: transfer) { arguments += ["-o", output] }
        if transfer.endpoint.download?.collision == nil { arguments += ["--on-exists", "keep-both"] }
        return keepsHistory ? arguments : arguments + ["--no-history"]
    }
}
