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
        guard isOpen(in: program) else { return .failed("there is no desktop session; \(advice)") }
        let outcome = await run(["xdg-open", place], advice: advice, in: program)
        return if case .done = outcome { .done("is open") } else { outcome }
    }

    /// Whether there is a desktop session.
    static func isOpen(in program: ProgramContext) -> Bool {
        ["DISPLAY", "WAYLAND_DISPLAY"].contains { program.environment[$0]?.isEmpty == false }
    }

    /// Runs a program that displays a file; the outcome has its name, or the reason of a failure.
    static func run(_ command: [String], advice: String, in program: ProgramContext) async -> JobOutcome {
        do {
            let result = try await Subprocess.run(
                .name(command[0]), arguments: Arguments(Array(command.dropFirst())), environment: program.childEnvironment,
                workingDirectory: program.childFolder, input: .none, output: .discarded, error: .discarded)
            guard !result.terminationStatus.isSuccess else { return .done(command[0]) }
            return .failed("\(command[0]) ended with status \(result.terminationStatus.exitStatus)")
        } catch let error as SubprocessError where error.code == .executableNotFound {
            return .failed("\(command[0]) is not installed; \(advice)")
        } catch {
            return .failed("\(command[0]) cannot be run: \(error)")
        }
    }
}
