internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// A row of the transfers tab.
enum TransferRow: Sendable {
    /// A download or an upload of the queue.
    case transfer(QueuedCall)
    /// A call with a large body, running or ended.
    case call(Call)
    /// A download that runs in a separate process.
    case detached(DetachedDownloadProgress)

    var id: CallID {
        switch self {
        case .transfer(let transfer): transfer.id
        case .call(let call): call.id
        // Those of calls are positive.
        case .detached(let row): CallID(-row.download.id)
        }
    }

    /// The endpoint; nil for the replay of an exchange without one.
    var endpoint: EndpointID? {
        switch self {
        case .transfer(let queued): queued.transfer.endpoint
        case .call(let call): call.endpoint
        case .detached: nil
        }
    }

    var name: String {
        switch self {
        case .transfer(let queued): queued.transfer.name
        case .call(let call): call.name
        case .detached(let row): row.name
        }
    }
}

/// The state of the transfers tab; the transfers themselves are in ``AppState/calls``.
struct TransfersState: FeatureState {
    /// The selected transfer.
    var selected: CallID?
    /// The detached downloads, as of the last listing.
    var detached: [DetachedDownloadProgress] = []
    /// The time of the last request for them.
    var detachedAskedAt = 0.0
    /// Whether they were listed since the start of the program.
    var hasListedDetached = false
    /// The index of the selected transfer, for the time after it is removed.
    private var place = 0

    init() {}

    /// The index of the selected row, or the nearest index when it was removed.
    func index(in rows: [TransferRow]) -> Int {
        rows.firstIndex { $0.id == selected } ?? place.clamped(to: 0...max(0, rows.count - 1))
    }

    mutating func select(_ index: Int, in rows: [TransferRow]) {
        guard rows.indices.contains(index) else { return }
        place = index
        selected = rows[index].id
    }
}

extension Operations {
    /// The rows of the transfers tab: the queue in its order, calls with large bodies, then ended ones.
    var transferRows: [TransferRow] {
        let running = inFlight.filter(\.call.isTransfer).map { TransferRow.call($0.call) }
        let ended = queue.endedCalls.compactMap { self[$0].map { TransferRow.call($0.call) } }
        return transfers.map { .transfer($0) } + running + endedTransfers.map { .transfer($0) } + ended
    }
}

extension Context {
    static let transfers = Context("Transfers")
}

extension BottomTab {
    static let transfers = BottomTab("Transfers")
}

extension SearchPlace {
    static let transfers = SearchPlace("transfers")
}

extension Command {
    static let pauseTransfer = Command.named("pauseTransfer")
    static let pauseAllTransfers = Command.named("pauseAllTransfers")
    static let cancelTransfer = Command.named("cancelTransfer")
    static let discardTransfer = Command.named("discardTransfer")
    static let resumeTransfer = Command.named("resumeTransfer")
    static let moveTransferUp = Command.named("moveTransferUp")
    static let moveTransferDown = Command.named("moveTransferDown")
    static let resumeFailedTransfers = Command.named("resumeFailedTransfers")
    static let openTransferFolder = Command.named("openTransferFolder")
    static let showTransferResponse = Command.named("showTransferResponse")
    static let chooseTransferLimit = Command.named("chooseTransferLimit")
    static let downloadTo = Command.named("downloadTo")
    static let uploadWithRate = Command.named("uploadWithRate")
}

extension TransfersFeature {
    var bindings: [Binding] {
        [
            Binding(
                .transfers, [.character("p")], .pauseTransfer, "Pause", "Pause or resume the transfer", hint: 2,
                unless: Self.cannotPauseReason),
            Binding(
                .transfers, [.character("x")], .cancelTransfer, "Cancel",
                "Cancel the transfer and keep its partial file; remove an ended one from the list",
                hint: 3, unless: Self.noTransferReason),
            Binding(
                .transfers, [.character("r")], .resumeTransfer, "Resume", "Resume a transfer that is unfinished, failed or was cancelled", hint: 4,
                unless: Self.cannotResumeTransferReason),
            Binding(
                .transfers, [.character("A")], .resumeFailedTransfers, "Resume failed", "Resume all failed, cancelled and unfinished transfers",
                unless: Self.cannotResumeFailedReason),
            Binding(.transfers, [.enter], .open, "Details", "Show the details of the transfer", hint: 5, unless: Self.noTransferReason),
            Binding(
                .transfers, [.character("P")], .pauseAllTransfers, "Pause all", "Pause or resume all transfers", hint: 6,
                unless: Self.cannotPauseAllReason),
            Binding(
                .transfers, [.character("X")], .discardTransfer, "Discard", "Cancel the transfer and remove its partial file",
                unless: Self.cannotDiscardReason),
            Binding(
                .transfers, [.character("o")], .openTransferFolder, "Folder", "Open the folder of the file", hint: 7, unless: Self.noFolderReason),
            Binding(
                .transfers, [.character("K"), Key(.up, .control)], .moveTransferUp, "Transfer up", "Move the transfer up in the queue",
                unless: Self.cannotMoveTransferReason),
            Binding(
                .transfers, [.character("J"), Key(.down, .control)], .moveTransferDown, "Transfer down", "Move the transfer down in the queue",
                unless: Self.cannotMoveTransferReason),
            Binding(
                .transfers, [.character("v")], .showTransferResponse, "Response",
                "Show the endpoint of the transfer with its response, and a small downloaded file as the body",
                unless: Self.noTransferReason),
            Binding(
                .request, [], .downloadTo, "Download",
                "Download the response of this request to a file: its place, rate limit, connections and SHA-256", unless: Self.cannotDownloadReason
            )
            .alsoKnownAs("Save as file", "Limit rate", "Digest", "Checksum", "Segments", "Parallel connections"),
            Binding(
                .request, [], .uploadWithRate, "Upload", "Upload the body of this request with a rate limit", unless: Self.cannotUploadReason
            )
            .alsoKnownAs("Limit rate", "Upload rate"),
            Binding(.panes, [.character("T")], .show(.transfers), "Transfers", "Show Transfers"),
            Binding(.everywhere, [], .chooseTransferLimit, "Transfers at once", "Set how many transfers run at once"),
        ]
    }
}

