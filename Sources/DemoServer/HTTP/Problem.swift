/// A request that cannot be served: the status to answer with and the sentence that says why.
struct Problem: Error {
    let status: Int
    /// The business code of the envelope; the status unless a route says otherwise.
    let code: Int
    let message: String
    let headers: [(String, String)]

    init(_ status: Int, _ message: String, code: Int? = nil, headers: [(String, String)] = []) {
        self.status = status
        self.code = code ?? status
        self.message = message
        self.headers = headers
    }
}
