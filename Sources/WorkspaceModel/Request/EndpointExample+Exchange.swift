internal import SortieBase
package import SortieHTTP

extension EndpointExample {
    /// Why an exchange cannot be an example of an endpoint.
    package enum ExchangeProblem: Error, Hashable, Sendable {
        case noResponse
        /// The exchange had another method or path.
        case otherRequest
        case incompleteBody
        /// The body has more bytes than the number.
        case largeBody(Int)
        case binaryBody
    }

    /// The largest body in bytes; a longer one makes the file of the endpoint hard to read.
    private static let largestBody = 64 << 10

    /// Creates an example of an exchange, without a name and without credentials, which files of workspaces do not have.
    ///
    /// - Parameters:
    ///   - isComplete: Whether the whole body of the response is there.
    ///   - redaction: What is masked.
    package init(
        of exchange: Exchange, isComplete: Bool, for endpoint: Endpoint, masked redaction: Redaction
    ) throws(ExchangeProblem) {
        guard let response = exchange.response else { throw .noResponse }
        if let problem = Self.problem(of: exchange, isComplete: isComplete, for: endpoint) { throw problem }
        self.init("", response: .init(statuses: response.status...response.status))
        self.response.headers = Response.fields(of: redaction.masked(response.headers))
        if let text = response.text, !text.isEmpty {
            let type = response.headers.values(of: "Content-Type").last
            let masked = redaction.maskedBody(text, contentType: type)
            let isJSON = type.flatMap { MediaType($0) }?.essence == "application/json" && JSONText.problem(in: masked) == nil
            // The text is kept as UTF-8, whatever coding the response had.
            let textType = type.map { $0.lowercased().contains("charset") ? "\(MediaType($0)?.essence ?? "text/plain"); charset=utf-8" : $0 }
            self.response.body = isJSON ? .json(masked) : .text(masked, contentType: textType)
            self.response.headers.removeAll { $0.name.lowercased() == "content-type" }
        }
        let values = endpoint.pathValues(in: exchange.request.url).sorted { $0.key < $1.key }
        // A masked value would match no request.
        request.path = values.map { Parameter($0.key, redaction.masked($0.value)) }.filter { !$0.value.contains(HeaderField.mask) }
    }

    /// Why an exchange cannot be an example of an endpoint; nil where it can.
    package static func problem(of exchange: Exchange, isComplete: Bool, for endpoint: Endpoint) -> ExchangeProblem? {
        guard let response = exchange.response else { return .noResponse }
        guard !RequestChange(since: exchange.request, to: endpoint).isOtherRequest else { return .otherRequest }
        guard isComplete, response.truncation == nil else { return .incompleteBody }
        guard response.body.count <= largestBody else { return .largeBody(largestBody) }
        return response.text == nil && !response.body.isEmpty ? .binaryBody : nil
    }

    /// The first name that no example of an endpoint has: the status, then the status with a number.
    package static func freeName(status: Int, in endpoint: Endpoint) -> String {
        let taken = Set(endpoint.examples.map(\.name))
        return (["\(status)"] + (2...taken.count + 2).map { "\(status)-\($0)" }).first { !taken.contains($0) } ?? ""
    }
}
