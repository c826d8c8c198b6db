internal import HistoryModel
internal import SortieHTTP
internal import SortieStorage

/// A reference to an exchange: its number, its id, or `last`.
struct HistoryReference {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    /// The exchange, with further names masked than when it was stored.
    func exchange(in store: HistoryStore, masking names: [String], in program: ProgramContext) throws -> PastExchange {
        let past = try exchange(in: store, program)
        return names.isEmpty ? past : past.masked(by: Redaction(adding: names))
    }

    /// The exchange.
    ///
    /// - Throws: When there is none, or when the history cannot be read.
    func exchange(in store: HistoryStore, _ program: ProgramContext) throws -> PastExchange {
        guard let past = try store.past(number(in: store)) else { throw unknown(in: store) }
        past.warnOfDamage(on: program.errors)
        return past
    }

    /// The number of the exchange, which may be unreadable.
    ///
    /// - Throws: When there is none, or when the history cannot be read.
    func number(in store: HistoryStore) throws -> Int64 {
        guard let number = try store.number(of: text) else { throw unknown(in: store) }
        return number
    }

    private func unknown(in store: HistoryStore) -> CommandFailure {
        // A problem of the history explains why the exchange is not found.
        if let problem = store.problem { return CommandFailure(problem) }
        return CommandFailure(
            .usage, name: "unknownExchange", text.isEmpty ? "the number of the exchange is empty" : "the history has no exchange \(text)",
            hint: "sortie history list shows numbers; last is the newest")
    }
}

extension PastExchange {
    /// Which parts of the stored exchange cannot be read; nil where all can.
    var damage: String? {
        unreadable.isEmpty ? nil : "number \(item.number) is damaged in the history and used without: \(unreadable.joined(separator: ", "))"
    }

    /// Prints which parts of the stored exchange cannot be read.
    func warnOfDamage(on errors: StandardError) { if let damage { errors.line("sortie: warning: \(damage)") } }
}
