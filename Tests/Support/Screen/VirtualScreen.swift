/// A model of an xterm's screen, fed with the output of a program.
///
/// It supports the sequences of terminfo's `xterm-256color` entry that ncurses writes; other ones are listed in ``unrecognised``.
public struct VirtualScreen: Sendable {
    /// A cell position, counted from 0 at the top left.
    public struct Position: Hashable, Sendable {
        /// The row, from the top.
        public var row = 0
        /// The column, from the left.
        public var column = 0

        /// Creates a position.
        public init(row: Int = 0, column: Int = 0) {
            self.row = row
            self.column = column
        }
    }

    struct Pen: Sendable {
        var position = Position()
        var style = CellStyle()
        /// Whether the last column was written, so that the next character wraps first.
        var wrapsNext = false
        var graphics = [false, false]
        var shift = 0
        var isOriginMode = false
    }

    /// The cells by row.
    public internal(set) var cells: [[ScreenCell]]
    /// The number of columns.
    public internal(set) var columns: Int
    /// The window title.
    public internal(set) var title = ""
    /// The received operating system commands (OSC), without their delimiters.
    public internal(set) var systemCommands: [String] = []
    /// The number of bells.
    public internal(set) var bells = 0
    /// The private modes (`CSI ? n h`) that are set, such as 25, 1000, 1006, 1049, 2004.
    public internal(set) var modes: Set<Int> = [7, 25]
    /// Unsupported sequences that a real terminal may support, each once, with ESC as `^[`.
    public internal(set) var unrecognised: [String] = []

    var pen = Pen()
    var saved = Pen()
    var top = 0
    var bottom: Int
    var mainCells: [[ScreenCell]]?
    var isInsertMode = false
    var tabStops: Set<Int> = []
    var lastPrinted: Unicode.Scalar?
    /// Replies to the program's queries, to be sent as input.
    var replies: [UInt8] = []
    var parser = ControlParser()

    /// Creates an empty screen with the cursor at the top left.
    public init(columns: Int = 80, rows: Int = 24) {
        self.columns = columns
        cells = Array(repeating: Array(repeating: ScreenCell(), count: columns), count: rows)
        bottom = rows - 1
        resetTabStops()
    }

    /// Processes output of a program.
    public mutating func feed(_ bytes: some Sequence<UInt8>) {
        var parser = self.parser
        for byte in bytes {
            if let event = parser.take(byte) { obey(event) }
        }
        self.parser = parser
    }

    mutating func resetTabStops() { tabStops = Set(stride(from: 8, to: max(columns, 500), by: 8)) }

    mutating func note(_ sequence: String) {
        let shown = sequence.replacing("\u{1b}", with: "^[")
        if !unrecognised.contains(shown) { unrecognised.append(shown) }
    }
}
