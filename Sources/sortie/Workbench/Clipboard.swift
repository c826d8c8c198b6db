internal import Foundation
internal import Workbench

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
    static func copy(_ text: String) -> JobOutcome {
        let environment = ProcessInfo.processInfo.environment
        for tool in tools where environment[tool.variable]?.isEmpty == false {
            if let path = find(tool.name, in: environment["PATH"] ?? ""), run(path, tool.arguments, input: text) {
                return .done(tool.name)
            }
        }
        return .failed("there is no clipboard: install wl-copy, xclip or xsel, or work in tmux")
    }

    /// The path of a program.
    static func find(_ name: String, in path: String) -> String? {
        path.split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }

    private static func run(_ path: String, _ arguments: [String], input: String) -> Bool {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardInput = pipe
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        do {
            try process.run()
            try pipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
            try pipe.fileHandleForWriting.close()
        } catch { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