/// The reasons why commands are unavailable; nil for an available command.
extension TransfersFeature {
    private static func noTransferReason(_ state: AppState) -> String? { selectedRow(state) == nil ? "There is no transfer" : nil }

    private static func cannotPauseReason(_ state: AppState) -> String? {
        switch selectedRow(state) {
        case nil: return noTransferReason(state)
        case .call(let call) where !call.isInFlight: return "\(call.name) has ended"
        case .call(let call): return call.isSending ? nil : "\(call.name) is being cancelled"
        case .transfer(let queued):
            if queued.isEnded {
                let work = queued.isSentAgain ? "sends it again" : "resumes it"
                return "\(queued.transfer.name) has ended; \(state.key(.resumeTransfer)) \(work)"
            }
            return queued.isCancelling ? "\(queued.transfer.name) is being cancelled" : nil
        case .detached(let row): return "\(row.name) runs in a separate process; \(state.key(.cancelTransfer)) stops it"
        }
    }

    private static func cannotPauseAllReason(_ state: AppState) -> String? {
        let hasSome = state.calls.transfers.contains { !$0.transfer.isUnfinished }
        return hasSome ? nil : "No transfer runs, waits or is paused"
    }

    private static func cannotResumeTransferReason(_ state: AppState) -> String? {
        if case .detached(let row) = selectedRow(state) {
            return row.download.process != nil
                ? "\(row.name) runs in a separate process" : "\(state.key(.open)) shows the command that resumes \(row.name)"
        }
        guard let queued = selectedTransfer(state) else {
            return noTransferReason(state) ?? "Send the request again from its endpoint"
        }
        let name = queued.transfer.name
        if queued.isEnded || queued.transfer.isUnfinished { return nil }
        if queued.command == .pause { return "\(name) is paused; \(state.key(.pauseTransfer)) resumes it" }
        let (cancel, resume) = (state.key(.cancelTransfer), state.key(.resumeTransfer))
        return "\(name) is under way; \(cancel) cancels it, and \(resume) then resumes it"
    }

    private static func cannotResumeFailedReason(_ state: AppState) -> String? {
        leftTransfers(state).isEmpty ? "No transfer failed or is unfinished" : nil
    }

    private static func cannotDiscardReason(_ state: AppState) -> String? {
        guard let queued = selectedTransfer(state), !queued.transfer.isUpload else { return "Only a download has a partial file to remove" }
        return queued.state == .done ? "\(queued.transfer.name) is complete and has no partial file" : nil
    }

    private static func noFolderReason(_ state: AppState) -> String? {
        if selectedTransfer(state)?.transfer.folder != nil { return nil }
        return noTransferReason(state) ?? "Only a download has a folder"
    }

    private static func cannotMoveTransferReason(_ state: AppState) -> String? {
        guard let queued = selectedTransfer(state), !queued.isEnded else { return "Only a transfer that has not ended can be moved" }
        return nil
    }

    private static func cannotUploadReason(_ state: AppState) -> String? {
        guard let endpoint = state.openEndpoint else { return state.noEndpointReason }
        return endpoint.kind == .upload ? nil : "Only an endpoint of the kind upload is a transfer; Kind is in the tab Options"
    }

    private static func cannotDownloadReason(_ state: AppState) -> String? {
        guard let endpoint = state.openEndpoint else { return state.noEndpointReason }
        return endpoint.isDownloadable ? nil : "Only a GET without a body can be downloaded"
    }
}
