/// A call that has ended, for observers that record it: an exchange with additional data.
public struct CompletedCall: Hashable, Sendable {
    /// The request and its complete result, including secrets.
    public var exchange: Exchange
    /// The kind of the call.
    public var kind: RequestKind
    /// The destination file of a download.
    public var file: String?
    /// The number of received bytes of that file.
    public var fileBytes: Int64?

    /// Creates a call that has ended.
    package init(_ exchange: Exchange, kind: RequestKind, file: String? = nil, fileBytes: Int64? = nil) {
        self.exchange = exchange
        self.kind = kind
        self.file = file
        self.fileBytes = fileBytes
    }
}
