/// The result of a call without its transfer: the request that would be sent, and the decisions that lead to it.
package struct DryRun: Hashable, Sendable {
    /// The request of the first attempt, with cookies, token, parameters and signature, and with an encrypted body where the service encrypts.
    package var request: Request
    /// The header fields in the order in which they would be sent, including those of the engine.
    package var headers: Headers
    /// The body before encryption; equal to the request's body where nothing is encrypted.
    package var plainBody: RequestBody
    /// The action of the cache, as a sentence.
    package var cache: String
    /// Whether the response would come from the cache, so that nothing would be sent.
    package var isAnsweredFromCache: Bool
    /// The addresses that would be tried, in order; none where they are not known without a lookup, and for a proxy or a Unix socket.
    package var addresses: [IPAddress]
    /// The decisions about the address, tokens and cookies.
    package var decisions: [Decision]
    /// The text that the signature covers; nil where nothing is signed.
    package var signed: SignedText?
    /// Why nothing would be sent.
    package var error: NetworkError?

    /// Creates the dry run of a request, before any decision.
    package init(_ request: Request) {
        self.request = request
        headers = request.headers
        plainBody = request.body
        cache = "not used: the request has no cache:"
        isAnsweredFromCache = false
        addresses = []
        decisions = []
    }
}
