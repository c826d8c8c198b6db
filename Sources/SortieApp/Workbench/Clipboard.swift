internal import Foundation
internal import SortieTerminal
internal import SortieWorkbench
internal import Subprocess

/// The clipboard, through an installed program or the terminal.
enum Clipboard {
    private struct Tool {
        let name: String
        let arguments: [String]
        /// The environment variable that indicates that the program is usable; nil for one that needs none.
        let variable: String?
    }

    private static let tools = [
        Tool(name: "wl-copy", arguments: [], variable: "WAYLAND_DISPLAY"),
        Tool(name: "xclip", arguments: ["-selection", "clipboard"], variable: "DISPLAY"),
        Tool(name: "xsel", arguments: ["--clipboard", "--input"], variable: "DISPLAY"),
        Tool(name: "pbcopy", arguments: [], variable: nil),
        // It also sends the text to the terminal around it.
        Tool(name: "tmux", arguments: ["load-buffer", "-w", "-"], variable: "TMUX"),
    ]

    /// Copies a text.
    ///
    /// The outcome has the program that copied it, or the remedy.
    static func copy(_ text: String, in program: ProgramContext) async -> JobOutcome {
        let environment = program.environment
        for tool in tools where tool.variable.map({ environment[$0]?.isEmpty == false }) ?? true {
            if await run(tool, input: text, in: program) { return .done(tool.name) }
        }
        return .failed("no program reaches a clipboard (install wl-copy, xclip or xsel, or work in tmux)")
    }

    /// Copies a text to the clipboard of the terminal.
    static func copy(_ text: String, to screen: borrowing Screen, in program: ProgramContext) -> JobOutcome {
        let environment = program.environment
        let terminal = environment["TERM"] ?? ""
        // A console of the kernel and a hardware terminal have no clipboard.
        guard terminal != "linux", !terminal.hasPrefix("vt") else { return .failed("the terminal \(terminal) has no clipboard") }
        guard let sequence = ClipboardSequence(text, throughTmux: environment["TMUX"]?.isEmpty == false) else {
            return .failed("the text is too large for the clipboard of a terminal")
        }
        return screen.copy(sequence) ? .done("OSC 52, if the terminal supports it") : .failed("the terminal cannot be written to")
    }

    private static func run(_ tool: Tool, input: String, in program: ProgramContext) async -> Bool {
        do {
            let result = try await Subprocess.run(
                .name(tool.name), arguments: Arguments(tool.arguments), environment: program.childEnvironment,
                workingDirectory: program.childFolder, input: .inputWriter, output: .discarded, error: .discarded
            ) { execution in
                await StandardInput.write(Array(input.utf8), to: execution.standardInputWriter)
            }
            return result.terminationStatus.isSuccess
        } catch {
            // Another program may be installed and work.
            return false
        }
    }
}
