/// A media type, as in `Content-Type` (RFC 9110 §8.3.1).
package struct MediaType: Hashable, Sendable {
    /// The `type/subtype` in lowercase.
    package var essence: String

    /// Parses a field value, whose parameters are ignored; nil when it has no `type/subtype`.
    package init?(_ value: String) {
        guard let first = value.split(separator: ";").first?.trimmingBlanks, first.contains("/") else { return nil }
        essence = first.lowercased()
    }

    /// Whether it is JSON or a format built on JSON (RFC 6839 §3.1).
    package var isJSON: Bool {
        essence == "application/json" || essence == "text/json" || essence.hasSuffix("+json")
    }

    /// The usual media type of a file, by its extension; `application/octet-stream` when unknown.
    package static func forFile(named name: String) -> String {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return octetStream }
        return byEnding[name[name.index(after: dot)...].lowercased()] ?? octetStream
    }

    /// The media type of bytes of unknown kind.
    package static let octetStream = "application/octet-stream"

    private static let byEnding = [
        "json": "application/json", "txt": "text/plain", "html": "text/html", "htm": "text/html", "css": "text/css",
        "csv": "text/csv", "md": "text/markdown", "xml": "application/xml", "yaml": "application/yaml", "yml": "application/yaml",
        "plist": "application/x-plist", "js": "text/javascript", "rtf": "application/rtf", "pdf": "application/pdf",
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp", "avif": "image/avif",
        "heic": "image/heic", "bmp": "image/bmp", "tif": "image/tiff", "tiff": "image/tiff", "ico": "image/vnd.microsoft.icon",
        "svg": "image/svg+xml", "zip": "application/zip", "gz": "application/gzip", "tar": "application/x-tar", "7z": "application/x-7z-compressed",
        "mp3": "audio/mpeg", "m4a": "audio/mp4", "ogg": "audio/ogg", "wav": "audio/wav", "flac": "audio/flac",
        "mp4": "video/mp4", "mov": "video/quicktime", "webm": "video/webm", "wasm": "application/wasm", "woff2": "font/woff2",
        "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    ]
}
