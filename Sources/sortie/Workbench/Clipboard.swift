internal import Foundation
internal import SortieWorkbench
internal import Subprocess

/// The clipboard, through an installed program.
enum Clipboard {
    private struct Tool {
        let name: String
        let arguments: [String]
        /// The environment variable that indicates that the program is usable.
        let variable: String
    }

    private static let tools = [
        Tool(name: "wl-copy", arguments: [], variable: "WAYLAND_DISPLAY"),
        Tool(name: "xclip", arguments: ["-selection", "clipboard"], variable: "DISPLAY"),
        Tool(name: "xsel", arguments: ["--clipboard", "--input"], variable: "DISPLAY"),
        Tool(name: "tmux", arguments: ["load-buffer", "-w", "-"], variable: "TMUX"),
    ]

    /// Copies a text.
    ///
    /// The outcome has the program that copied it, or the remedy.
    static func copy(_ text: String) async -> JobOutcome {
        let environment = ProcessInfo.processInfo.environment
        for tool in tools where environment[tool.variable]?.isEmpty == false {
            if await run(tool, input: text) { return .done(tool.name) }
        }
        return .failed("there is no clipboard: install wl-copy, xclip or xsel, or work in tmux")
    }

    private static func run(_ tool: Tool, input: String) async -> Bool {
        do {
            let result = try await Subprocess.run(
                .name(tool.name), arguments: Arguments(tool.arguments), input: .string(input), output: .discarded, error: .discarded)
            return result.terminationStatus.isSuccess
        } catch {
            // Another program may be installed and work.
            return false
        }
    }
}
