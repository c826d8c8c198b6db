internal import Foundation
internal import SortieBase

/// Derives the file name of a download from the response and the URL.
///
/// The name is never a path, never hidden, never too long, and never that of a file that Sortie keeps beside a download.
package enum DownloadName {
    /// The largest length of a name in UTF-8 bytes.
    ///
    /// File systems permit 255; the rest is for the suffixes of the files beside it.
    package static let mostBytes = 240

    /// The name for a response: from `Content-Disposition` (`filename*` first), else the last segment of the URL,
    /// else `unnamed`.
    package static func name(headers: Headers, url: HTTPURL, otherwise unnamed: String) -> String {
        headers["Content-Disposition"].flatMap { disposition($0) }.flatMap { sanitized($0) } ?? name(of: url, otherwise: unnamed)
    }

    /// The name from the last path segment of a URL, else `unnamed`.
    package static func name(of url: HTTPURL, otherwise unnamed: String) -> String {
        let segment = url.path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).last ?? url.path.utf8[...]
        return sanitized(PercentEncoding.decode(Substring(segment))) ?? unnamed
    }

    /// The unsanitized name in a `Content-Disposition` (RFC 6266 §4.3): `filename*` before `filename`.
    ///
    /// As in browsers, the type of the disposition may be missing.
    package static func disposition(_ value: String) -> String? {
        var plain: String?
        var extended: String?
        for (name, value) in FieldParameters(of: ";" + value, keepsBackslashes: true).all {
            if name == "filename*", extended == nil { extended = extendedValue(value) }
            if name == "filename", plain == nil { plain = plainValue(value) }
        }
        return extended ?? plain
    }

    /// A safe file name without any folder; nil where no characters remain.
    ///
    /// Unwanted scalars are removed before the name is split, and it is split by scalars: a zero-width joiner or a
    /// combining mark after a slash forms one `Character` with it, which is not equal to a slash.
    package static func sanitized(_ name: String) -> String? {
        let wanted = String.UnicodeScalarView(name.unicodeScalars.filter { !isUnwanted($0) })
        // Both separators, because names also come from Windows.
        var scalars = wanted.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""[...].unicodeScalars
        while let first = scalars.first, first == "." || first == " " { scalars.removeFirst() }
        scalars = withoutEnd(scalars)
        // A long name may be cut before a period.
        return scalars.isEmpty ? nil : unlikePart(String(withoutEnd(shortened(String(scalars)).unicodeScalars[...])))
    }

    /// The endings of the files that are written beside a download or another file until it is complete.
    private static let endingsOfParts = [".part", ".part.json", ".json.tmp", ".partial"]

    /// A name whose last period is `_` where it is otherwise that of a part or a manifest, which a later download of another server would continue.
    private static func unlikePart(_ name: String) -> String {
        // Some file systems do not distinguish cases. A period can form one `Character` with the scalar before it.
        let end = name.lowercased().utf8.reversed()
        var scalars = name.unicodeScalars
        guard endingsOfParts.contains(where: { end.starts(with: $0.utf8.reversed()) }), let period = scalars.lastIndex(of: ".") else { return name }
        scalars.replaceSubrange(period...period, with: CollectionOfOne("_"))
        return String(scalars)
    }

    /// A name without periods and spaces at its end.
    private static func withoutEnd(_ scalars: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView {
        var scalars = scalars
        while let end = scalars.last, end == "." || end == " " { scalars.removeLast() }
        return scalars
    }

    /// `name (n)` before the extension, at most ``mostBytes`` long: `report (1).pdf`.
    package static func numbered(_ name: String, _ number: Int) -> String {
        let (stem, ending) = parts(of: name)
        return shortened(stem, ending: " (\(number))\(ending)")
    }

    /// Control and format characters, which can reverse or hide text and make a name look like another one.
    private static func isUnwanted(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
        default: false
        }
    }

    private static func parts(of name: String) -> (stem: Substring, ending: Substring) {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex, name[dot...].utf8.count <= 16 else { return (name[...], "") }
        return (name[..<dot], name[dot...])
    }

    /// The name of a file beside one with `name`, which has a further ending; shortened where that would be longer than file systems permit.
    ///
    /// A shortened name has a digest of the whole one, so that the files beside two long names are different.
    ///
    /// - Parameter room: The number of bytes that further endings need.
    package static func beside(_ name: String, _ ending: String, room: Int = 0) -> String {
        guard name.utf8.count + ending.utf8.count + room > longest else { return name + ending }
        let digest = HexDigits.text(HashFunction.sha256.digest(of: Array(name.utf8))).prefix(16)
        return shortened(name[...], ending: "~\(digest)\(ending)")
    }

    /// The path of the file beside the one at `path`; see ``beside(_:_:room:)``.
    package static func path(beside path: String, _ ending: String, room: Int = 0) -> String {
        let name = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[path.utf8.index(after: $0)...] } ?? path[...]
        return path[..<name.startIndex] + beside(String(name), ending, room: room)
    }

    /// The path of the part of a download to a file; that of its manifest has `.json` after it, and `.json.tmp` while it is written.
    package static func part(of file: String) -> String { path(beside: file, ".part", room: ".json.tmp".utf8.count) }

    /// The largest length of a name in file systems in bytes.
    private static let longest = 255

    private static func shortened(_ name: String) -> String {
        let (stem, ending) = parts(of: name)
        return shortened(stem, ending: String(ending))
    }

    /// Limits the name to ``mostBytes`` of UTF-8; keeps the extension and whole characters.
    private static func shortened(_ stem: Substring, ending: String) -> String {
        let most = mostBytes - ending.utf8.count
        var cut = stem
        while cut.utf8.count > most, !cut.isEmpty { cut.removeLast() }
        // A single character with very many marks is cut by scalars; a name that consists of the extension alone
        // would be hidden.
        if cut.isEmpty {
            var scalars = stem.unicodeScalars
            while Substring(scalars).utf8.count > most { scalars.removeLast() }
            cut = Substring(scalars)
        }
        return cut + ending
    }

    /// The text of `filename`: an encoded word (RFC 2047) and percent-encoded UTF-8, which the field may not have, are read as browsers do.
    private static func plainValue(_ value: String) -> String {
        let parts = value.split(separator: "?", omittingEmptySubsequences: false)
        if parts.count == 5, parts[0] == "=", parts[4] == "=" {
            let bytes: [UInt8]? =
                switch parts[2].lowercased() {
                case "b": Base64.bytes(String(parts[3]))
                case "q":
                    PercentEncoding.decodedBytes(
                        parts[3].replacing("%", with: "%25").replacing("=", with: "%").replacing("_", with: " ").utf8)
                default: nil
                }
            if let text = bytes.flatMap({ text($0, charset: parts[1]) }) { return text }
        }
        return value.contains("%") ? text(PercentEncoding.decodedBytes(value.utf8), charset: "utf-8") ?? value : value
    }

    /// Parses `UTF-8'language'percent-encoded` (RFC 8187 §3.2); nil for other forms and charsets.
    private static func extendedValue(_ value: String) -> String? {
        let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        return parts.count == 3 ? text(PercentEncoding.decodedBytes(parts[2].utf8), charset: parts[0]) : nil
    }

    private static func text(_ bytes: [UInt8], charset: Substring) -> String? {
        switch charset.lowercased() {
        case "utf-8": String(validating: bytes, as: UTF8.self)
        case "iso-8859-1": String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        default: BodyCharset(label: String(charset)).map { charset in bytes.withUnsafeBytes { TextEncoding.other(charset).decode($0) } }
        }
    }
}
