import FoundationEssentials
import HistoryModel
import SortieHTTP
import SortieTerminal
import WorkspaceModel

@testable import SortieWorkbench

/// The responses of the store, from a list in memory.
struct HistoryStandIn: Sendable {
    var items: [HistoryItem] = []
    /// Changes each exchange that is read.
    var change: @Sendable (inout PastExchange) -> Void = { _ in }
    var moment = HistoryMoment(now: Date(timeIntervalSince1970: 1_789_999_200))

    mutating func add(_ count: Int, _ change: (inout HistoryItem) -> Void = { _ in }) {
        for _ in 0..<count {
            let number = Int64(items.count + 1)
            var item = HistoryItem(
                number: number, id: RequestID(high: 0, low: UInt64(number)),
                startedAt: Date(timeIntervalSince1970: 1_789_999_200 + Double(number)), service: "shop", target: "shop/orders/list",
                environment: "develop", url: "http://127.0.0.1:8080/orders?page=\(number)", status: 200, duration: 0.034, receivedBytes: 1200)
            change(&item)
            items.append(item)
        }
    }

    func answer(_ request: HistoryRequest) -> HistoryResult {
        switch request {
        case .page(let query): return .page(page(query), moment)
        case .count(let filter, let limit): return .count(min(limit, items.count { matches($0, filter) }))
        case .past(let number): return .past(items.first { $0.number == number }.map { past($0) }, moment)
        case .last(let endpoint, _):
            let pasts = items.reversed().lazy.filter { $0.target == endpoint.target }.map { past($0) }
            return .past(pasts.first { !RequestChange(since: $0.exchange.request, to: endpoint).isOtherRequest }, moment)
        case .compare(let left, let right):
            guard let left = items.first(where: { $0.number == left }), let right = items.first(where: { $0.number == right }) else {
                return .failed("the exchange does not exist any more")
            }
            return .compared(ExchangeComparison(left: past(left), right: past(right)))
        case .compareStep(let step): return .failed("\(step.step) has no response of an earlier run in the history")
        case .compareRun(let run): return .failed("The responses of \(run.run) are not in the history")
        case .pin, .tag, .note, .delete: return .done
        }
    }

    private func page(_ query: HistoryQuery) -> HistoryPage {
        let all = items.reversed().filter { matches($0, query.filter) }
        let range: Range<Int> =
            switch query.place {
            case .newest: 0..<min(query.limit, all.count)
            case .oldest: max(0, all.count - query.limit)..<all.count
            case .olderThan(let number):
                (all.firstIndex { $0.number < number } ?? all.count)..<min(
                    all.count, (all.firstIndex { $0.number < number } ?? all.count) + query.limit)
            case .newerThan(let number):
                max(0, (all.firstIndex { $0.number <= number } ?? all.count) - query.limit)..<(all.firstIndex { $0.number <= number } ?? all.count)
            }
        return HistoryPage(items: Array(all[range]), hasNewer: range.lowerBound > 0, hasOlder: range.upperBound < all.count)
    }

    private func matches(_ item: HistoryItem, _ filter: HistoryFilter) -> Bool {
        let folders = filter.terms.compactMap { if case .workspace(let folder) = $0.test { folder } else { nil } }
        guard folders.isEmpty || folders.contains(item.workspace ?? "none") else { return false }
        return filter.terms.allSatisfy { term in
            switch term.test {
            case .status(let range): range.contains(item.status ?? 0) != term.isNegated
            default: true
            }
        }
    }

    func past(_ item: HistoryItem) -> PastExchange {
        var exchange = Exchange.sample(#"{"page": \#(item.number)}"#, status: item.status ?? 200)
        exchange.startedAt = item.startedAt
        if let target = item.target {
            var endpoint = Endpoint(target: target, name: "List orders", path: "/orders")
            endpoint.query = [Parameter("page", "\(item.number)")]
            endpoint.headers = [Parameter("Authorization", HeaderField.mask)]
            exchange.request.origin = RequestOrigin(endpoint: endpoint)
        }
        var past = PastExchange(item: item, exchange: exchange, masks: MaskedParts(endpoint: item.target == nil ? [] : [.header(0)]))
        change(&past)
        return past
    }
}

extension AppState {
    /// A state whose History displays this number of exchanges.
    static func withHistory(
        _ count: Int, size: Size = Size(width: 80, height: 24), _ change: (inout HistoryItem) -> Void = { _ in }
    ) -> HistoryBench {
        var bench = HistoryBench(state: .sample(size: size))
        bench.store.add(count, change)
        bench.answering { $0.press("H") }
        return bench
    }
}

/// A state with a store.
@dynamicMemberLookup
struct HistoryBench {
    var state: AppState
    var store = HistoryStandIn()

    subscript<Value>(dynamicMember path: WritableKeyPath<AppState, Value>) -> Value {
        get { state[keyPath: path] }
        set { state[keyPath: path] = newValue }
    }

    subscript<Value>(dynamicMember path: KeyPath<AppState, Value>) -> Value { state[keyPath: path] }

    /// The selected exchange.
    var selectedItem: HistoryItem? { HistoryFeature.selectedItem(state) }

    /// The rows inside the border of the pane, without headings.
    var historyLines: [String] {
        let lines = state.screen.split(separator: "\n").map(String.init)
        guard let start = lines.firstIndex(where: { $0.contains("Transfers") && $0.contains("Monitor") }) else { return [] }
        return lines[(start + 1)...].filter { $0.hasPrefix("│") && !$0.contains(" took") && $0.contains { $0.isNumber || $0.isLetter } }
    }

    /// Performs an action, then answers all requests to the history; returns their number.
    @discardableResult
    mutating func answering(_ work: (inout AppState) -> [Effect]) -> Int {
        var waiting = work(&state)
        var count = 0
        while let effect = waiting.popLast() {
            guard case .history(let id, let request) = effect, count < 1_000 else { continue }
            count += 1
            waiting += state.update(.history(id, store.answer(request)))
        }
        return count
    }

    @discardableResult
    mutating func press(_ labels: String...) -> [Effect] { labels.flatMap { state.press($0) } }

    @discardableResult
    mutating func type(_ text: String) -> [Effect] { state.type(text) }

    mutating func update(_ action: Action) -> [Effect] { state.update(action) }

    mutating func end<Ended: WorkJob>(_ type: Ended.Type, _ id: JobID, _ outcome: Ended.Outcome) -> [Effect] { state.end(type, id, outcome) }

    mutating func open(_ target: String) { state.open(target) }

    mutating func sendOpen() -> CallID { state.sendOpen() }

    mutating func downloadOpen() -> CallID { state.downloadOpen() }

    mutating func start(run: String, again: Bool) -> [Effect] { RunsFeature.start(run, again: again, &state) }
}

extension Effect {
    /// The request to the history in this effect.
    var request: HistoryRequest? { if case .history(_, let request) = self { request } else { nil } }
}
