internal import BodyViews
internal import SortieBase
internal import SortieTerminal

/// A body whose rows are wrapped to the width of the pane.
///
/// Only the rows near the visible ones are wrapped; a row has at most 4 kB, because longer lines are several rows.
struct WrappedBody {
    /// A line on the screen: a row of the body and the number of the line in it, from 0.
    struct Place: Hashable, Comparable, Sendable {
        var row: Int
        var piece: Int

        static func < (one: Place, other: Place) -> Bool { (one.row, one.piece) < (other.row, other.piece) }
    }

    /// A visible line.
    struct Line {
        var place: Place
        var spans: [Span]
        /// The row of the line.
        var source: BodyRow
    }

    private let body: BodyView
    private let width: Int
    private let height: Int
    private let spans: (BodyRow) -> [Span]
    private let search: BodySearch?
    private let match: Range<Int>?

    /// - Parameter spans: Makes the drawn text of a row.
    init(_ body: BodyView, width: Int, height: Int, marking search: BodySearch?, match: Range<Int>?, _ spans: @escaping (BodyRow) -> [Span]) {
        self.body = body
        self.width = max(1, width)
        self.height = max(1, height)
        self.search = search
        self.match = match
        self.spans = spans
    }

    /// The lines on the screen: from the first one where the cursor is visible then, else with the cursor at the edge that it has left.
    func lines(from top: Place, showing cursor: Place) -> [Line] {
        if cursor < top { return lines(from: cursor) }
        let lines = lines(from: top)
        if lines.isEmpty || lines.contains(where: { $0.place >= cursor }) { return lines }
        return self.lines(from: moved(cursor, by: 1 - height))
    }

    private func lines(from top: Place) -> [Line] {
        var lines: [Line] = []
        // Each row has at least one line.
        for (index, row) in body.rows(top.row..<top.row + height, marking: search, current: match).enumerated() {
            for (piece, spans) in pieces(row).enumerated() where index > 0 || piece >= top.piece {
                lines.append(Line(place: Place(row: top.row + index, piece: piece), spans: spans, source: row))
                if lines.count == height { return lines }
            }
        }
        return lines
    }

    /// The place some lines below another, or above it; clamped to the body.
    func moved(_ place: Place, by distance: Int) -> Place {
        var place = clamped(place)
        var left = distance
        while left > 0 {
            let last = count(place.row) - 1
            guard place.piece + left > last else { return Place(row: place.row, piece: place.piece + left) }
            guard place.row + 1 < body.rowCount else { return Place(row: place.row, piece: last) }
            left -= last - place.piece + 1
            place = Place(row: place.row + 1, piece: 0)
        }
        while left < 0 {
            guard place.piece + left < 0 else { return Place(row: place.row, piece: place.piece + left) }
            guard place.row > 0 else { return Place(row: 0, piece: 0) }
            left += place.piece + 1
            place.row -= 1
            place.piece = count(place.row) - 1
        }
        return place
    }

    /// The nearest existing place.
    func clamped(_ place: Place) -> Place {
        let row = place.row.clamped(to: 0...max(0, body.rowCount - 1))
        return Place(row: row, piece: place.piece.clamped(to: 0...(count(row) - 1)))
    }

    /// The line of the selected match in a row; 0 without one.
    func pieceOfMatch(inRow row: Int) -> Int {
        guard let row = body.rows(row..<row + 1, marking: search, current: match).first else { return 0 }
        return pieces(row).firstIndex { $0.contains { $0.style.role == .currentMatch } } ?? 0
    }

    private func count(_ row: Int) -> Int { max(1, body.rows(row..<row + 1).first.map { pieces($0).count } ?? 1) }

    /// The lines of a row.
    private func pieces(_ row: BodyRow) -> [[Span]] {
        var lines: [[Span]] = [[]]
        var used = 0
        for span in spans(row) {
            var text = ""
            for character in span.text {
                let wanted = CellWidth.width(of: character)
                if used + wanted > width, used > 0 {
                    if !text.isEmpty { lines[lines.count - 1].append(Span(text, span.style)) }
                    lines.append([])
                    (text, used) = ("", 0)
                }
                text.append(character)
                used += wanted
            }
            if !text.isEmpty { lines[lines.count - 1].append(Span(text, span.style)) }
        }
        return lines
    }
}

extension Command {
    static let toggleWrapping = Command.named("toggleWrapping")
}

/// Wrapping of long lines.
extension ResponseFeature {
    /// Why lines cannot be wrapped.
    static func noWrapping(_ state: AppState) -> String? {
        if let reason = noBody(state) { return reason }
        if state.shownTable != nil { return "The cells of a table are not wrapped; \(state.key(.copyCell)) copies a whole one" }
        switch state.openBody?.mode {
        case .hex, .image: return "Only text is wrapped; \(state.key(.switchMode)) changes the view"
        default: return nil
        }
    }

    static func toggleWrapping(_ state: inout AppState) {
        state.responseState.wraps.toggle()
        (state.responseState.left, state.responseState.piece, state.responseState.topPiece) = (0, 0, 0)
        state.toast = Toast(state.responseState.wraps ? "Long lines are wrapped" : "Long lines are cut; → scrolls")
    }

    /// Moves the cursor by lines of the screen; returns false where lines are not wrapped.
    static func moveInWrapped(_ movement: Movement, _ state: inout AppState) -> Bool {
        guard let body = state.openBody, let wrapped = BodyTabView(state).wrapped(body) else { return false }
        let shown = state.responseState
        let page = BodyTabView(state).height - 1
        let here = WrappedBody.Place(row: shown.row, piece: shown.piece)
        let target =
            switch movement {
            case .up: wrapped.moved(here, by: -1)
            case .down: wrapped.moved(here, by: 1)
            case .pageUp: wrapped.moved(here, by: -max(1, page))
            case .pageDown: wrapped.moved(here, by: max(1, page))
            case .first: WrappedBody.Place(row: 0, piece: 0)
            case .last: wrapped.clamped(.init(row: .max, piece: .max))
            }
        (state.responseState.row, state.responseState.piece) = (target.row, target.piece)
        if let first = wrapped.lines(from: wrapped.clamped(.init(row: shown.top, piece: shown.topPiece)), showing: target).first {
            (state.responseState.top, state.responseState.topPiece) = (first.place.row, first.place.piece)
        }
        return true
    }
}
