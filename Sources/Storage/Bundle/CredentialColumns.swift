internal import SortieBase

/// The first column of a CSV file that has the name of a credential and values.
struct CredentialColumns {
    let finding: CredentialSearch.Finding

    /// Searches a file; nil for a file of another kind, and without such a column.
    init?(_ text: String, of path: String) {
        guard path.hasSuffix(".csv") || path.hasSuffix(".tsv") else { return nil }
        let lines = text.split(whereSeparator: \.isNewline)
        guard let head = lines.first, lines.count > 1 else { return nil }
        let names = head.split { ",;\t".contains($0) }.map { $0.filter { $0 != "\"" && $0 != " " && $0 != "\u{feff}" } }
        guard let name = names.first(where: { CredentialNames.contains($0) }) else { return nil }
        finding = CredentialSearch.Finding(range: 0..<0, name: "column \(name)", line: 1)
    }
}
