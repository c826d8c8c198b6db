/// The name under which a download is kept, from what the server and the URL say; never a path, never hidden, never too long (S2.37).
public enum DownloadName {
    /// The most bytes that a name may have, so that ours beside it have room, too: file systems take 255.
    public static let mostBytes = 240

    /// The name where nothing gives one (S2.37).
    public static let unnamed = "未命名文件"

    /// The name for an answer: `Content-Disposition` (`filename*` first), else the URL's last segment, else ``unnamed``.
    public static func name(headers: Headers, url: HTTPURL) -> String {
        headers["Content-Disposition"].flatMap { disposition($0) }.flatMap { sanitized($0) } ?? name(of: url)
    }

    /// The name that the URL gives.
    public static func name(of url: HTTPURL) -> String {
        let segment = url.path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        return sanitized(PercentEncoding.decode(segment)) ?? unnamed
    }

    /// The name in a `Content-Disposition` (RFC 6266 §4.3): `filename*` before `filename`, as it is written.
    public static func disposition(_ value: String) -> String? {
        var plain: String?
        var extended: String?
        for (name, value) in parameters(of: value) {
            if name == "filename*", extended == nil { extended = extendedValue(value) }
            if name == "filename", plain == nil { plain = value }
        }
        return extended ?? plain
    }

    /// A name that can be given to a file in a folder and stays there; nil where nothing is left of it.
    public static func sanitized(_ name: String) -> String? {
        // Both separators, because names come from other systems, too.
        let last = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init) ?? ""
        var scalars = String.UnicodeScalarView(last.unicodeScalars.filter { !isUnwanted($0) })
        while let first = scalars.first, first == "." || first == " " { scalars.removeFirst() }
        while let end = scalars.last, end == "." || end == " " { scalars.removeLast() }
        let clean = String(scalars)
        return clean.isEmpty ? nil : shortened(clean)
    }

    /// `name (n)` with the ending kept: `report (1).pdf`.
    public static func numbered(_ name: String, _ number: Int) -> String {
        let (stem, ending) = parts(of: name)
        return "\(stem) (\(number))\(ending)"
    }

    /// Control characters, and those that turn text around or hide in it, so that a name never looks like another one.
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

    /// At most ``mostBytes`` of UTF-8, the ending kept and no character cut.
    private static func shortened(_ name: String) -> String {
        guard name.utf8.count > mostBytes else { return name }
        var (stem, ending) = parts(of: name)
        while stem.utf8.count + ending.utf8.count > mostBytes, !stem.isEmpty { stem.removeLast() }
        return String(stem + ending)
    }

    /// The parameters after the type, names in lower case, quoted strings without their quotes (RFC 9110 §5.6.6).
    private static func parameters(of value: String) -> [(name: String, value: String)] {
        var result: [(String, String)] = []
        var rest = value[...]
        while let semicolon = rest.firstIndex(of: ";") {
            rest = rest[rest.index(after: semicolon)...].drop(while: \.isWhitespace)
            let name = rest.prefix { $0 != "=" && $0 != ";" }
            rest = rest[name.endIndex...]
            guard rest.first == "=" else { continue }
            rest = rest.dropFirst().drop(while: \.isWhitespace)
            let text: String
            if rest.first == "\"" {
                (text, rest) = quoted(rest.dropFirst())
            } else {
                let token = rest.prefix { $0 != ";" }
                rest = rest[token.endIndex...]
                text = String(token.reversed().drop(while: \.isWhitespace).reversed())
            }
            result.append((name.lowercased().filter { !$0.isWhitespace }, text))
        }
        return result
    }

    private static func quoted(_ text: Substring) -> (String, Substring) {
        var result = ""
        var index = text.startIndex
        while index < text.endIndex, text[index] != "\"" {
            // A backslash before anything but a quote or itself is one that a careless server left in a path.
            let next = text.index(after: index)
            if text[index] == "\\", next < text.endIndex, text[next] == "\"" || text[next] == "\\" { index = next }
            result.append(text[index])
            index = text.index(after: index)
        }
        return (result, text[index...].dropFirst())
    }

    /// `UTF-8'language'percent-encoded` (RFC 8187 §3.2); nil when it is not that.
    private static func extendedValue(_ value: String) -> String? {
        let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        let bytes = PercentEncoding.decodedBytes(parts[2].utf8)
        switch parts[0].lowercased() {
        case "utf-8": return String(validating: bytes, as: UTF8.self)
        case "iso-8859-1": return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        default: return nil
        }
    }
}
