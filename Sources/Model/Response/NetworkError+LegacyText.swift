extension NetworkError {
    /// What the second source document tells the person about this failure (S1.28), the right text for each code (S1.29).
    ///
    /// The document has no text for a cancelled call; a business failure speaks for itself.
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

    /// This failure as the error filter of the first source document words it: “网络错误” unless the server gave its own reason (S0.27).
    ///
    /// Class and code stay, and the sentence that was there goes to ``underlying``, which the original threw away.
    public var filtered: NetworkError {
        guard errorClass != .business, code != .cancelled, code != .superseded else { return self }
        var error = self
        error.message = "网络错误"
        error.underlying = [message, underlying].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ": ")
        return error
    }

    /// The number of every failure of the first source document (S0.17).
    public static let legacyRequestCode = -1024

    /// The domain of every failure of the first source document (S0.17).
    public static let legacyRequestDomain = "SSRequest.Error.Domain"

    /// An answer that is not of the format that was agreed (S0.13), with what was received.
    public static func wrongFormat(at path: String, received: String) -> NetworkError {
        NetworkError(.business, "返回数据格式错误", hint: path, underlying: received)
    }

    /// An empty page: no data on the first one, no more data on a later one (S1.32).
    ///
    /// - Parameter page: from 1.
    public static func emptyPage(_ page: Int) -> NetworkError {
        var error = NetworkError(page <= 1 ? .noData : .noMoreData, "")
        error.message = error.legacyText
        return error
    }
}
