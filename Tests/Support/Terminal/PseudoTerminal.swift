import Foundation
import Glibc

/// Runs a program on a pseudo-terminal, sends input, and models its screen.
///
/// The program leads its own session, whose controlling terminal this is. It is killed with the last reference.
public final class PseudoTerminal: Sendable {
    let session: TerminalSession
    private let child: ChildProcess
    /// The terminal's settings before the program started, to verify that it restores them.
    public let settingsBefore: TerminalSettings

    /// Starts the program at `path`.
    ///
    /// Its environment is the current one with `TERM=xterm-256color` and `LC_ALL=C.UTF-8`, without `LINES`, `COLUMNS`, `NO_COLOR`,
    /// `COLORTERM` and `ESCDELAY`, and with `environment` added. When `inheriting` is false, only those two variables and
    /// `environment` are set.
    ///
    /// - Throws: ``SystemCallFailure`` when there is no pseudo-terminal or the program cannot be started.
    public init(
        running path: String, arguments: [String] = [], environment: [String: String] = [:], inheriting: Bool = true,
        size: (columns: Int, rows: Int) = (80, 24), directory: String? = nil
    ) throws {
        session = try TerminalSession(columns: size.columns, rows: size.rows)
        settingsBefore = try session.device.settings()
        var variables = inheriting ? ProcessInfo.processInfo.environment : [:]
        for name in ["LINES", "COLUMNS", "NO_COLOR", "COLORTERM", "ESCDELAY"] { variables[name] = nil }
        variables.merge(["TERM": "xterm-256color", "LC_ALL": "C.UTF-8"]) { $1 }
        variables.merge(environment) { $1 }
        child = try ChildProcess(
            path,
            ChildProcess.Options(
                arguments: arguments, environment: variables, directory: directory, terminal: session.device.path,
                leadsSession: true))
        session.start()
        child.whenEnded { [session] in session.tell { $0.hasChildEnded = true } }
    }

    deinit {
        child.signal(SIGKILL, group: true)
        session.tell { $0.isAbandoned = true }
    }

    /// The process ID of the program.
    public var pid: Int32 { child.pid }

    // MARK: - Output

    /// The current screen.
    public var display: VirtualScreen { session.state.current.screen }
    /// The rows of the screen joined by line feeds, without trailing empty rows.
    public var screen: String { display.text }
    /// The text of a row, counted from 0, without trailing spaces.
    public func row(_ number: Int) -> String { display.row(number) }
    /// All bytes the program has written.
    public var rawOutput: [UInt8] { session.state.current.output }
    /// Discards ``rawOutput``, for a program that runs for long.
    public func discardOutput() { session.state.change { $0.output = [] } }
    /// Whether the program has ended and its whole output was read.
    public var hasEnded: Bool { session.state.current.isOver }
    /// Whether the alternate screen is active.
    public var isInAlternateScreen: Bool { display.isInAlternateScreen }
    /// Whether the cursor is visible.
    public var isCursorVisible: Bool { display.isCursorVisible }
    /// The current settings of the terminal, also after the end of the program.
    public var settings: TerminalSettings { get throws { try session.device.settings() } }

    /// Stops reading the output while the program runs, and fills the terminal's buffer, so that the program's next write blocks.
    public func holdOutput() async throws {
        session.tell { $0.isHeld = true }
        try await session.state.wait("the output to be held", within: .seconds(300), describe: \.screen.picture) { $0.isHolding ? () : nil }
        let descriptor = try checked(open(session.device.path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC), "open \(session.device.path)")
        defer { close(descriptor) }
        let spaces = [UInt8](repeating: 0x20, count: 4096)
        while spaces.withUnsafeBytes({ write(descriptor, $0.baseAddress, $0.count) }) > 0 {}
    }

    // MARK: - Waiting

    /// Waits until a row contains this text.
    ///
    /// - Throws: ``DeadlineExceeded`` with the whole screen; ``ProgramEnded`` as soon as the program has ended without the text.
    public func waitForText(_ text: String, within limit: Duration = .seconds(300)) async throws {
        try await waitUntil("the text \"\(text)\"", within: limit) { $0.contains(text) }
    }

