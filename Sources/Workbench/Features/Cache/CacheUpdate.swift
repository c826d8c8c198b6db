internal import SortieHTTP
internal import SortieTerminal

/// A request to the cache.
struct CacheJob: Job {}

/// The cached responses: their content, and removing them.
struct CacheFeature: Feature {
    let stacks: [[Context]] = [[.cache]]

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        guard command == .cache else { return nil }
        state.stopEditing()
        state.popups.show(CachePopup())
        return CachePopup.ask(.list, &state)
    }

    /// Handles a listing; if the popup is closed, only what was removed is shown.
    static func listed(_ id: JobID, _ listing: CacheListing, _ state: inout AppState) {
        guard state.finishJob(id, CacheJob.self) != nil else { return }
        state.popups.change(CachePopup.self) { $0.take(listing) }
        if let removed = listing.removed { state.notify("\(NumberText.count(removed, "cached response")) removed") }
        for problem in listing.problems { state.notify(problem, .warning) }
    }
}

extension CachePopup: Popup {
    var contexts: [Context] { [.cache] }

    static func ask(_ request: CacheRequest, _ state: inout AppState) -> [Effect] { [.cache(state.nextJob(CacheJob()), request)] }

    mutating func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .move(let movement): move(movement, page: Self.page(state))
        case .open: if let chosen { state.popups.push(CachedResponsePopup(entry: chosen, readAt: readAt)) }
        case .deleteRow: return chosen.map { Self.ask(.remove([$0.id]), &state) } ?? []
        case .removeServiceFromCache: return chosen.map { Self.ask(.removeService($0.service), &state) } ?? []
        case .clearCache: return Self.ask(.clear, &state)
        case .copy: return chosen.map { state.copy(state.redaction.maskedURL($0.url.description), "the URL") } ?? []
        case .close: state.popups.pop()
        default: return nil
        }
        return []
    }

    /// Handles the mouse: the wheel moves the selection, a click selects, a double click shows the response.
    mutating func use(_ mouse: Mouse, _ state: inout AppState) -> [Effect] {
        switch mouse.kind {
        case .scrollUp, .scrollDown: move(mouse.kind == .scrollUp ? .up : .down, page: 1)
        case .press where !Self.contains(mouse.position, state): state.popups.pop()
        case .press: if let index = index(at: mouse.position, state) { select(index: index) }
        case .doubleClick: return perform(.open, &state) ?? []
        case .release, .drag: break
        }
        return []
    }
}
