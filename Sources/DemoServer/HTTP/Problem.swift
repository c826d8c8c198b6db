/// An error that becomes a response with a status and a message.
struct Problem: Error {
    let status: Int
    /// The business code of the envelope; equals the status by default.
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
