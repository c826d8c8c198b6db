internal import SortieHTTP
internal import SortieTerminal

/// The Value tab: what the envelope, the format or the reformer of the endpoint made of the body, as JSON.
struct ValueLines {
    var exchange: Exchange
    var redaction: Redaction
    /// The key that saves the body.
    var saveKey: String

    /// The size of a body from which the value is not laid out, because that happens whenever the tab is drawn.
    private static let largest = 256 << 10

    var lines: [ResponseLine] {
        guard let value = exchange.value else { return [] }
        guard (exchange.response?.body.count ?? 0) <= Self.largest else {
            let limit = ByteText.amount(Int64(Self.largest))
            return [ResponseLine([Span("The value of a body above \(limit) is not shown; \(saveKey) saves the body.", .muted)])]
        }
        let text = redaction.maskedBody(value.text, contentType: "application/json")
        return (JSONText.pretty(text) ?? text).split(separator: "\n").map { ResponseLine([Span(String($0))], copy: String($0)) }
    }
}
