internal import Foundation
internal import Model

/// Makes requests of the history once more, for the command and the workbench alike.
struct ReplaySetup: Sendable {
    /// The workspace as it is now; one without services where the exchange belongs to none.
    let workspace: Workspace
    /// Variables above all files.
    let overrides: [[String: String]]
    /// Whether a person can be asked.
    let mayAsk: Bool
    /// What the workspace may do on this machine.
    let permission: WorkspacePermission
    /// Learns the secrets that are used.
    let redaction: LiveRedaction
    /// Is told each of them, beside that.
    var used: @Sendable (String) -> Void = { _ in }

    /// The request of an exchange, and what about it is not as it was.
    ///
    /// - Parameters:
    ///   - given: fields that the user gave for it now.
    ///   - cancellation: ends the commands of secrets that it needs.
    func plan(_ past: PastExchange, given: [HeaderField] = [], cancelledBy cancellation: Cancellation = Cancellation()) async -> ReplayPlan {
        let values = LiveValues(workspace, mayAsk: mayAsk, permission: permission) { [redaction, used] value in
            redaction.hide(value)
            used(value)
        }
        let plan = RequestPlan(workspace: workspace, environment: past.item.environment, overrides: overrides)
        return await values.resolve(cancelledBy: cancellation) { [redaction] values in
            var replay = Replay(
                past, plan: plan, scope: { values.scope(of: $0, plan: $1) }, redaction: { redaction.always }, file: Self.file)
            replay.given = given
            return replay.planned()
        }
    }

    /// What is known of a file; nil for what is none, or cannot be read.
    private static func file(_ path: String) -> PastExchange.SentFile? {
        var information = stat()
        guard stat(path, &information) == 0, information.st_mode & S_IFMT == S_IFREG, access(path, R_OK) == 0 else { return nil }
        let modified = Double(information.st_mtim.tv_sec) + Double(information.st_mtim.tv_nsec) / 1e9
        return PastExchange.SentFile(path: path, size: Int64(information.st_size), modified: modified)
    }
}
