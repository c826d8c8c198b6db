internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Changes of a transfer by its events.
extension Transfer {
    /// Applies an event of a download.
    mutating func receive(_ event: DownloadEvent) {
        switch event {
        case .changed(let state): note(state)
        case .placed(let file): order.file = file
        case .saved(let bytes): saved = bytes
        case .progressed(let progress): self.progress = progress
        case .decided(let decision): note(decision)
        case .finished(let result): take(result)
        }
    }

    /// Applies an event of an upload.
    mutating func receive(_ event: CallEvent) {
        switch event {
        case .progressed(let progress):
            self.progress.received = progress.sent
            self.progress.total = progress.sentTotal
        case .decided(let decision): note(decision)
        case .queued(let reason): queuedBecause = reason
        case .retrying(let seconds): retries(in: seconds)
        case .finished(let exchange):
            response = exchange.response
            progress.received = max(progress.received, exchange.sentBodyBytes)
        case .responded, .grew, .logged, .signalled, .parked: break
        }
    }

    /// The folder of the file.
    var folder: String? {
        if let file { return FilePath.folder(of: file) }
        return order.destination.map { FilePath.namesFolder($0) ? $0 : FilePath.folder(of: $0) }
    }

    /// Records the result of a download.
    private mutating func take(_ result: DownloadResult) {
        self.result = result
        restarts = result.restarts
        progress.received = result.bytes
        if result.state == .done { progress.total = result.bytes }
    }
}

extension Transfer.End {
    /// Creates the result of a download.
    init(_ result: DownloadResult) {
        switch result.state {
        case .cancelled(let keepsPart): self = .cancelled(keepsPart: keepsPart)
        case .superseded: self = .superseded
        case .failed(let error, let isResumable): self = .failed(error.message, isResumable: isResumable)
        default: self = .done
        }
    }

    /// Creates the result of an upload.
    init(_ exchange: Exchange) {
        guard let error = exchange.error else {
            let isRefused = exchange.response.map { $0.status >= 400 } ?? false
            self = isRefused ? .failed(exchange.response.map { StatusText.line($0) } ?? "", isResumable: false) : .done
            return
        }
        switch error.code {
        case .cancelled: self = .cancelled(keepsPart: false)
        case .superseded: self = .superseded
        default: self = .failed(error.message, isResumable: false)
        }
    }
}
