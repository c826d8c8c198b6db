import FoundationEssentials

@testable import SortieBase
@testable import SortieHTTP
@testable import SortieNetworking

private let now = Date(timeIntervalSince1970: 1_800_000_000)
private let page = HTTPURL(scheme: .https, host: "www.example.com", path: "/a/b")

let fieldTargets: [FuzzTarget] = [
    FuzzTarget(
        "response-head", corpora: ["http-hostile"], words: ["HTTP/1.1 200 OK\r\n", "\r\n", ": ", "Content-Length: ", "Content-Encoding: ", "\r\n\t"]
    ) {
        input in
        var header = HeaderBytes()
        var line: [UInt8] = []
        for byte in input.bytes {
            line.append(byte)
            guard byte == UInt8(ascii: "\n") else { continue }
            _ = line.withUnsafeBytes { header.take($0) }
            line = []
        }
        _ = line.withUnsafeBytes { header.take($0) }
        let block = header.block
        // A field that would change how the body is read must not be missed by the look that parses nothing.
        let hasCodings = block.headers.contains("Content-Encoding") || block.headers.contains("Transfer-Encoding")
        try require(!hasCodings || header.mayHaveCodings, "the codings of \(block.headers) are missed")
        let lengths = block.headers.values(of: "Content-Length")
        let isLength = lengths.count < 2 && lengths.allSatisfy { $0.isEmpty || Int64($0) != nil && $0.utf8.allSatisfy(ASCII.isDigit) }
        try require(isLength || header.mayHaveInvalidLength, "\(lengths) counts as one length")
        let size = block.headers.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        try require(size <= 3 * input.bytes.count, "\(input.bytes.count) bytes become \(size)")
    },
    FuzzTarget("challenge", words: ["Basic ", "Digest ", "Bearer ", "realm=", "nonce=", "qop=\"auth,auth-int\"", ", ", "\\\""]) { input in
        _ = AuthChallenge.all(in: ["WWW-Authenticate": input.text])
        // A challenge after any other one is found.
        let other = AuthChallenge.all(in: ["WWW-Authenticate": "Digest realm=\(FieldParameters.quoted(input.text)), Bearer realm=\"x\""])
        try requireEqual(other.map(\.scheme), ["Digest", "Bearer"], "the schemes after a quoted text")
    },
    FuzzTarget("field-parameters", words: [";", "=", "\"", "\\", "charset=utf-8", "boundary="]) { input in
        let text = input.text
        try requireEqual(
            FieldParameters(of: "a; b=\(FieldParameters.quoted(text)); c=d").all.map(\.value), [text, "d"], "the value of a quoted string")
        let found = FieldParameters(of: text).all.reduce(0) { $0 + $1.value.utf8.count }
        try require(found <= text.utf8.count, "the parameters have more bytes than the field")
        let type = ContentType(text)
        _ = (MediaType(text), type.kind, type.encoding, type.notice(kind: .text, encoding: .utf8))
    },
    FuzzTarget("content-disposition", words: ["attachment; ", "filename=", "filename*=UTF-8''", "%2F", "..", "\u{202E}", ".tar.gz"]) { input in
        let name = DownloadName.name(headers: ["Content-Disposition": input.text], url: page, otherwise: "x")
        try checkName(name)
        try checkName(DownloadName.numbered(name, 1000))
        if let sanitized = DownloadName.sanitized(input.text) {
            try requireEqual(DownloadName.sanitized(sanitized), sanitized, "a name that is safe")
        }
    },
    FuzzTarget(
        "content-range", words: ["bytes ", "*/", "-", "/", "9223372036854775807", "206", "416", "200", "\n", "ETag: ", "\"a\"", "Content-Range: "]
    ) {
        input in
        if case .part(let first, let last, let total)? = ContentRange(input.text) {
            try require(0 <= first && first <= last && last < (total ?? .max), "\(first)-\(last)/\(String(describing: total))")
        }
        let (line, rest) = input.headed
        var headers = HeaderBlock(reading: Array("HTTP/1.1 200 OK\r\n".utf8) + rest).headers
        if headers.fields.count > 20 { headers.fields.removeLast(headers.fields.count - 20) }
        for status in [200, 206, 304, 412, 416, 503] {
            for request in [
                RangeRequest(offset: nil, committed: 0, total: nil, validator: EntityValidator(headers), isConditional: false),
                RangeRequest(offset: 900, committed: 1000, total: 5000, validator: EntityValidator(["ETag": line]), isConditional: true),
            ] {
                let decision = RangeDecision(to: request, status: status, headers: headers, mayAskAgain: true)
                guard case .append(let first, let end, _) = decision else { continue }
                try require(first <= (request.offset ?? 0) && (end ?? .max) > first, "\(decision) for \(request)")
            }
        }
        _ = FileDigest(headers, isWhole: true)
    },
    FuzzTarget("dates", longest: 128, words: ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94", "Jan", "GMT", ":", "-"]) { input in
        if let date = HTTPDate(input.text) {
            let text = CalendarTime(secondsSince1970: Double(date.seconds)).httpDate
            try requireEqual(HTTPDate(text), date, "the date of its text \(text)")
        }
        if let date = CookieDate.parse(input.text) {
            let text = CalendarTime(secondsSince1970: date.timeIntervalSince1970).httpDate
            try requireEqual(CookieDate.parse(text), date, "the date of its text \(text)")
        }
        if let wait = RetryAfter.seconds(in: ["Retry-After": input.text], now: HTTPDate(seconds: 1_800_000_000)) {
            try require(wait >= 0 && wait.isFinite, "a wait of \(wait)")
        }
        if let seconds = CalendarTime.seconds(ofISO8601: input.text) { try require(seconds.isFinite, "\(seconds)") }
    },
    FuzzTarget(
        "set-cookie", corpora: ["cookies"], words: ["; Path=/", "; Domain=", "example.com", "; Max-Age=", "; Expires=", "; Secure", "__Host-"]
    ) { input in
        var cookies = Cookies()
        for field in input.text.split(separator: "\n") {
            guard let cookie = cookies.take(String(field), from: page, at: now).cookie else { continue }
            let pair = cookie.name + "=" + cookie.value
            try require(pair.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }, "the cookie \(pair) has control characters")
            try require(cookie.name.utf8.count + cookie.value.utf8.count <= SetCookie.largest, "the cookie is too long")
        }
        for cookie in cookies.cookies(for: page, at: now) {
            try require(cookie.matches(page) && !cookie.isExpired(at: now), "\(cookie) is not for \(page)")
        }
    },
    FuzzTarget("cookie-file", words: ["#HttpOnly_", "\t", "TRUE", "FALSE", "www.example.com\tFALSE\t/\tFALSE\t0\ta\tb\n"]) { input in
        let file = NetscapeCookies(parsing: input.bytes, at: now)
        let again = NetscapeCookies(parsing: Array(file.bytes), at: now)
        try requireEqual(again.cookies, file.cookies, "the cookies of the written file")
        for line in file.otherLines { try require(again.otherLines.contains(line), "a line is lost: \(String(decoding: line, as: UTF8.self))") }
    },
    FuzzTarget("url", corpora: ["url"], words: ["http://", "https://", "[::1]", "@", ":", "%2e%2e/", "\\", "?", "#", "//", "xn--", "。"]) { input in
        let text = input.text
        if let url = try? HTTPURL(parsing: text) {
            let again = try HTTPURL(parsing: url.description)
            var plain = url
            plain.credentials = nil
            var plainAgain = again
            plainAgain.credentials = nil
            try requireEqual(plainAgain, plain, "the URL of its text")
            try require(url.path.hasPrefix("/") && url.description.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "the text of the URL is \(url)")
        }
        if let url = try? page.resolving(reference: text) {
            try requireEqual(page.resolving(reference: url.description).description, url.description, "a reference that is a whole URL")
        }
        _ = try? HTTPURL.joining(base: "http://h/a", path: text)
    },
    FuzzTarget(
        "proxy-script", longest: 2048,
        words: [
            "function FindProxyForURL(url, host) {", "return ", "if (", ") ", "else ", "for (var i = 0; ", "i++", " in ", "switch (host) { case ",
            "var ", "host", "url", "'DIRECT'", "PROXY a:1", "shExpMatch(", "dnsDomainIs(", "isInNet(", "timeRange(", ".substring(", ".split('.')",
            "[0]",
            " + ", " || ", " == ", "`${", "/a+/.test(", "=> ",
        ]
    ) { input in
        guard let script = try? JavaScriptScript(input.text, file: "p") else { return }
        let surroundings = ProxyScriptSurroundings(ownAddress: "10.1.2.3", time: 1_800_000_000, utcOffset: 3600)
        func result() -> [String] {
            do { return try script.routes(for: page, surroundings).map(\.description) } catch { return ["\(error)"] }
        }
        try requireEqual(result(), result(), "the result of the second evaluation")
    },
    FuzzTarget("proxy", longest: 512, words: ["http://", "socks5h://", "10.0.0.0/8", "*", ".example.com", ":8080", ",", "[::1]"]) { input in
        if let proxy = try? Proxy(input.text) { try requireEqual(Proxy(proxy.description).description, proxy.description, "the proxy of its text") }
        for exception in (try? ProxyException.list(input.text)) ?? [] { _ = exception.matches("10.1.2.3", port: 80) }
        if let address = IPAddress(input.text) {
            try requireEqual(IPAddress(address.description), address, "the address of its text")
            try requireEqual(IPAddress(bytes: address.bytes), address, "the address of its bytes")
        }
        _ = HostPattern(input.text)?.matches("www.example.com")
        _ = EnvironmentProxies(["http_proxy": input.text, "NO_PROXY": input.text])
    },
    FuzzTarget("parameters", words: ["a=b", "&", "=", "%26", "+", "[]", "a[b]=c"]) { input in
        let text = input.text
        let pairs = ParameterPair.pairs(of: text)
        try require(pairs.count <= text.utf8.count { $0 == UInt8(ascii: "&") } + 1, "\(pairs.count) pairs of \(text)")
        let written = try ParameterEncoding().text(of: pairs, allowed: .unreserved)
        try requireEqual(ParameterPair.pairs(of: written), pairs, "the pairs of their text")
        let sorted = SignedParameterOrder.sorted(text)
        try requireEqual(SignedParameterOrder.sorted(sorted), sorted, "pairs that are in order")
    },
]

private func checkName(_ name: String) throws {
    try require(!name.isEmpty && name.utf8.count <= 255 && !name.hasPrefix("."), "the name \(name)")
    for scalar in name.unicodeScalars {
        try require(scalar != "/" && scalar != "\\" && scalar.properties.generalCategory != .control, "the name \(name) has U+\(scalar.value)")
    }
}
