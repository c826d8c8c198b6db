internal import CCurl

/// The content encodings that this libcurl can decode.
enum ContentEncodings {
    /// The value of `Accept-Encoding`, made once instead of by libcurl for every request.
    static let supported: String = {
        let features = ccurl_version().pointee.features
        var names = ["deflate", "gzip"]
        if features & Int32(CURL_VERSION_BROTLI) != 0 { names.append("br") }
        if features & Int32(CURL_VERSION_ZSTD) != 0 { names.append("zstd") }
        return names.joined(separator: ", ")
    }()
}
