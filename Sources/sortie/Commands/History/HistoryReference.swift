internal import Model
internal import Storage

/// An exchange that a command names: by its number, its id, or `last`.
struct HistoryReference {
    let text: String

    init(_ text: String) {
        self.text = text
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
