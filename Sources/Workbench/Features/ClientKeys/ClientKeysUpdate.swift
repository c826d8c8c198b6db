internal import Model

/// Passphrases of client keys, which are passed on and never stored in the state.
extension AppState {
    /// Queues the prompt for a passphrase, and shows a message when something else is open.
    mutating func clientKeyAsked(_ question: ClientKeyQuestion) {
        keyQuestions.removeAll { $0.file == question.file }
        keyQuestions.append(question)
        if isOccupied {
            toast = Toast("The client key \(question.file) needs its passphrase; leave what is open to enter it", .warning)
        }
    }

    /// Opens the next prompt, unless a popup is open or text is being typed.
    mutating func showKeyQuestion() {
        guard let question = keyQuestions.first, !isOccupied else { return }
        let message = question.wasRefused ? "This passphrase does not open the key:" : "The client key is encrypted:"
        popup = .prompt(
            Prompt(
                title: "Passphrase", purpose: .clientKey(question.file), field: TextField(), placeholder: "kept until Sortie ends",
                message: "\(message) \(question.file)", isSecret: true))
    }

    /// Passes the passphrase on; an empty text means that the user has none.
    mutating func answerKeyQuestion(_ file: String, _ text: String?) -> [Effect] {
        popup = nil
        keyQuestions.removeAll { $0.file == file }
        let passphrase = text?.isEmpty == false ? text : nil
        return [.answerClientKey(file: file, passphrase: passphrase)]
    }
}
