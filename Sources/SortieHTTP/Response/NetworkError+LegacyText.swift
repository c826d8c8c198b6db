extension NetworkError {
    /// The message of the second source document for this failure (S1.28), corrected for each code (S1.29).
    ///
    /// The document has no message for a cancelled call; a business failure keeps its own message.
    public var legacyText: String {
        switch code {
        case .business: return message
        case .noData: return "这里什么也没有~"
        case .noMoreData: return "没有更多了~"
        default: break
        }
        switch legacyCode {
        case 101: return "请求超时了~"
        case 102: return "当前网络差, 请检查网络设置~"
        case 103: return "请求已取消~"
        default: return "请求失败了~"
        }
    }

    /// The failure with the message of the first source document's error filter: “网络错误” unless the server gave its own reason (S0.27).
    ///
    /// The class and the code are unchanged. The original message moves to ``underlying``; the document's filter discarded it.
    public var filtered: NetworkError {
        guard errorClass != .business, code != .cancelled, code != .superseded else { return self }
        return reworded("网络错误")
    }

    /// The failure with ``legacyText`` as its message (S1.28); a reason of the server and a cancellation keep theirs.
    ///
    /// The class and the code are unchanged. The original message moves to ``underlying``.
    public var distinguished: NetworkError {
        guard code != .business, code != .cancelled, code != .superseded, message != legacyText else { return self }
        return reworded(legacyText)
    }

    private func reworded(_ text: String) -> NetworkError {
        var error = self
        error.message = text
        error.underlying = [message, underlying].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ": ")
        return error
    }

    /// The error number of every failure in the first source document (S0.17).
    public static let legacyRequestCode = -1024

    /// The error domain of every failure in the first source document (S0.17).
    public static let legacyRequestDomain = "SSRequest.Error.Domain"

    /// The error for a response in another format than agreed (S0.13), with the received text.
    public static func wrongFormat(at path: String, received: String) -> NetworkError {
        NetworkError(.business, "返回数据格式错误", hint: path, underlying: received)
    }

    /// The error for an empty page: `noData` for the first page, `noMoreData` for a later one (S1.32).
    ///
    /// - Parameter page: The number of the page, from 1.
    public static func emptyPage(_ page: Int) -> NetworkError {
        var error = NetworkError(page <= 1 ? .noData : .noMoreData, "")
        error.message = error.legacyText
        return error
    }
}
