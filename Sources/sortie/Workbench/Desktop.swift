internal import Foundation
internal import Workbench

/// The desktop environment, if there is one.
enum Desktop {
    /// Opens a folder.
    ///
    /// The outcome has the reason of a failure.
    static func open(_ folder: String) -> JobOutcome {
        let environment = ProcessInfo.processInfo.environment
        let hasScreen = ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
        guard hasScreen else { return .failed("there is no desktop session; y copies the path") }
        guard let path = Clipboard.find("xdg-open", in: environment["PATH"] ?? "") else {
            return .failed("xdg-open is not installed; y copies the path")
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = [folder]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        do { try process.run() } catch { return .failed("xdg-open cannot be run: \(error.localizedDescription)") }
        process.waitUntilExit()
        return process.terminationStatus == 0 ? .done("is open") : .failed("xdg-open ended with status \(process.terminationStatus)")
    }
}
