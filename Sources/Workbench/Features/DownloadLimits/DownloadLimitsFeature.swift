internal import SortieBase
internal import SortieHTTP
internal import SortieTerminal

extension Command {
    static let limitDownloads = Command.named("limitDownloads")
    static let discardParts = Command.named("discardParts")
}

/// The rate limit of all downloads.
struct DownloadLimitsState: FeatureState {
    /// Bytes per second; nil for no limit.
    var rate: Int64?
}

/// Limiting the rate of downloads while they run, and removing all partial files.
struct DownloadLimitsFeature: Feature {
    var bindings: [Binding] {
        [
            Binding(.transfers, [.character("b")], .limitDownloads, "Rate", "Limit the rate of all downloads, also of running ones")
                .alsoKnownAs("Speed limit", "Bandwidth", "Slow down"),
            Binding(
                .transfers, [], .discardParts, "Discard all", "Remove the transfers that do not run, with their partial files",
                unless: { Self.discardable($0).isEmpty ? "No download that does not run has a partial file" : nil }),
        ]
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .limitDownloads:
            ask(&state)
            return []
        case .discardParts: return discard(&state)
        default: return nil
        }
    }

    func alert(_ state: AppState) -> Span? {
        state.states[DownloadLimitsState.self].rate.map { Span("downloads \(ByteText.rate(Double($0)))", .info) }
    }

    private func ask(_ state: inout AppState) {
        state.stopEditing()
        let current = state.states[DownloadLimitsState.self].rate.map { ByteCount($0).text } ?? ""
        let prompt = Prompt("Rate of all downloads together", current, placeholder: "no limit; such as 2MB a second") { prompt, state in
            let text = prompt.text.trimmingBlanks
            let size = ByteCount(parsing: text)
            guard text.isEmpty || text == "none" || (size?.bytes ?? 0) > 0 else {
                var prompt = prompt
                prompt.problem = "“\(text)” is not a number of bytes: write 2MB, 500kB, or nothing"
                state.popups.pop()
                state.popups.push(prompt)
                return []
            }
            state.popups.pop()
            state.states[DownloadLimitsState.self].rate = size?.bytes
            state.notify(size.map { "All downloads together: at most \(ByteText.rate(Double($0.bytes)))" } ?? "Downloads have no common limit")
            return [.limitDownloads(size?.bytes)]
        }
        state.popups.push(prompt)
    }

    // MARK: Partial files

    private static func discardable(_ state: AppState) -> [QueuedCall] {
        (state.calls.transfers + state.calls.endedTransfers).filter { queued in
            let transfer = queued.transfer
            return !transfer.isUpload && transfer.file != nil && queued.state != .done && (transfer.isUnfinished || queued.isEnded)
        }
    }

    private func discard(_ state: inout AppState) -> [Effect] {
        let chosen = Self.discardable(state)
        for queued in chosen { state.calls.remove(queued.id) }
        state.notify("\(ItemCount.text(chosen.count, "partial file")) removed")
        return chosen.map { .discardPart($0.id, $0.transfer.order) }
    }
}
