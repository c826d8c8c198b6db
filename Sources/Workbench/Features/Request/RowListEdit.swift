internal import SortieTerminal
internal import WorkspaceModel

/// A change of a list of rows: parameters, headers, fields of a form, parts of a multipart body.
enum RowListEdit {
    case insert([Parameter], after: Int)
    /// Inserts a copy below the row.
    case duplicate(Int)
    /// Swaps the row with the one above (−1) or below (1) it.
    case move(Int, by: Int)
    case delete(Int)
    /// Switches the row on or off.
    case toggle(Int)

    /// Changes a list; returns the index of the changed or the first added row, nil when the row does not exist.
    func apply<Row: ListedRow>(to rows: inout [Row]) -> Int? {
        switch self {
        case .insert(let new, let index):
            let place = (index + 1).clamped(to: 0...rows.count)
            rows.insert(contentsOf: new.map(Row.init), at: place)
            return place
        case .duplicate(let index) where rows.indices.contains(index):
            rows.insert(rows[index], at: index + 1)
            return index + 1
        case .move(let index, let distance) where rows.indices.contains(index) && rows.indices.contains(index + distance):
            rows.swapAt(index, index + distance)
            return index + distance
        case .delete(let index) where rows.indices.contains(index):
            rows.remove(at: index)
            return index
        case .toggle(let index) where rows.indices.contains(index):
            rows[index].isEnabled.toggle()
            return index
        case .duplicate, .move, .delete, .toggle: return nil
        }
    }
}

/// A row of a list.
protocol ListedRow {
    init(_ row: Parameter)
    var isEnabled: Bool { get set }
}

extension Parameter: ListedRow {
    init(_ row: Parameter) { self = row }
}

extension BodyTemplate.Part: ListedRow {
    init(_ row: Parameter) { self.init(name: row.name, value: row.value, isFile: false) }
}
