internal import CCurl

/// A list of lines for an option of libcurl, which handles with the same lines share.
///
/// libcurl only reads it. Used on the engine's thread only.
final class OptionList {
    /// The first element; nil for an empty list.
    let first: UnsafeMutablePointer<curl_slist>?

    init(_ lines: [String]) {
        var list: UnsafeMutablePointer<curl_slist>?
        for line in lines {
            guard let longer = curl_slist_append(list, line) else { continue }
            list = longer
        }
        first = list
    }

    deinit { curl_slist_free_all(first) }
}
