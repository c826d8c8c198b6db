internal import SortieTerminal
internal import WorkspaceModel

/// The use of a file that a prompt names.
struct PathUse: Hashable, Sendable {
    /// The key under which a rejected path is kept.
    var key: String
    /// The name of what is written, for messages.
    var content: String
    /// The type of the popup that the prompt belongs to, above which it may be shown again; nil for a prompt of a pane.
    var owner: ObjectIdentifier?
}

/// Writing to a file that the user named.
struct SaveFileJob: Job {
    var prompt: Prompt
}

/// Files named by the user: a body, the log, cookies.
extension AppState {
    /// Opens a prompt for a path, with a previously rejected path for correction.
    mutating func askForPath(
        _ title: String, _ use: PathUse, suggesting name: String, placeholder: String = "a path", answer: @escaping Prompt.Answer
    ) {
        let text = failedPaths.removeValue(forKey: use.key) ?? name
        popups.push(Prompt(title, text, placeholder: placeholder, path: use, answer: answer))
    }

    /// Handles the result of writing a body or the log.
    mutating func fileSaved(_ id: JobID, _ outcome: JobOutcome) -> [Effect] {
        guard let prompt = finishJob(id, SaveFileJob.self)?.prompt else { return [] }
        switch outcome {
        case .done(let place): notify("Saved \(prompt.path?.content ?? "it") to \(place)")
        case .failed(let sentence):
            log.append(LogEntry(.error, "Not saved: \(sentence)"))
            askAgain(prompt, sentence)
        case .exists(let name): return askToOverwrite(prompt, name)
        case .protected(let reason): askToUseProtected(prompt, reason)
        }
        return []
    }

    /// Shows a prompt again with the reason for its rejection.
    ///
    /// While something else is open, the text is kept for the next time.
    mutating func askAgain(_ prompt: Prompt, _ sentence: String) {
        var prompt = prompt
        prompt.problem = sentence
        if mayReopen(prompt) {
            popups.push(prompt)
        } else {
            if let use = prompt.path { failedPaths[use.key] = prompt.text }
            toast = Toast(sentence, .error)
        }
    }

    /// Asks whether to replace an existing file, or replaces it where the settings say so.
    ///
    /// The place of the file was checked before: a protected location has its own question.
    mutating func askToOverwrite(_ prompt: Prompt, _ name: String) -> [Effect] {
        if !settings.confirmsOverwriting {
            var prompt = prompt
            prompt.overwrites = true
            // The answer closes the prompt.
            popups.push(prompt)
            return prompt.answer(prompt, &self)
        }
        ask("Replace the file?", about: prompt, name, choice: "Replace it", detail: "its current content is lost")
        return []
    }

    /// Asks whether to write a file to a protected location (`Security.md` 6).
    mutating func askToUseProtected(_ prompt: Prompt, _ reason: String) {
        ask("Write to a protected place?", about: prompt, reason, choice: "Write there", detail: "a file of that name is replaced")
    }

    /// Asks whether to write where the user said, or to another file, which is the default.
    private mutating func ask(_ title: String, about prompt: Prompt, _ message: String, choice: String, detail: String) {
        guard mayReopen(prompt) else {
            if let use = prompt.path { failedPaths[use.key] = prompt.text }
            toast = Toast("Not saved: \(message)", .warning)
            return
        }
        popups.push(prompt)
        var list = ListPopup(
            title: title, message: message,
            items: [
                .plain(label: "Choose another file", isCurrent: true),
                .init(label: choice, detail: detail) { state in
                    var prompt = prompt
                    prompt.overwrites = true
                    return prompt.answer(prompt, &state)
                },
            ])
        list.selectCurrent()
        popups.push(list)
    }

    /// Asks before something is lost; the first choice keeps it.
    mutating func confirm(
        _ title: String, _ message: String, keep: String, _ choice: String, detail: String, _ action: @escaping ListPopup.Choice
    ) {
        let items: [ListPopup.Item] = [.plain(label: keep, isCurrent: true), .init(label: choice, detail: detail, choice: action)]
        show(ListPopup(title: title, message: message, items: items))
    }

    /// Whether nothing is open apart from the popup that the prompt belongs to.
    private func mayReopen(_ prompt: Prompt) -> Bool {
        guard let owner = prompt.path?.owner else { return !isOccupied }
        return popup.map { ObjectIdentifier(type(of: $0)) } == owner
    }
}
