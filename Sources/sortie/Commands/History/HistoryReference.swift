internal import Model
internal import Storage

/// An exchange that a command names: by its number, its id, or `last`.
struct HistoryReference {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    /// The exchange, masked by further names than when it was kept.
    func exchange(in store: HistoryStore, masking names: [String]) throws -> PastExchange {
        let past = try exchange(in: store)
        return names.isEmpty ? past : past.masked(by: Redaction(adding: names))
    }

    /// The exchange.
    ///
    /// - Throws: when there is none, or when the history cannot be read.
    func exchange(in store: HistoryStore) throws -> PastExchange {
        do {
            if let number = try store.number(of: text), let past = try store.past(number) { return past }
        } catch { throw CommandFailure(error) }
        // What cannot be read explains why it is not found.
        if let problem = store.problem { throw CommandFailure(problem) }
        throw CommandFailure(
            .usage, name: "unknownExchange", "the history has no exchange \(text)", hint: "sortie history list shows numbers; last is the newest")
    }
}
