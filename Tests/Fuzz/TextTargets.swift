import BodyViews
import FoundationEssentials
import SortieTerminal
import WorkspaceModel

@testable import SortieBase
@testable import SortieHTTP
@testable import SortieNetworking

let textTargets: [FuzzTarget] = [
    FuzzTarget("event-stream", words: ["data:", "event:", "id:", "retry:", "\r\n", "\r", "\u{FEFF}"]) { input in
        func events(_ pieces: [[UInt8]]) -> ([EventStreamParser.Event]?, String, Int?) {
            var parser = EventStreamParser(limit: 1000)
            var events: [EventStreamParser.Event] = []
            for piece in pieces {
                guard let new = parser.take(piece) else { return (nil, parser.lastEventID, nil) }
                events += new
            }
            if let last = parser.end() { events.append(last) }
            return (events, parser.lastEventID, parser.retry)
        }
        let (whole, cut) = (events([input.bytes]), events(FuzzInput.pieces(input.bytes)))
        guard let found = whole.0 else { return try require(cut.0 == nil, "only the whole stream exceeds the limit") }
        try require(cut.0 == found && cut.1 == whole.1 && cut.2 == whole.2, "pieces give \(cut), the whole stream \(whole)")
        try require(found.reduce(0) { $0 + $1.data.count } <= input.bytes.count, "the events have more bytes than the stream")
    },
    FuzzTarget("charset", corpora: ["unicode"]) { input in
        let labels = ["gb18030", "gbk", "big5", "shift_jis", "euc-jp", "iso-2022-jp", "euc-kr", "windows-1252", "koi8-r", "utf-16le", "utf-16be"]
        guard let (label, bytes) = input.choosing(labels), let encoding = TextEncoding(label: label) else { return }
        guard let once = DecodedText(encoding, skipping: 0), let growing = DecodedText(encoding, skipping: 0) else { return }
        let whole = once.advance(over: BodyBytes(bytes), to: bytes.count, isFinal: true)
        var seen: [UInt8] = []
        for piece in FuzzInput.pieces(bytes) {
            seen += piece
            _ = growing.advance(over: BodyBytes(seen), to: seen.count, isFinal: false)
        }
        let last = growing.advance(over: BodyBytes(bytes), to: bytes.count, isFinal: true)
        try requireEqual(last.text.string(in: 0..<last.text.count), whole.text.string(in: 0..<whole.text.count), "the text of pieces in \(label)")
        try require(String(validating: whole.text.prefix(whole.text.count), as: UTF8.self) != nil, "the text in \(label) is not UTF-8")
        if let charset = ParameterCharset(named: label), whole.invalidSequences == 0 {
            let text = whole.text.string(in: 0..<whole.text.count)
            guard let encoded = try? charset.encode(text) else { return }
            try requireEqual(encoded.withUnsafeBytes { encoding.decode($0) }, text, "the text that was encoded in \(label)")
        }
    },
    FuzzTarget(
        "xml", words: ["<a>", "</a>", "<a b=\"c\"/>", "<![CDATA[", "]]>", "<!--", "-->", "<?xml version=\"1.0\"?>", "&amp;", "&#x41;", "<!DOCTYPE"]
    ) {
        input in
        guard let tree = try? XMLTree(parsing: BodyBytes(input.bytes)) else { return }
        _ = tree.json.text
        _ = try? tree.propertyList()
        _ = MarkupText.problem(in: input.text)
    },
    FuzzTarget("property-list") { input in
        guard let value = try? JSONValue(parsing: input.bytes), let text = try? PropertyListText.text(of: value) else { return }
        _ = try XMLTree(parsing: BodyBytes(Array(text.utf8))).propertyList()
    },
    FuzzTarget("environment-file", words: ["export ", "=", "'", "\"", "\\n", "${A}", "#", "\n"]) { input in
        guard let file = try? EnvironmentFile(input.bytes, file: "f") else { return }
        let lines = input.bytes.count { $0 == 0x0A || $0 == 0x0D } + 1
        for variable in file.variables {
            try require(!variable.name.isEmpty, "a variable without a name")
            try require((1...lines).contains(variable.location.line), "line \(variable.location.line) of \(lines)")
        }
    },
    FuzzTarget("amounts", longest: 64, words: ["ms", "s", "kb", "MiB", ".", "e", "-", "∞", "٣"]) { input in
        if let duration = DurationText.parse(input.text) {
            try requireEqual(DurationText.parse(DurationText.text(duration)), duration, "the duration of its text")
        }
        if let count = ByteCount(parsing: input.text) {
            try require(count.bytes >= 0, "\(count.bytes) bytes")
            try require(ByteCount(parsing: count.text) != nil, "the text \(count.text) of a number of bytes")
        }
        // Larger exponents are clamped.
        if input.text.utf8.count < 12, let decimal = JSONDecimal(parsing: input.text) {
            try requireEqual(JSONDecimal(decimal.text), decimal, "the number of its text")
        }
        _ = CalendarTime(date: input.text)
        _ = CalendarTime.seconds(ofISO8601: input.text)
    },
    FuzzTarget("percent", words: ["%41", "%", "+", "%zz"]) { input in
        for allowed in [PercentEncoding.Allowed.unreserved, .path, .query] {
            let text = PercentEncoding.encode(bytes: input.bytes, allowed: allowed)
            try require(text.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "an encoded text has other characters: \(text)")
        }
        let encoded = PercentEncoding.encode(bytes: input.bytes, allowed: .unreserved)
        try requireEqual(PercentEncoding.decodedBytes(encoded.utf8), input.bytes, "the bytes that were encoded")
        try requireEqual(Base64.bytes(Base64.text(input.bytes)), input.bytes, "the bytes in Base64")
        try requireEqual(HexDigits.bytes(HexDigits.text(input.bytes)), input.bytes, "the bytes in hexadecimal digits")
        _ = Base64.bytes(input.text)
    },
    FuzzTarget("credentials", words: ["Bearer ", "ghp_", "AKIA", "eyJhbGciOi", "-----BEGIN PRIVATE KEY-----", "password=", "sk_live_"]) { input in
        let text = input.text
        var end = 0
        for finding in CredentialValues.findings(in: text) {
            try require(finding.range.lowerBound >= end && !finding.range.isEmpty, "\(finding) overlaps the finding before it, or is empty")
            end = finding.range.upperBound
        }
        try require(end <= text.utf8.count, "a finding ends at \(end) of \(text.utf8.count)")
    },
    FuzzTarget(
        "redaction",
        words: ["s3cret-Value\"", "czNjcmV0LVZhbHVlIg==", "{\"password\":", "<token>", "--b\r\n", "&access_token=", "data: {", "Authorization: "]
    ) {
        input in
        let types = [
            "application/json", "application/x-ndjson", "application/xml", "text/html", "application/x-www-form-urlencoded", "text/event-stream",
            "multipart/form-data; boundary=b", "application/graphql", "text/plain", nil,
        ]
        guard let (type, bytes) = input.choosing(types) else { return }
        let secret = "s3cret-Value"
        let masked = Redaction(values: [secret]).maskedBody(bytes, contentType: type)
        try require(masked.firstRange(of: Array(secret.utf8)) == nil, "the secret is in \(String(decoding: masked, as: UTF8.self))")
        try require(masked.count <= 20 * bytes.count + 100, "\(bytes.count) bytes become \(masked.count)")
        if type == "application/json", (try? JSONValue(parsing: bytes)) != nil {
            try require((try? JSONValue(parsing: masked)) != nil, "the masked body is not JSON: \(String(decoding: masked, as: UTF8.self))")
        }
    },
    FuzzTarget("visible-text", corpora: ["unicode"], words: ["\u{1B}[2J", "\u{9B}", "\u{202E}", "\u{200D}", "\r\n", "👩‍🚀", "e\u{301}", "\u{AD}"]) {
        input in
        let text = VisibleText.of(input.text)
        for scalar in text.unicodeScalars where scalar != "\n" && scalar != "\t" {
            let isControl = scalar.properties.generalCategory == .control
            try require(!isControl && scalar != "\u{202E}" && scalar != "\u{2028}", "U+\(String(scalar.value, radix: 16)) is in the visible text")
        }
    },
]
