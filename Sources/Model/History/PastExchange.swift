/// One exchange of the history, whole: as it was, with its secrets masked.
public struct PastExchange: Hashable, Sendable {
    /// A file that was sent, as it was then.
    public struct SentFile: Hashable, Codable, Sendable {
        /// Where it was.
        public var path: String
        /// Its size in bytes.
        public var size: Int64
        /// When it was changed last, in seconds since 1970.
        public var modified: Double

        /// A file.
        public init(path: String, size: Int64, modified: Double) {
            self.path = path
            self.size = size
            self.modified = modified
        }
    }

    /// The exchange in short.
    public var item: HistoryItem
    /// What was asked, with what it was made of, and what came; the body of the answer is a view of its file.
    public var exchange: Exchange
    /// Why the answer's body is not there, in words; nil when it is.
    public var missingBody: String?
    /// Why the request's body is not there, in words; nil when it is.
    public var missingRequestBody: String?
    /// The files that were sent.
    public var sentFiles: [SentFile]
    /// The file that a download went to.
    public var file: String?
    /// The parts of the stored row that cannot be read and are left out, by their columns.
    public var unreadable: [String]

    /// An exchange of the history.
    public init(
        item: HistoryItem, exchange: Exchange, missingBody: String? = nil, missingRequestBody: String? = nil, sentFiles: [SentFile] = [],
        file: String? = nil, unreadable: [String] = []
    ) {
        self.item = item
        self.exchange = exchange
        self.missingBody = missingBody
        self.missingRequestBody = missingRequestBody
        self.sentFiles = sentFiles
        self.file = file
        self.unreadable = unreadable
    }
}
