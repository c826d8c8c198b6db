package import SortieHTTP

extension Client {
    /// The fields that every request carries where it has none of that name; what depends on its URL and body comes beside them.
    package static var standardHeaders: [HeaderField] {
        StandardFields().fields + [HeaderField("Accept", "*/*"), HeaderField("Accept-Encoding", ContentCoding.offer)]
    }
}
