import Testing

@testable import SortieTerminal

struct TerminalTypeTests {
    @Test(arguments: [
        ("xterm-kitty", ["xterm-kitty", "xterm-256color", "xterm"]), ("foot", ["foot", "xterm-256color", "xterm"]),
        ("xterm-direct", ["xterm-256color", "xterm", "xterm-direct"]),
        ("tmux-256color", ["tmux-256color", "screen-256color", "xterm-256color", "xterm"]), ("dumb", ["dumb"]), ("vt100", ["vt100"]),
        ("footless", ["footless"]), ("", []),
    ])
    func `terminals that understand the sequences of xterm are used as xterm where their description is missing`(name: String, candidates: [String]) {
        #expect(TerminalType.candidates(of: name) == candidates)
    }
}
