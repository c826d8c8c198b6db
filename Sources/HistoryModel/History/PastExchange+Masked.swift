internal import SortieBase
package import SortieHTTP

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
