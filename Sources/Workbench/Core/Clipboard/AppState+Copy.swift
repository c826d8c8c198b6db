internal import SortieBase
internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// A copy to the clipboard.
struct CopyJob: Job {
    /// The name of what is copied.
    var name: String
    /// The text, masked.
    var text: String
    /// The advice to show afterwards.
    var advice: String?
    /// Why no program copied the text; nil before one was tried.
    var toolFailure: String?

    /// The size of the text, such as `36 bytes`.
    var size: String {
        let count = text.utf8.count
        return count < 1000 ? ItemCount.text(count, "byte") : ByteText.amount(Int64(count))
    }
}

/// Copying to the clipboard, by a program or by the terminal.
extension AppState {
    /// The maximum size in bytes of a text for the clipboard or the editor.
    static let copyLimit = 1 << 20

    /// Copies a text to the clipboard; values of secrets are masked unless the user chose to show them.
    mutating func copy(_ text: String, _ name: String, advice: String? = nil) -> [Effect] {
        guard !text.isEmpty else {
            toast = Toast("It is empty", .warning)
            return []
        }
        let masked = redaction.hidingValues(text)
        let advice = [masked == text ? nil : "secrets are masked; \(key(.toggleSecrets)) shows them", advice].compactMap(\.self)
        let job = CopyJob(name: name, text: masked, advice: advice.isEmpty ? nil : advice.joined(separator: "; "))
        switch settings.clipboard {
        case .auto, .tool: return [.copy(nextJob(job), masked)]
        case .osc52: return copyByTerminal(nextJob(job), job)
        case .off:
            toast = Toast("Nothing was copied: the settings have clipboard: off", .warning)
            return []
        }
    }

    /// Handles the result of copying.
    mutating func copied(_ id: JobID, _ outcome: JobOutcome) -> [Effect] {
        guard var job = finishJob(id, CopyJob.self) else { return [] }
        switch outcome {
        case .done(let means):
            notify("Copied \(job.name) (\(job.size))\(means.isEmpty ? "" : " with \(means)")\(job.advice.map { "; \($0)" } ?? "")")
        case .failed(let sentence), .exists(let sentence):
            guard settings.clipboard == .auto, job.toolFailure == nil else {
                notify("Could not copy \(job.name): \(sentence)", .error)
                break
            }
            job.toolFailure = sentence
            return copyByTerminal(id, job)
        case .protected: break
        }
        return []
    }

    private mutating func copyByTerminal(_ id: JobID, _ job: CopyJob) -> [Effect] {
        guard job.text.utf8.count <= ClipboardSequence.textLimit else {
            jobs[id] = nil
            let limit = ByteText.amount(Int64(ClipboardSequence.textLimit))
            let reason = job.toolFailure.map { "\($0), and " } ?? ""
            notify("Could not copy \(job.name): \(reason)\(job.size) are more than the \(limit) that a terminal takes", .error)
            return []
        }
        jobs[id] = job
        return [.copyByTerminal(id, job.text)]
    }
}
