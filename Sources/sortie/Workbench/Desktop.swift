internal import Foundation
internal import SortieWorkbench
internal import Subprocess

/// The desktop environment, if there is one.
enum Desktop {
    /// Opens a folder.
    ///
    /// The outcome has the reason of a failure.
    static func open(_ folder: String) async -> JobOutcome {
        let environment = ProcessInfo.processInfo.environment
        let hasScreen = ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
        guard hasScreen else { return .failed("there is no desktop session; y copies the path") }
        do {
            let result = try await Subprocess.run(.name("xdg-open"), arguments: [folder], output: .discarded, error: .discarded)
            guard !result.terminationStatus.isSuccess else { return .done("is open") }
            return .failed("xdg-open ended with status \(result.terminationStatus.exitStatus)")
        } catch let error as SubprocessError where error.code == .executableNotFound {
            return .failed("xdg-open is not installed; y copies the path")
        } catch {
            return .failed("xdg-open cannot be run: \(error)")
        }
    }
}
