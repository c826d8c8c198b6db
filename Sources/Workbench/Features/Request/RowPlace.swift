/// The place of a row in a list, which stays that of the row when another program inserts or removes rows.
struct RowPlace {
    private let index: Int
    /// The rows up to this one.
    private let rows: ArraySlice<RequestRow>

    init(_ index: Int, in rows: [RequestRow]) {
        self.index = index
        self.rows = rows.indices.contains(index) ? rows[...index] : []
    }

    /// The index in the present rows: that of the same name and value, else that of the same name, else the same index.
    func index(in others: [RequestRow]) -> Int {
        guard let row = rows.last, !row.name.isEmpty else { return index }
        func find(_ isSame: (RequestRow) -> Bool) -> Int? {
            let (before, found) = (rows.count(where: isSame), others.indices.filter { isSame(others[$0]) })
            return found.indices.contains(before - 1) ? found[before - 1] : nil
        }
        return find { $0.name == row.name && $0.value == row.value } ?? find { $0.name == row.name } ?? index
    }
}
