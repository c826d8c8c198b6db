package import SortieHTTP

extension Client {
    /// The fields that every request carries where it has none of that name; what depends on its URL and body comes beside them.
    package static func standardHeaders(_ fields: StandardFields) -> [HeaderField] {
        fields.fields + [HeaderField("Accept", "*/*"), HeaderField("Accept-Encoding", ContentCoding.offer)]
    }
}
