extension NetworkError {
    /// The message for users of this kind of failure, by its code; a business failure keeps the server's own.
    public func text(in texts: UserTexts) -> String {
        switch code {
        case .business: return message
        case .noData: return texts.noData
        case .noMoreData: return texts.noMoreData
        default: break
        }
        switch legacyCode {
        case 101: return texts.timedOut
        case 102: return texts.noConnection
        case 103: return texts.cancelled
        default: return texts.failed
        }
    }

    /// The failure with the one message of the error filter, unless the server gave its own reason.
    ///
    /// The class and the code are unchanged. The original message moves to ``underlying``; the filter of the first source document discarded it.
    public func filtered(in texts: UserTexts) -> NetworkError {
        guard errorClass != .business, code != .cancelled, code != .superseded else { return self }
        return reworded(texts.transport)
    }

    /// The failure with the message of its kind; a reason of the server and a cancellation keep theirs.
    ///
    /// The class and the code are unchanged. The original message moves to ``underlying``.
    public func distinguished(in texts: UserTexts) -> NetworkError {
        let text = text(in: texts)
        guard code != .business, code != .cancelled, code != .superseded, message != text else { return self }
        return reworded(text)
    }

    private func reworded(_ text: String) -> NetworkError {
        var error = self
        error.message = text
        error.underlying = [message, underlying].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ": ")
        return error
    }

    /// The error number of every failure in the first source document.
    public static let legacyRequestCode = -1024

    /// The error domain of every failure in the first source document.
    public static let legacyRequestDomain = "SSRequest.Error.Domain"

    /// The error for a response in another format than agreed, with the received text.
    public static func wrongFormat(at path: String, received: String, in texts: UserTexts = .english) -> NetworkError {
        NetworkError(.business, texts.wrongFormat, hint: path, underlying: received)
    }

    /// The error for an empty page: `noData` for the first page, `noMoreData` for a later one.
    ///
    /// - Parameters:
    ///   - page: The number of the page, from 1.
    ///   - hint: A hint for a separate line; nil for none.
    ///   - texts: The language of the message.
    public static func emptyPage(_ page: Int, hint: String? = nil, in texts: UserTexts = .english) -> NetworkError {
        page <= 1 ? NetworkError(.noData, texts.noData, hint: hint) : NetworkError(.noMoreData, texts.noMoreData, hint: hint)
    }
}
