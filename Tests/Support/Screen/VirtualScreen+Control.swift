extension VirtualScreen {
    mutating func obey(_ event: ControlParser.Event) {
        switch event {
        case .print(let scalar): write(scalar)
        case .control(let byte): control(byte)
        case .escape(let text): escape(text)
        case .sequence(let marker, let parameters, let intermediates, let final):
            sequence(marker + intermediates + String(final), Parameters(parameters))
        case .systemCommand(let text):
            systemCommands.append(text)
            if text.hasPrefix("0;") || text.hasPrefix("2;") { title = String(text.dropFirst(2)) }
        }
    }

    private mutating func control(_ byte: UInt8) {
        switch byte {
        case 0x07: bells += 1
        case 0x08: moveTo(column: pen.position.column - 1)
        case 0x09: tab(1)
        case 0x0a, 0x0b, 0x0c: lineFeed()
        case 0x0d: moveTo(column: 0)
        case 0x0e: pen.shift = 1
        case 0x0f: pen.shift = 0
        default: break
        }
    }

    private mutating func escape(_ text: String) {
        switch text {
        case "7": saved = pen
        case "8": restoreCursor()
        case "c": self = VirtualScreen(columns: columns, rows: rowCount, after: self)
        case "D": lineFeed()
        case "E":
            moveTo(column: 0)
            lineFeed()
        case "M": reverseLineFeed()
        case "H": tabStops.insert(pen.position.column)
        case "(0": pen.graphics[0] = true
        case "(B", "(A": pen.graphics[0] = false
        case ")0": pen.graphics[1] = true
        case ")B", ")A": pen.graphics[1] = false
        case "=", ">", "\\": break
        default: note("\u{1b}" + text)
        }
    }

    private mutating func sequence(_ function: String, _ parameters: Parameters) {
        let count = parameters.count(0)
        switch function {
        case "A": moveVertically(-count)
        case "B", "e": moveVertically(count)
        case "C", "a": moveTo(column: pen.position.column + count)
        case "D": moveTo(column: pen.position.column - count)
        case "E":
            moveVertically(count)
            moveTo(column: 0)
        case "F":
            moveVertically(-count)
            moveTo(column: 0)
        case "G", "`": moveTo(column: count - 1)
        case "H", "f": moveTo(row: count - 1, column: parameters.count(1) - 1)
        case "d": moveTo(row: count - 1, column: pen.position.column)
        case "I": tab(count)
        case "Z": tab(-count)
        case "J", "?J": eraseInScreen(parameters[0] ?? 0)
        case "K", "?K": eraseInLine(parameters[0] ?? 0)
        case "X": erase(row: pen.position.row, pen.position.column..<pen.position.column + count)
        case "@": insertCells(count)
        case "P": deleteCells(count)
        case "L": insertLines(count)
        case "M": deleteLines(count)
        case "S": scrollUp(count)
        case "T": scrollDown(count)
        case "b": if let lastPrinted { for _ in 0..<min(count, columns * rowCount) { write(lastPrinted) } }
        case "m": pen.style.apply(parameters)
        case "r": setScrollRegion(count - 1, (parameters[1] ?? 0) == 0 ? rowCount - 1 : parameters.count(1) - 1)
        case "s": saved = pen
        case "u": restoreCursor()
        case "g": if parameters[0] == 3 { tabStops = [] } else { tabStops.remove(pen.position.column) }
        default: mode(function, parameters)
        }
    }

    private mutating func mode(_ function: String, _ parameters: Parameters) {
        switch function {
        case "h", "l": for case 4? in parameters.all { isInsertMode = function == "h" }
        case "?h": for case let mode? in parameters.all { set(mode) }
        case "?l": for case let mode? in parameters.all { unset(mode) }
        case "!p": softReset()
        case "c": reply("\u{1b}[?64;1;2;6;22c")
        case ">c": reply("\u{1b}[>41;377;0c")
        case "n" where parameters[0] == 5: reply("\u{1b}[0n")
        case "n" where parameters[0] == 6: reply("\u{1b}[\(pen.position.row + 1);\(pen.position.column + 1)R")
        case "?$p": reply("\u{1b}[?\(parameters[0] ?? 0);\(modes.contains(parameters[0] ?? 0) ? 1 : 2)$y")
        // Window operations, cursor shapes, key reporting, saving and restoring modes have no visible effect.
        case "t", " q", ">m", "?s", "?r", "q", ">4m", ">q", "i", "?i", ">u", "<u", "=u", "?u": break
        default: note("\u{1b}[\(function) with \(parameters.all.map { $0.map(String.init) ?? "" }.joined(separator: ";"))")
        }
    }

    private mutating func reply(_ text: String) { replies += Array(text.utf8) }

    private mutating func softReset() {
        pen.style = CellStyle()
        pen.graphics = [false, false]
        pen.shift = 0
        pen.isOriginMode = false
        isInsertMode = false
        modes.formUnion([7, 25])
        (top, bottom) = (0, rowCount - 1)
    }

    /// Creates an empty screen that keeps what was recorded so far.
    private init(columns: Int, rows: Int, after old: VirtualScreen) {
        self.init(columns: columns, rows: rows)
        (title, systemCommands, bells, unrecognised, replies) =
            (old.title, old.systemCommands, old.bells, old.unrecognised, old.replies)
    }
}

/// The parameters of a control sequence; an omitted one is nil.
struct Parameters {
    let all: [Int?]

    init(_ all: [Int?]) { self.all = all }

    subscript(index: Int) -> Int? { index < all.count ? all[index] : nil }

    /// A count or a position; an omitted parameter and 0 mean 1.
    func count(_ index: Int) -> Int { max(1, self[index] ?? 1) }
}
