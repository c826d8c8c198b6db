package import SortieHTTP

extension Client {
    /// The fields that every request carries where it has none of that name; what depends on its URL and body comes beside them.
    package static var standardHeaders: [HeaderField] {
        [
            HeaderField("User-Agent", RequestFields.userAgent), HeaderField("Accept", "*/*"),
            HeaderField("Accept-Encoding", ContentCoding.offer),
        ]
    }
}
