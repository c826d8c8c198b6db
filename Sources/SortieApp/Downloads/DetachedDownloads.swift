internal import ArgumentParser
internal import CLinux
internal import Foundation
internal import Glibc
internal import SortieBase
internal import SortieHTTP
internal import SortieNetworking
internal import SortieStorage
internal import SortieWorkbench
internal import WorkspaceModel

/// `sortie download list`, `attach` and `stop`: the downloads that run in separate processes.
struct DetachedDownloads {
    /// What is done instead of a download.
    enum Command: String {
        case list, attach, stop
    }

    /// How often the progress is read.
    private static let interval = Duration.milliseconds(200)

    let program: ProgramContext
    let output: OutputOptions
    private let store: DetachedDownloadStore

    init(in program: ProgramContext, output: OutputOptions) {
        (self.program, self.output) = (program, output)
        store = DetachedDownloadStore(stateFolder: program.folders.state)
    }

    // MARK: list

    /// Prints all downloads, and forgets those that ended long ago.
    func list() throws {
        let rows = all().map { DetachedDownloadProgress($0, at: program.now()) }
        if output.json {
            program.output.write(JSONValue.array(rows.map(\.record)).text + "\n")
        } else if rows.isEmpty {
            program.errors.line("no detached download; sortie download TARGET --detach starts one")
        }
        let widths = (0..<5).map { column in rows.map { $0.cells[column].count }.max() ?? 0 }
        for row in rows where !output.json {
            let line = zip(row.cells, widths + [0]).map { $0.padded(to: $1) }.joined(separator: "  ")
            program.output.write(VisibleLine.of(line) + "\n")
            if let remedy = row.remedy { program.output.write(VisibleLine.of("   resume: \(remedy)") + "\n") }
        }
        try store.removeOld(at: program.now().timeIntervalSince1970) { Downloads.left(of: $0.file) != nil }
    }

    private func all() -> [DetachedDownload] {
        let (downloads, problems) = store.all()
        for problem in problems { program.errors.line("sortie: warning: \(problem)") }
        return downloads
    }

    /// The download with a number, else the latest one of a file.
    private func found(_ reference: String) throws(CommandFailure) -> DetachedDownload {
        let downloads = all()
        if let number = Int(reference), let download = downloads.first(where: { $0.id == number }) { return download }
        let path = RealPath.of(program.folders.absolute(reference))
        if let download = downloads.last(where: { $0.file == path }) { return download }
        throw CommandFailure(.usage, "there is no detached download \(reference)", hint: "sortie download list prints their numbers and files")
    }

    /// Performs a request of the workbench.
    static func listing(_ request: DetachedDownloadRequest, in program: ProgramContext) -> DetachedDownloadListing {
        let store = DetachedDownloadStore(stateFolder: program.folders.state)
        var problem: String?
        do {
            switch request {
            case .list: break
            case .stop(let id): _ = try stop(id, in: store)
            case .forget(let id): try store.forget(id)
            }
        } catch let failure as CommandFailure { problem = failure.message } catch { problem = "\(error)" }
        let (downloads, problems) = store.all()
        return DetachedDownloadListing(
            downloads.map { DetachedDownloadProgress($0, at: program.now()) }, problem: problem ?? problems.first?.description)
    }

    // MARK: attach

    /// Displays the progress until the download ends, and ends as it does; Ctrl-C ends only the display.
    func attach(_ reference: String) async throws {
        let download = try found(reference)
        let line = TransferLine(output: output, errors: program.errors)
        guard try await wait(for: download, { line.show($0) }) else {
            line.clear()
            program.errors.line(
                "download \(download.id) continues; sortie download attach \(download.id) displays it again, sortie download stop \(download.id) stops it"
            )
            throw ExitCode(CommandFailure.Kind.interrupted.exitCode)
        }
        line.clear()
        let ended = try found("\(download.id)")
        let row = DetachedDownloadProgress(ended, at: program.now())
        if output.json { program.output.write(row.record.text + "\n") }
        for message in try store.log(of: ended.id).split(separator: "\n") { program.errors.line(String(message)) }
        guard let end = ended.end else {
            throw CommandFailure(
                .interrupted, "the process of download \(ended.id) ended before the file was complete",
                hint: row.remedy.map { "to resume: \($0)" } ?? "download it again: \(ended.command)")
        }
        guard end.exitCode == 0 else { throw ExitCode(end.exitCode) }
        if program.errors.isTerminal, !output.json { program.errors.line("\(ended.file): \(ByteCount(end.bytes).text)") }
    }

