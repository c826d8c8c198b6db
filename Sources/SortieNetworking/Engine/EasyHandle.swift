internal import CCurl
internal import SortieHTTP

/// Owns one `CURL *` and all memory that libcurl borrows while the handle is in use.
///
/// Confined to the engine's thread and therefore not `Sendable`. Handles are reused after ``reset()``, because
/// creating one per request costs a third of the throughput of small requests. No state of a request remains: cookies
/// are stored outside libcurl, and options are kept only where the next request has the same ``HandleOptions``.
final class EasyHandle {
    let raw: UnsafeMutableRawPointer
    /// The buffer for libcurl's error message.
    let errorText: UnsafeMutablePointer<CChar>
    private var lists: [OptionList] = []
    private var mime: OpaquePointer?
    /// The options that the handle is configured with; nil after a reset.
    var profile: HandleOptions?
    /// Whether options were set since the handle was created or reset.
    var isConfigured = false

    init?() {
        guard let raw = curl_easy_init() else { return nil }
        self.raw = raw
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        // The handle points to the lists, so they are freed after it.
        curl_easy_cleanup(raw)
        freeBorrowed()
        errorText.deallocate()
    }

    /// Resets every option and frees the borrowed memory; has no effect on a new handle.
    func reset() {
        guard isConfigured else { return }
        curl_easy_reset(raw)
        isConfigured = false
        freeBorrowed()
        profile = nil
        errorText[0] = 0
    }

    private func freeBorrowed() {
        lists.removeAll(keepingCapacity: true)
        if let mime { curl_mime_free(mime) }
        mime = nil
    }

    func set(_ option: CURLoption, _ value: Int) {
        ccurl_set_long(raw, option, value)
    }

    func set(_ option: CURLoption, _ value: String) {
        // Without a copy, which the implicit conversion makes.
        value.withCString { _ = ccurl_set_string(raw, option, $0) }
    }

    func set(_ option: CURLoption, pointer: UnsafeMutableRawPointer?) {
        ccurl_set_pointer(raw, option, pointer)
    }

    func setNull(_ option: CURLoption) {
        ccurl_set_string(raw, option, nil)
    }

    /// Sets a list option.
    ///
    /// The handle keeps the list until the next reset.
    func set(_ option: CURLoption, list: OptionList) {
        guard let first = list.first else { return }
        lists.append(list)
        ccurl_set_list(raw, option, first)
    }

    /// Builds the multipart body.
    ///
    /// The parts in `files` are read while they are sent (RFC 7578).
    func setMultipart(_ parts: [RequestBody.Part], files: [BodyPart]) {
        var files = files[...]
        guard let mime = curl_mime_init(raw) else { return }
        self.mime = mime
        for part in parts {
            guard let added = curl_mime_addpart(mime) else { continue }
            switch part.content {
            case .bytes(let bytes):
                bytes.withUnsafeBytes { raw in
                    let base = raw.baseAddress.map { UnsafePointer($0.assumingMemoryBound(to: CChar.self)) }
                    // libcurl omits a part whose data pointer is null.
                    if let base { curl_mime_data(added, base, raw.count) } else { curl_mime_data(added, "", 0) }
                }
            case .file:
                guard let file = files.popFirst() else { continue }
                let context = Unmanaged.passUnretained(file).toOpaque()
                curl_mime_data_cb(added, curl_off_t(file.source.count ?? -1), TransferSink.onReadPart, TransferSink.onSeekPart, nil, context)
            }
            curl_mime_name(added, part.name)
            curl_mime_filename(added, part.fileName)
            if let type = part.sentType { curl_mime_type(added, type) }
        }
        ccurl_set_mime(raw, mime)
    }

    func long(_ info: CURLINFO) -> Int {
        var value = 0
        ccurl_get_long(raw, info, &value)
        return value
    }

    /// Whether libcurl described an error in words of its own.
    var hasErrorText: Bool { errorText[0] != 0 }

    func offset(_ info: CURLINFO) -> Int64 {
        var value: curl_off_t = 0
        ccurl_get_offset(raw, info, &value)
        return Int64(value)
    }

    func string(_ info: CURLINFO) -> String? {
        var value: UnsafePointer<CChar>?
        ccurl_get_string(raw, info, &value)
        return value.map { String(cString: $0) }
    }
}
