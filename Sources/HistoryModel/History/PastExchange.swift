internal import SortieBase
package import SortieHTTP

/// One complete exchange of the history, with its secrets masked.
package struct PastExchange: Hashable, Sendable {
    /// A file that was sent, with its attributes at that time.
    package struct SentFile: Hashable, Sendable {
        /// The path.
        package var path: String
        /// The size in bytes.
        package var size: Int64
        /// The modification time in seconds since 1970.
        package var modified: Double

        /// Creates a file.
        package init(path: String, size: Int64, modified: Double) {
            (self.path, self.size, self.modified) = (path, size, modified)
        }
    }

    /// The summary of the exchange.
    package var item: HistoryItem
    /// The request with its origin, and the response, whose body is a view of its file.
    package var exchange: Exchange
    /// The parts of the request and of its origin that contain masks.
    package var masks: MaskedParts
    /// The reason why the response's body is missing; nil when it is present.
    package var missingBody: String?
    /// The reason why the request's body is missing; nil when it is present.
    package var missingRequestBody: String?
    /// The files that were sent.
    package var sentFiles: [SentFile]
    /// The destination file of a download.
    package var file: String?
    /// The parts of the stored row that cannot be read and are left out, by their columns.
    package var unreadable: [String]

    /// Creates an exchange of the history.
    package init(
        item: HistoryItem, exchange: Exchange, masks: MaskedParts = MaskedParts(), missingBody: String? = nil,
        missingRequestBody: String? = nil, sentFiles: [SentFile] = [], file: String? = nil, unreadable: [String] = []
    ) {
        (self.item, self.exchange, self.masks, self.missingBody, self.missingRequestBody) = (item, exchange, masks, missingBody, missingRequestBody)
        (self.sentFiles, self.file, self.unreadable) = (sentFiles, file, unreadable)
    }
}

extension HistoryItem {
    /// Returns the item with additional secret names masked that were not known when it was stored.
    package func masked(by redaction: Redaction) -> HistoryItem {
        var item = self
        item.url = redaction.maskedURL(url)
        item.target = target.map { redaction.masked($0) }
        return item
    }
}

extension PastExchange {
    /// Returns the exchange with additional secret names masked that were not known when it was stored.
    package func masked(by redaction: Redaction) -> PastExchange {
        var past = self
        past.item = item.masked(by: redaction)
        past.exchange = exchange.masked(by: redaction)
        past.masks.formUnion(MaskedParts(of: exchange.request, in: past.exchange.request))
        past.file = file.map { redaction.masked($0) }
        if let response = exchange.response, !response.body.isEmpty {
            let bytes = response.body.bytes(in: 0..<response.body.count)
            let masked = redaction.maskedBody(bytes, contentType: response.contentType)
            // An unchanged body stays a view of its file.
            if masked != bytes { past.exchange.response?.body = BodyBytes(masked) }
        }
        return past
    }
}
