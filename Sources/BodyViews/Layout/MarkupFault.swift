/// Why the layout of XML ends.
struct MarkupFault: Error {
    var message: String
    var offset: Int

    init(_ message: String, _ offset: Int) {
        self.message = message
        self.offset = offset
    }
}
