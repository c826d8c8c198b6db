internal import BodyViews
internal import Foundation
internal import SortieBase
internal import SortieStorage
internal import SortieTerminal
internal import SortieWorkbench
internal import Synchronization
internal import WorkspaceModel

/// The bodies that other programs show, in private files that are removed when the workbench ends.
final class OpenedBodies: Sendable {
    private let program: ProgramContext

    init(in program: ProgramContext) { self.program = program }

    private struct State {
        /// The private folder; nil before the first file.
        var folder: String?
        var count = 0
    }

    private let state = Mutex(State())

    /// The number of rows that are written at once.
    private static let rowsPerStep = 2000
    /// The number of bytes that are written or indexed at once.
    private static let step = 4 << 20

    /// Writes the rows of a body, as they are shown, with control characters made visible.
    ///
    /// - Returns: The path; nil when the work was cancelled.
    /// - Throws: When the file cannot be written.
    func writeRows(of view: BodyView, _ cancellation: Cancellation) throws -> String? {
        var view = view
        while view.canAdvance {
            if cancellation.isCancelled { return nil }
            view.advance(budget: Self.step)
            if view.bytes.count > Self.step { view.bytes.releaseMemory() }
        }
        return try write(suffix: ".txt", cancellation) { file in
            var start = 0
            while start < view.rowCount {
                if cancellation.isCancelled { return false }
                var text = ""
                for (index, row) in view.rows(start..<start + Self.rowsPerStep).enumerated() {
                    // A row without a number continues a line that is too long for one row.
                    if start + index > 0, row.number != nil || view.mode == .hex { text += "\n" }
                    text += VisibleText.of(row.spans.reduce(into: "") { $0 += $1.text })
                }
                try file.write(contentsOf: Data(text.utf8))
                start += Self.rowsPerStep
                if view.bytes.count > Self.step { view.bytes.releaseMemory() }
            }
            try file.write(contentsOf: Data("\n".utf8))
            return true
        }
    }

    /// Writes the bytes of a body and runs the program for its media type until it ends, without a shell.
    ///
    /// - Parameter started: Called when the program has run for a moment, because a viewer runs as long as it is open.
    func open(
        _ bytes: BodyBytes, mediaType: String, _ settings: Settings, _ cancellation: Cancellation, started: @escaping @Sendable (String) -> Void
    ) async -> JobOutcome {
        let words = settings.openCommand(for: mediaType)
        guard words != nil || Desktop.isOpen(in: program) else {
            return .failed("there is no desktop session; name a program for \(mediaType) in open: of the settings, or use the pager")
        }
        let command = words ?? ["xdg-open"]
        let written: String?
        do {
            written = try write(suffix: Self.suffix(of: mediaType), cancellation) { file in
                for start in stride(from: 0, to: bytes.count, by: Self.step) {
                    if cancellation.isCancelled { return false }
                    try file.write(contentsOf: Data(bytes.bytes(in: start..<start + Self.step)))
                }
                return true
            }
        } catch { return .failed("its file cannot be written: \(error.systemReason)") }
        guard let written else { return .failed("it was cancelled") }
        let patience = Task {
            do { try await Task.sleep(for: Self.patience) } catch { return }
            started(command[0])
        }
        defer { patience.cancel() }
        return await Desktop.run(command + [written], advice: "name another program in open: of the settings", in: program)
    }

    /// The time after which a program that still runs is regarded as having opened the file.
    private static let patience = Duration.milliseconds(500)

    /// Shows a file in the pager, which has the terminal while it runs, and removes the file.
    func showInPager(_ path: String, command: String?) -> JobOutcome {
        defer { unlink(path) }
        let environment = program.environment
        let pager = [command, environment["PAGER"]].compactMap(\.self).first { !$0.isEmpty } ?? "less"
        // Ctrl-C belongs to the pager; unlike SIG_IGN, a handler is not inherited by it.
        let handler = signal(SIGINT) { _ in }
        defer { signal(SIGINT, handler) }
        // The variable may contain arguments, so a shell splits it; the path is a separate word.
        let status = ForegroundProcess.run("exec \(pager) \"$1\"", [path], in: program)
        guard status != 0 else { return .done("") }
        return .failed("the pager “\(pager)” ended with status \(status); set PAGER, or pager: in the settings, to another")
    }

    /// Removes all files.
    func finish() {
        let folder = state.withLock { $0.folder.take() }
        guard let folder else { return }
        // What remains after a failure is private.
        do { try FileManager.default.removeItem(atPath: folder) } catch {
            program.errors.line("sortie: warning: \(folder) cannot be removed: \(error)")
        }
    }

    /// Writes a file that only the user can read.
    ///
    /// - Returns: The path; nil when `work` returned false.
    private func write(suffix: String, _ cancellation: Cancellation, _ work: (FileHandle) throws -> Bool) throws -> String? {
        let path = try state.withLock { state in
            let folder = try state.folder ?? makeFolder()
            state.folder = folder
            state.count += 1
            return "\(folder)/body-\(state.count)\(suffix)"
        }
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            let isWhole = try work(file)
            try file.close()
            if isWhole { return path }
        } catch {
            unlink(path)
            throw error
        }
        unlink(path)
        return nil
    }

    private func makeFolder() throws -> String {
        var path = Array("\(program.temporaryFolder)/sortie-XXXXXX".utf8CString)
        guard mkdtemp(&path) != nil else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        return String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The name suffix of a media type, by which desktops choose a program.
    ///
    /// The bytes of the body do not determine it.
    private static func suffix(of mediaType: String) -> String {
        switch mediaType {
        case "image/png": ".png"
        case "image/jpeg": ".jpg"
        case "image/gif": ".gif"
        case "image/webp": ".webp"
        case "image/svg+xml": ".svg"
        case "application/pdf": ".pdf"
        case "application/zip": ".zip"
        case "text/html", "application/xhtml+xml": ".html"
        case "text/csv": ".csv"
        case _ where mediaType.hasSuffix("json"): ".json"
        case _ where mediaType.hasSuffix("xml"): ".xml"
        case _ where mediaType.hasPrefix("text/"): ".txt"
        default: ".bin"
        }
    }
}
