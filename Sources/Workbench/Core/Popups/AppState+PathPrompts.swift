internal import Model
internal import Terminal

/// Files named by the user: a body, the log, cookies.
extension AppState {
    /// Opens a prompt for a path, with a previously rejected path for correction.
    mutating func askForPath(_ title: String, _ purpose: Prompt.Purpose, suggesting name: String, placeholder: String = "a path") {
        let text = purpose.pathKey.flatMap { failedPaths.removeValue(forKey: $0) } ?? name
        popup = .prompt(Prompt(title: title, purpose: purpose, field: TextField(text), placeholder: placeholder))
    }

    /// Handles the result of writing a body or the log.
    mutating func fileSaved(_ id: JobID, _ outcome: JobOutcome) {
        guard case .saveFile(let prompt) = jobs.removeValue(forKey: id) else { return }
        switch outcome {
        case .done(let place): notify("Saved \(prompt.purpose.content) to \(place)")
        case .failed(let sentence):
            log.append(LogEntry(.error, "Not saved: \(sentence)"))
            askAgain(prompt, sentence)
        case .exists(let name): askToOverwrite(prompt, name)
        case .protected(let reason): askToUseProtected(prompt, reason)
        }
    }

    /// Shows a prompt again with the reason for its rejection.
    ///
    /// While something else is open, the text is kept for the next time.
    mutating func askAgain(_ prompt: Prompt, _ sentence: String) {
        var prompt = prompt
        prompt.problem = sentence
        if mayReopen(prompt) {
            popup = .prompt(prompt)
        } else {
            if let key = prompt.purpose.pathKey { failedPaths[key] = prompt.field.text }
            toast = Toast(sentence, .error)
        }
    }

    /// Asks whether to replace an existing file.
    mutating func askToOverwrite(_ prompt: Prompt, _ name: String) {
        ask("Replace the file?", about: prompt, name) {
            .init(label: "Replace it", detail: "what it holds now is lost", choice: .overwrite(prompt))
        }
    }

    /// Asks whether to write a file to a protected location (`Security.md` 6).
    mutating func askToUseProtected(_ prompt: Prompt, _ reason: String) {
        ask("Write to a protected place?", about: prompt, reason) {
            .init(label: "Write there", detail: "a file of that name is replaced", choice: .overwrite(prompt))
        }
    }

    /// Asks whether to write where the user said, or to another file, which is the default.
    private mutating func ask(_ title: String, about prompt: Prompt, _ message: String, writing item: () -> ListPopup.Item) {
        guard mayReopen(prompt) else {
            if let key = prompt.purpose.pathKey { failedPaths[key] = prompt.field.text }
            toast = Toast("Not saved: \(message)", .warning)
            return
        }
        var list = ListPopup(
            title: title, message: message,
            items: [.init(label: "Name another file", choice: .askAgain(prompt), isCurrent: true), item()])
        list.prompt = prompt
        show(list)
    }

    /// Whether no other popup is open.
    private func mayReopen(_ prompt: Prompt) -> Bool {
        switch prompt.purpose {
        case .importCookies, .exportCookies: isCookiesOpen
        default: !isOccupied
        }
    }
}

extension Prompt.Purpose {
    /// The key under which a rejected path is kept; nil for prompts without a path.
    var pathKey: String? {
        switch self {
        case .saveBody: "body"
        case .saveLog: "log"
        case .importCookies: "import"
        case .exportCookies: "export"
        case .method, .tags, .note, .download, .clientKey: nil
        }
    }

    /// The name of what is written, for messages.
    var content: String {
        switch self {
        case .saveLog: "the log"
        case .exportCookies: "the cookies"
        default: "the body"
        }
    }
}