    /// Waits for the end of a download; false where this was interrupted.
    private func wait(for download: DetachedDownload, _ show: (TransferAmount) -> Void) async throws -> Bool {
        let cancellation = Cancellation()
        let interruption = Interruption(in: program) { cancellation.cancel() }
        var rate: TransferRate?
        var last: Int64?
        while store.process(of: download.id) != nil {
            guard !cancellation.isCancelled else { return false }
            // The part is gone when the file has its name, shortly before the end of the process.
            if let left = Downloads.left(of: download.file) {
                let time = program.now().timeIntervalSince1970
                if left.received != last { rate?.note(bytes: left.received, time: time) }
                rate = rate ?? TransferRate(bytes: left.received, time: time)
                last = left.received
                show(
                    TransferAmount(
                        bytes: left.received, total: left.total, rate: rate?.now ?? 0, average: rate?.average ?? 0,
                        remaining: rate?.remaining(of: left.total)))
            }
            try await Task.sleep(for: Self.interval)
        }
        withExtendedLifetime(interruption) {}
        return true
    }

    // MARK: stop

    /// Ends the process of a download, and waits until it has saved what it received.
    func stop(_ reference: String) async throws {
        let download = try found(reference)
        guard try Self.stop(download.id, in: store) else {
            let row = DetachedDownloadProgress(download, at: program.now())
            throw CommandFailure(
                .usage, "download \(download.id) does not run: \(download.text)", hint: row.remedy.map { "to resume: \($0)" })
        }
        guard try await wait(for: download, { _ in }) else {
            throw CommandFailure(
                .interrupted, "download \(download.id) was asked to stop and is saving its bytes", hint: "sortie download list displays its state")
        }
        let row = DetachedDownloadProgress(try found("\(download.id)"), at: program.now())
        if output.json { return program.output.write(row.record.text + "\n") }
        guard !row.download.isDone else { return program.errors.line("download \(download.id) was complete before: \(row.download.file)") }
        let part = DownloadName.part(of: row.download.file)
        program.errors.line("download \(download.id) is stopped; \(ByteCount(row.bytes).text) are saved in \(part)")
        if let remedy = row.remedy { program.errors.line("  to resume: \(remedy)") }
    }

    /// Requests the process of a download to end; false where it has ended.
    ///
    /// The ID that the lock names may be one of another container, or belong to another process by now. The signal is sent only to a process that has the
    /// lock open, by a descriptor that refers to that process.
    static func stop(_ id: Int, in store: DetachedDownloadStore) throws(CommandFailure) -> Bool {
        guard let process = store.process(of: id) else { return false }
        // -1 before Linux 5.3.
        let descriptor = clinux_open_process(process)
        defer { if descriptor >= 0 { close(descriptor) } }
        let isOurs = has(process, open: store.lock(of: id))
        // The holder lived until now, so the descriptor was opened for it.
        guard store.process(of: id) == process else { return false }
        let result = !isOurs ? -1 : descriptor >= 0 ? clinux_signal_process(descriptor, SIGTERM) : kill(process, SIGTERM)
        if result == 0 { return true }
        if isOurs, errno == ESRCH { return false }
        throw CommandFailure(
            .file, "process \(process), which runs download \(id), cannot be signalled from here",
            hint: "stop the download on the machine, in the container and as the user where it was started")
    }

    /// Whether a process has a file open.
    private static func has(_ process: Int32, open path: String) -> Bool {
        var file = stat()
        guard lstat(path, &file) == 0 else { return false }
        let names: [String]
        // A process of another user, or one that has ended.
        do { names = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd") } catch { return false }
        return names.contains { name in
            var opened = stat()
            return stat("/proc/\(process)/fd/\(name)", &opened) == 0 && opened.st_ino == file.st_ino && opened.st_dev == file.st_dev
        }
    }
}
