/// A call that has ended, for whoever keeps what passed: an exchange, and what is known of it beside that.
public struct CompletedCall: Hashable, Sendable {
    /// What was asked and all that came of it, secrets included.
    public var exchange: Exchange
    /// What it did.
    public var kind: Endpoint.Kind
    /// The file that a download went to.
    public var file: String?
    /// How many bytes of that file are here.
    public var fileBytes: Int64?

    /// A call that has ended.
    public init(_ exchange: Exchange, kind: Endpoint.Kind, file: String? = nil, fileBytes: Int64? = nil) {
        self.exchange = exchange
        self.kind = kind
        self.file = file
        self.fileBytes = fileBytes
    }
}
