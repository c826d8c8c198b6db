internal import Model
internal import Storage

enum HistoryChange: Sendable { case written, failed(WorkspaceError) }
final class HistoryStore: Sendable {
    static func open() -> HistoryStore { HistoryStore() }
    let problem: WorkspaceError? = nil
    func flush() {}
    func watch(_ changed: @escaping @Sendable (HistoryChange) -> Void) {}
    func page(_ query: HistoryQuery) throws(WorkspaceError) -> HistoryPage { HistoryPage() }
    func count(_ filter: HistoryFilter, upTo limit: Int) throws(WorkspaceError) -> Int { 0 }
    func past(_ number: Int64) throws(WorkspaceError) -> PastExchange? { nil }
    func setPinned(_ numbers: [Int64], _ isPinned: Bool) throws(WorkspaceError) {}
    func setTags(_ number: Int64, _ tags: [String]) throws(WorkspaceError) {}
    func setNote(_ number: Int64, _ note: String) throws(WorkspaceError) {}
    func delete(_ numbers: [Int64]) throws(WorkspaceError) {}
}
extension ExchangeComparison { init(left: PastExchange, right: PastExchange, isUnfolded: Bool) { self.init(left: left, right: right) } }
