internal import Foundation
internal import Interchange
internal import SortieBase
internal import SortieHTTP
internal import SortieNetworking
internal import SortieStorage
internal import WorkspaceModel

/// Moves a download out of the foreground once the server responds, and stores its state for other programs.
///
/// Errors and questions before that belong to the command, which then ends like one without `--detach`.
final class DownloadDetachment {
    private let program: ProgramContext
    private let detachment: Detachment
    private let store: DetachedDownloadStore
    private let entry: DetachedDownloadStore.Entry
    private let target: String
    private let output: OutputOptions
    private let redaction: LiveRedaction
    private var file: String?
    private var startedWith: Int64 = 0
    private var state = TransferState.idle
    /// The stored download; nil while the process is in the foreground.
    private var download: DetachedDownload?

    /// - Throws: Where the process cannot be detached, or the state folder cannot be written.
    init(of target: String, in program: ProgramContext, output: OutputOptions, hiding redaction: LiveRedaction) throws(CommandFailure) {
        guard let detachment = program.detachment else {
            throw CommandFailure(.file, "the system permits no further process", hint: "end other programs, or download without --detach")
        }
        (self.target, self.program, self.output, self.redaction, self.detachment) = (target, program, output, redaction, detachment)
        store = DetachedDownloadStore(stateFolder: program.folders.state)
        do throws(WorkspaceError) { entry = try store.begin() } catch { throw CommandFailure(error) }
    }

    /// Whether the process has left the foreground.
    var isDetached: Bool { download != nil }

    /// Records an event; returns whether the process may leave the foreground now.
    func note(_ event: DownloadEvent) -> Bool {
        switch event {
        case .placed(let file):
            self.file = file
            startedWith = Downloads.left(of: file)?.received ?? 0
        case .changed(let state):
            self.state = state
            // The last state is stored with the result.
            if !state.isTerminal { save { $0.state = self.text(state) } }
            return download == nil && file != nil && Self.endsForeground(state)
        default: break
        }
        return false
    }

    /// Stores the result; without effect but the removal of the entry where the process is in the foreground.
    ///
    /// - Parameter failure: Why the command fails; nil where the file is complete.
    func end(_ result: DownloadResult, failure: CommandFailure?) throws(CommandFailure) {
        guard download != nil else {
            do throws(WorkspaceError) { return try entry.discard() } catch { throw CommandFailure(error) }
        }
        save { download in
            // A sentence without the code; `attach` prints both.
            let reason = failure.map { $0.kind == .interrupted ? "stopped" : self.redaction.always.masked($0.message) }
            download.state = reason ?? self.text(.done)
            download.file = result.file
            download.end = DetachedDownload.End(
                exitCode: failure?.exitCode ?? 0, bytes: result.bytes, time: self.program.now().timeIntervalSince1970)
        }
    }

    /// The state as text without secrets, as it is stored.
    private func text(_ state: TransferState) -> String { redaction.always.masked(state.text) }

    /// Whether the server has responded, or the download waits.
    private static func endsForeground(_ state: TransferState) -> Bool {
        switch state {
        case .idle, .preparing, .requesting, .failed, .cancelled, .superseded: false
        default: true
        }
    }

    /// Stores and announces the download, and leaves the foreground.
    func leave() throws(CommandFailure) {
        guard let file else { return }
        var download = DetachedDownload(
            id: entry.id, target: redaction.always.masked(target), file: file, command: command, startedAt: program.now().timeIntervalSince1970,
            startedWith: startedWith, state: text(state))
        do throws(WorkspaceError) {
            try entry.save(download)
            // The new download continues with what an earlier one of the same file left.
            for earlier in store.all().downloads where earlier.id != download.id && earlier.file == file { try store.forget(earlier.id) }
        } catch { throw CommandFailure(error) }
        download.process = getpid()
        if output.json {
            program.output.announce(DetachedDownloadProgress(download, at: program.now()).record.text + "\n")
        } else {
            program.output.announce(VisibleLine.of("\(download.id)  \(file)") + "\n")
            program.errors.line("sortie download attach \(download.id) displays its progress, sortie download stop \(download.id) stops it")
        }
        self.download = download
        detachment.leave(entry.log)
        // The reader of the streams before may have gone.
        program.errors.restart()
    }

    /// The command line that resumes the download; secrets are masked, because it is stored.
    private var command: String {
        let words = ["sortie"] + Self.masked(program.arguments.filter { $0 != "--left" }, by: redaction.always).map { ShellQuote.quoted($0) }
        return "cd \(ShellQuote.quoted(program.folders.current)) && " + words.joined(separator: " ")
    }

    /// The words of a command line without the secrets in them: also those whose values are not known, by the names of options, fields and parameters.
    static func masked(_ arguments: [String], by redaction: Redaction) -> [String] {
        var option = ""
        return arguments.map { word in
            defer { option = word }
            if word.hasPrefix("--"), let equals = word.firstIndex(of: "=") {
                return word[...equals] + masked(String(word[word.index(after: equals)...]), of: String(word[..<equals]), by: redaction)
            }
            if ["-u", "-H", "-q"].contains(word.prefix(2)), word.count > 2 {
                return word.prefix(2) + masked(String(word.dropFirst(2)), of: String(word.prefix(2)), by: redaction)
            }
            return masked(word, of: option, by: redaction)
        }
    }

    private static func masked(_ value: String, of option: String, by redaction: Redaction) -> String {
        switch option {
        case "-u", "--user", "--bearer": return value.hasPrefix("@") ? value : HeaderField.mask
        case "-H", "--header":
            guard let colon = value.firstIndex(of: ":") else { break }
            let field = redaction.masked(HeaderField(String(value[..<colon]), String(value[value.index(after: colon)...].drop { $0 == " " })))
            return "\(field.name): \(field.value)"
        case "-q", "--query", "--form", "--var":
            guard let pair = NamedValue(value) else { break }
            return "\(pair.name)=\(redaction.masked(ParameterPair(pair.name, pair.value)).value ?? "")"
        default: break
        }
        return redaction.masked(value)
    }

    /// Stores a change; a failure is reported and does not end the download, whose progress is in its manifest.
    private func save(_ change: (inout DetachedDownload) -> Void) {
        guard var changed = download else { return }
        change(&changed)
        guard changed != download else { return }
        download = changed
        do throws(WorkspaceError) { try entry.save(changed) } catch { program.errors.line("sortie: warning: \(error)") }
    }
}
