internal import Model

/// Passphrases of client keys: asked for in a popup, passed on, and kept nowhere in the state.
extension AppState {
    /// A call needs a passphrase; the question waits for the user to finish what he is at.
    mutating func clientKeyAsked(_ question: ClientKeyQuestion) {
        keyQuestions.removeAll { $0.file == question.file }
        keyQuestions.append(question)
        if isOccupied {
            toast = Toast("The client key \(question.file) needs its passphrase; leave what is open to enter it", .warning)
        }
    }

    /// Opens the next question where nothing else is open and no text is being typed.
    mutating func showKeyQuestion() {
        guard let question = keyQuestions.first, !isOccupied else { return }
        let message = question.wasRefused ? "This passphrase does not open the key:" : "The client key is encrypted:"
        popup = .prompt(
            Prompt(
                title: "Passphrase", purpose: .clientKey(question.file), field: TextField(), placeholder: "kept until Sortie ends",
                message: "\(message) \(question.file)", isSecret: true))
    }

    /// Answers the open question; an empty text means that there is no passphrase.
    mutating func answerKeyQuestion(_ file: String, _ text: String?) -> [Effect] {
        popup = nil
        keyQuestions.removeAll { $0.file == file }
        let passphrase = text?.isEmpty == false ? text : nil
        return [.answerClientKey(file: file, passphrase: passphrase)]
    }
}
