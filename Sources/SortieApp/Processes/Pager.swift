internal import Foundation
internal import SortieStorage
internal import Subprocess
internal import WorkspaceModel

/// The user's pager, which has the terminal while it runs.
enum Pager {
    /// Shows a text that is longer than the screen in `$PAGER`, else in `less`, as git does.
    ///
    /// - Returns: false when nothing was shown: the text fits, stdout is no terminal or a dumb one, or there is no pager (`PAGER` is empty or `cat`).
    static func show(_ text: String, in program: ProgramContext) -> Bool {
        let environment = program.environment
        // Without less nothing is shown, and no message of the shell.
        let pager = SettingsFile.load(program.folders).pager ?? environment["PAGER"] ?? "command -v less > /dev/null || exit 127; less"
        guard program.output.takesControlSequences, pager != "", pager != "cat", text.count(where: { $0 == "\n" }) >= program.output.rows else {
            return false
        }
        // Ctrl-C belongs to the pager; unlike SIG_IGN, a handler is not inherited by it.
        let handler = signal(SIGINT) { _ in }
        defer { signal(SIGINT, handler) }
        // The variable may contain arguments, so a shell splits it. With these options less leaves the text on the screen.
        let status = ForegroundProcess.run(
            pager, [], in: program, input: PagedText(text: text), environment: environment["LESS"] == nil ? ["LESS": "FRX"] : [:])
        // 126 and 127: the shell could not start it.
        return status != 126 && status != 127
    }
}

/// A text for a process that may end before it has read all of it.
private struct PagedText: InputProtocol {
    let text: String

    func write(with writer: StandardInputWriter) async throws {
        do { _ = try await writer.write(text) } catch {
            // The user may quit the pager at any line.
        }
    }
}
