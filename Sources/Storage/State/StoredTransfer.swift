internal import Foundation
package import WorkspaceModel

/// A download of the workbench that a separate process continues, in the form in which it is passed to that process.
package struct LeftDownload: Hashable, Sendable {
    package var transfer: QueuedTransfer
    /// The variables with precedence over all files.
    package var overrides: [String: String]

    private struct Stored: Codable {
        var transfer: StoredTransfer
        var promptValues: [String: String]
        var overrides: [String: String]
    }

    package init(_ transfer: QueuedTransfer, overrides: [String: String]) {
        (self.transfer, self.overrides) = (transfer, overrides)
    }

    /// The bytes to pass, which also have the values of prompts and must not be stored.
    package var bytes: [UInt8] {
        get throws {
            let stored = Stored(transfer: StoredTransfer(transfer), promptValues: transfer.endpoint.promptValues, overrides: overrides)
            return try StoredJSON.bytes(of: stored)
        }
    }

    /// Reads the result of ``bytes``; nil for other bytes.
    package init?(_ bytes: [UInt8]) {
        let stored: Stored
        do { stored = try StoredJSON.decoder.decode(Stored.self, from: Data(bytes)) } catch { return nil }
        var problems: [String] = []
        guard var transfer = stored.transfer.value(&problems), problems.isEmpty else { return nil }
        transfer.endpoint.promptValues = stored.promptValues
        self.init(transfer, overrides: stored.overrides)
    }
}

/// Stores the unfinished transfers of a workspace, so that neither the end of the program nor a crash loses one; the data of a download is beside its
/// destination file.
package typealias TransferStore = ProgramState<StoredTransfer>

/// A transfer that has not ended, as it is stored.
package struct StoredTransfer: ProgramRecord {
    package static let format = StateFormat(key: "transfers", content: "the transfers that have not ended", version: 2)
    package static let folder = "transfers"

    package static func add(_ more: [QueuedTransfer], to found: inout [QueuedTransfer]) {
        found += more.filter { new in !found.contains { $0.isSame(as: new) || $0 == new } }
    }

    var endpoint: StoredEndpoint
    var environment: String?
    var replays: Int64?
    /// Whether the endpoint contains masks; nil for a transfer that repeats no exchange.
    var isMasked: Bool?
    var destination: String?
    var file: String?
    var bytes: StoredPart<Int64>?
    var total: StoredPart<Int64>?

    package init(_ transfer: QueuedTransfer) {
        (environment, replays, destination, file) = (transfer.environment, transfer.replays, transfer.destination, transfer.file)
        endpoint = StoredEndpoint(transfer.endpoint)
        isMasked = transfer.replays.map { _ in transfer.isMasked }
        bytes = StoredPart(transfer.bytes)
        total = transfer.total.map { StoredPart($0) }
    }

    package func value(_ problems: inout [String]) -> QueuedTransfer? {
        guard let endpoint = endpoint.endpoint(&problems) else { return nil }
        var transfer = QueuedTransfer(endpoint, environment: environment, destination: destination, replays: replays)
        // Otherwise a mask would be sent in place of a secret.
        transfer.isMasked = replays != nil && isMasked ?? true
        transfer.file = file
        // The files on the disk have the counts, too.
        transfer.bytes = Self.count(bytes) ?? 0
        transfer.total = Self.count(total)
        return transfer
    }

    /// A count that the program can compute with.
    private static func count(_ part: StoredPart<Int64>?) -> Int64? {
        guard let count = part?.value else { return nil }
        return (0...1 << 53).contains(count) ? count : nil
    }
}
