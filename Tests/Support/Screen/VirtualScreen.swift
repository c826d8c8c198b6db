/// What a person would see: a model of an xterm's screen, fed with the bytes a program writes.
///
/// It understands what terminfo's `xterm-256color` entry lets ncurses write; anything else is noted in ``unrecognised``.
public struct VirtualScreen: Sendable {
    /// Where the next character goes, counted from 0 at the top left.
    public struct Position: Hashable, Sendable {
        /// From the top.
        public var row = 0
        /// From the left.
        public var column = 0

        /// The cell in that row and column.
        public init(row: Int = 0, column: Int = 0) {
            self.row = row
            self.column = column
        }
    }

    struct Pen: Sendable {
        var position = Position()
        var style = CellStyle()
        /// The last column was written: the next character wraps first.
        var wrapsNext = false
        var graphics = [false, false]
        var shift = 0
        var isOriginMode = false
    }

    /// The cells, row by row.
    public internal(set) var cells: [[ScreenCell]]
    /// How many columns there are.
    public internal(set) var columns: Int
    /// The window's title, as the program set it.
    public internal(set) var title = ""
    /// Operating system commands (OSC) received, without their frame.
    public internal(set) var systemCommands: [String] = []
    /// How many times the bell rang.
    public internal(set) var bells = 0
    /// The private modes (`CSI ? n h`) that are set, such as 25, 1000, 1006, 1049, 2004.
    public internal(set) var modes: Set<Int> = [7, 25]
    /// Sequences that a real terminal may obey and this one does not, each once, with ESC as `^[`.
    public internal(set) var unrecognised: [String] = []

    var pen = Pen()
    var saved = Pen()
    var top = 0
    var bottom: Int
    var mainCells: [[ScreenCell]]?
    var isInsertMode = false
    var tabStops: Set<Int> = []
    var lastPrinted: Unicode.Scalar?
    /// Answers to the program's questions, to be typed back.
    var replies: [UInt8] = []
    var parser = ControlParser()

    /// An empty screen with the cursor at its top left.
    public init(columns: Int = 80, rows: Int = 24) {
        self.columns = columns
        cells = Array(repeating: Array(repeating: ScreenCell(), count: columns), count: rows)
        bottom = rows - 1
        resetTabStops()
    }

    /// Shows what a terminal shows after these bytes.
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
