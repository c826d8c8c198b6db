internal import Foundation
internal import SortieWorkbench
internal import Subprocess

/// The desktop environment, if there is one.
enum Desktop {
    /// Opens a folder or a page.
    ///
    /// The outcome has the reason of a failure.
    ///
    /// - Parameter advice: What the user can do where nothing can be opened.
    static func open(_ place: String, advice: String, in program: ProgramContext) async -> JobOutcome {
        let hasScreen = ["DISPLAY", "WAYLAND_DISPLAY"].contains { program.environment[$0]?.isEmpty == false }
        guard hasScreen else { return .failed("there is no desktop session; \(advice)") }
        do {
            let result = try await Subprocess.run(
                .name("xdg-open"), arguments: [place], environment: program.childEnvironment, workingDirectory: program.childFolder,
                output: .discarded, error: .discarded)
            guard !result.terminationStatus.isSuccess else { return .done("is open") }
            return .failed("xdg-open ended with status \(result.terminationStatus.exitStatus)")
        } catch let error as SubprocessError where error.code == .executableNotFound {
            return .failed("xdg-open is not installed; \(advice)")
        } catch {
            return .failed("xdg-open cannot be run: \(error)")
        }
    }
}
