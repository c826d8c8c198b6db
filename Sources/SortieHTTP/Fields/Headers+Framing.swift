extension Headers {
    /// Why these fields must not frame a request, or nil when they may: two statements of where the body ends are how requests are smuggled
    /// (RFC 9112 §6.3).
    package var framingProblem: String? {
        if contains("Transfer-Encoding") { return "Sortie sets Transfer-Encoding; remove the header" }
        let lengths = values(of: "Content-Length")
        if lengths.count > 1 { return "the request has \(lengths.count) Content-Length fields; remove them, Sortie sets the field" }
        return nil
    }
}