    /// Waits until no row contains this text.
    public func waitForNoText(_ text: String, within limit: Duration = .seconds(300)) async throws {
        try await waitUntil("the text \"\(text)\" to go away", within: limit) { !$0.contains(text) }
    }

    /// Waits until the screen meets the condition; `what` completes the sentence "waited for …".
    public func waitUntil(
        _ what: String, within limit: Duration = .seconds(300), condition: @escaping @Sendable (VirtualScreen) -> Bool
    ) async throws {
        let hasCome = try await session.state.wait(what, within: limit, describe: \.screen.picture) { state -> Bool? in
            condition(state.screen) ? true : state.isOver ? false : nil
        }
        if !hasCome { throw ProgramEnded(what: what, status: child.exitStatus, screen: display.picture) }
    }

    /// Waits until the bytes that the program has written satisfy a condition, which may not change the screen.
    public func waitForOutput(_ what: String, within limit: Duration = .seconds(300), condition: @escaping @Sendable ([UInt8]) -> Bool) async throws {
        let hasCome = try await session.state.wait(what, within: limit, describe: \.screen.picture) { state -> Bool? in
            condition(state.output) ? true : state.isOver ? false : nil
        }
        if !hasCome { throw ProgramEnded(what: what, status: child.exitStatus, screen: display.picture) }
    }

    /// Waits until the program has ended and its whole output is on the screen.
    @discardableResult
    public func exitStatus(within limit: Duration = .seconds(300)) async throws -> ExitStatus {
        try await session.state.wait("the program to end", within: limit, describe: \.screen.picture) { $0.isOver ? () : nil }
        return try await child.exitStatus(within: limit)
    }

    // MARK: - Input

    /// The number of bytes that were typed and that the program has not read yet.
    public var unreadInput: Int { get throws { try session.state.current.toType.count + session.device.unreadInput() } }

    /// Types a text; returns immediately.
    public func type(_ text: String) { session.tell { $0.toType += Array(text.utf8) } }

    /// Presses keys in order.
    public func press(_ keys: TerminalKey...) {
        session.tell { state in
            for key in keys { state.toType += key.bytes(isApplication: state.screen.modes.contains(1)) }
        }
    }

    /// Pastes a text, bracketed if the program enabled that.
    public func paste(_ text: String) {
        session.tell { state in
            let framed = state.screen.isPasteBracketed ? "\u{1b}[200~\(text)\u{1b}[201~" : text
            state.toType += Array(framed.utf8)
        }
    }

    /// Presses and releases a mouse button (0 left, 1 middle, 2 right, 64 wheel up, 65 wheel down) over a cell.
    ///
    /// Nothing is sent unless the program enabled mouse reporting with SGR coordinates (mode 1006), as with a real terminal.
    public func click(row: Int, column: Int, button: Int = 0) {
        session.tell { state in
            guard state.screen.isMouseReported, state.screen.modes.contains(1006) else { return }
            let place = "\(button);\(column + 1);\(row + 1)"
            state.toType += Array("\u{1b}[<\(place)M\(button < 64 ? "\u{1b}[<\(place)m" : "")".utf8)
        }
    }

    /// Presses the left mouse button over a cell, moves to another one and releases it there; reported as ``click(row:column:button:)`` is.
    public func drag(from start: (row: Int, column: Int), to end: (row: Int, column: Int)) {
        session.tell { state in
            guard state.screen.isMouseReported, state.screen.modes.contains(1006) else { return }
            // Button 32 is a movement with the left button pressed.
            for (button, cell, suffix) in [(0, start, "M"), (32, end, "M"), (0, end, "m")] {
                state.toType += Array("\u{1b}[<\(button);\(cell.column + 1);\(cell.row + 1)\(suffix)".utf8)
            }
        }
    }

    /// Changes the terminal's size; the system sends SIGWINCH to the program.
    public func resize(columns: Int, rows: Int) throws {
        try session.resize(columns: columns, rows: rows)
    }

    /// Sends a signal to the program, without its process group.
    public func signal(_ signal: Int32) { child.signal(signal) }
}
