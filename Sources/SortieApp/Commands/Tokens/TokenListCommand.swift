internal import ArgumentParser
internal import SortieBase
internal import SortieStorage

/// `sortie token list`: the stored access tokens, without their values.
struct TokenListCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the stored access tokens with their age and expiry, without their values.")

    @Flag(help: "Print one JSON array instead of text.")
    var json = false

    func run(in program: ProgramContext) throws {
        let rows: [TokenRow]
        do { rows = try TokenStore(stateFolder: program.folders.state).entries().map(TokenRow.init) } catch { throw CommandFailure(error) }
        guard !json else { return program.output.write(JSONValue.array(rows.map(\.record)).text + "\n") }
        guard !rows.isEmpty else { return program.errors.line("no access token is stored; sortie token get TARGET signs in for one") }
        let cells = rows.map { $0.cells(now: program.now()) }
        let widths = (0..<4).map { column in cells.map { $0[column].count }.max() ?? 0 }
        for row in cells {
            let line = zip(row, widths + [0]).map { $0.padded(to: $1) }.joined(separator: "  ")
            program.output.write(VisibleLine.of(line) + "\n")
        }
    }
}
