internal import SortieHTTP

extension EventBuffer<CallEvent> {
    /// A buffer for the events of one call.
    static func ofCall() -> EventBuffer<CallEvent> {
        EventBuffer(kind: \.supersedingKind, isEssential: \.isEnd)
    }
}

extension EventBuffer<CallSignal> {
    /// A buffer for the signals of one call.
    static func ofSignals() -> EventBuffer<CallSignal> {
        EventBuffer(
            kind: { if case .event(let event) = $0 { event.supersedingKind } else { nil } },
            isEssential: { if case .event(let event) = $0 { event.isEnd } else { true } })
    }
}

extension EventBuffer<DownloadEvent> {
    /// A buffer for the events of one download.
    static func ofDownload() -> EventBuffer<DownloadEvent> {
        EventBuffer {
            switch $0 {
            case .progressed: 0
            case .saved: 1
            case .changed, .placed, .decided, .finished: nil
            }
        } isEssential: {
            switch $0 {
            case .finished, .placed: true
            case .changed, .progressed, .saved, .decided: false
            }
        }
    }
}

extension CallEvent {
    /// Tells apart the kinds of which only the latest event matters.
    fileprivate var supersedingKind: Int? {
        switch self {
        case .progressed: 0
        case .grew: 1
        case .decided, .logged, .signalled, .responded, .retrying, .queued, .parked, .finished: nil
        }
    }

    fileprivate var isEnd: Bool {
        if case .finished = self { true } else { false }
    }
}
