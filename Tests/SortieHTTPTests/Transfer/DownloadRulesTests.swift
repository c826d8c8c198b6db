import SortieHTTP
import Support
import Testing

struct DownloadRulesTests {
    // MARK: Validators

    @Test(arguments: [("\"a\"", true), ("W/\"a\"", false), ("\"\"", false), ("abc", false)])
    func `only a strong, complete tag is a validator`(tag: String, isStrong: Bool) {
        let headers: Headers = [HeaderField("ETag", tag), HeaderField("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")]
        #expect(EntityValidator(headers) == (isStrong ? .strong(tag) : .none))
    }

    @Test(arguments: [("08:49:37", EntityValidator.none), ("08:50:36", .none), ("08:50:37", .lastModified("Sun, 06 Nov 1994 08:49:37 GMT"))])
    func `a date is a validator when it was at least a minute old`(time: String, validator: EntityValidator) {
        let headers: Headers = [
            HeaderField("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT"), HeaderField("Date", "Sun, 06 Nov 1994 \(time) GMT"),
        ]
        #expect(EntityValidator(headers) == validator)
    }

    @Test(arguments: ["bytes 0-0/*", "bytes 5-9/10", "BYTES 5-9/10"]) func `ranges are parsed`(text: String) {
        #expect(ContentRange(text) != nil)
    }

    @Test(arguments: ["", "bytes", "bytes 1-0/5", "bytes 0-5/5", "bytes -1-5/9", "bytes 0-9223372036854775808/*", "bytes 0-1", "bytes 0-1/5/6"])
    func `contradictory ranges are rejected`(text: String) {
        #expect(ContentRange(text) == nil)
    }

    // MARK: Names (S2.37)

    @Test(arguments: [
        ("attachment; filename=\"a b.bin\"", "a b.bin"), ("attachment; filename=plain.txt", "plain.txt"),
        ("attachment; filename=\"x\"; filename*=UTF-8''%E6%8A%A5%E5%91%8A.bin", "报告.bin"),
        ("attachment; filename*=iso-8859-1'en'%A3.txt", "£.txt"), ("attachment; filename=\"a\\\"b\"", "a\"b"),
        ("attachment; filename*=GBK''%D6%D0%CE%C4.txt", "中文.txt"), ("filename=\"dog.jpg\"", "dog.jpg"),
        ("inline; filename=\"%EC%82%AC_1.jpg\"", "사_1.jpg"), ("attachment; filename=\"50%.txt\"", "50%.txt"),
        ("attachment; filename=\"=?UTF-8?B?w5xiZXI=?=\"", "Über"), ("attachment; filename=\"=?iso-8859-1?q?a_=FC%.pdf?=\"", "a ü%.pdf"),
        ("attachment; filename*=klingon''x; filename=y", "y"), ("attachment; filename=\"a;b.txt\" ; size=3", "a;b.txt"),
    ])
    func `the server's file name is parsed`(value: String, name: String) {
        #expect(DownloadName.disposition(value) == name)
    }

    @Test(
        arguments: [
            ("../../etc/passwd", "passwd"), ("..", nil), ("/", nil), ("", nil), ("C:\\Windows\\evil.exe", "evil.exe"), (".bashrc", "bashrc"),
            ("/\u{200D}..\u{200D}/\u{200D}pwned", "pwned"), ("..\u{200D}/..\u{200D}/.profile", "profile"), ("../\u{301}x", "\u{301}x"),
            ("a\u{600}/..\\\u{600}/\u{301}b", "\u{301}b"), ("a\u{0}b\nc", "abc"), ("x\u{202E}gpj.exe", "xgpj.exe"), (" . name . ", "name"),
            ("...", nil),
        ] as [(String, String?)])
    func `a hostile file name stays a file name`(text: String, name: String?) {
        #expect(DownloadName.sanitized(text) == name)
    }

    @Test(arguments: [
        ("slow.iso.part", "slow.iso_part"), ("slow.iso.part.json", "slow.iso.part_json"), ("slow.iso.part.json.tmp", "slow.iso.part.json_tmp"),
        ("a/slow.iso.PART. ", "slow.iso_PART"), ("slow.iso.par\u{200D}t", "slow.iso_part"),
        ("x\u{0D4E}.part", "x\u{0D4E}_part"), ("body.partial", "body_partial"),
        (String(repeating: "a", count: 235) + ".part" + String(repeating: "b", count: 20), String(repeating: "a", count: 235) + "_part"),
        ("disk.part1.rar", "disk.part1.rar"), ("part", "part"),
    ])
    func `a name that a server chooses is never that of a part or a manifest`(text: String, name: String) {
        #expect(DownloadName.sanitized(text) == name)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `no mixture of separators, dots and invisible characters gives a name that leads out of the folder`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = ["/", "\\", ".", "..", "\u{200D}", "\u{200B}", "\u{301}", "\u{600}", "\u{FE0F}", "\u{202E}", "\u{0}", " ", "a", "报", "👩"]
        for _ in 0..<5000 {
            let text = (0..<Int.random(in: 1...12, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            guard let name = DownloadName.sanitized(text) else { continue }
            let bytes = Array(name.utf8)
            #expect(
                !bytes.contains(0x2f) && !bytes.contains(0x5c) && !bytes.contains(0) && bytes.first != 0x2e,
                "\(text.debugDescription), seed \(seed)")
        }
    }

    @Test(arguments: [
        "attachment; filename*=UTF-8''%2F%E2%80%8D..%2F%E2%80%8Dpwned", "attachment; filename=\"/\u{200D}../\u{200D}pwned\"",
        "attachment;\u{301}filename=x; filename=pwned",
    ])
    func `a separator in a field is recognised, whatever follows it`(value: String) throws {
        let url = try HTTPURL(parsing: "http://h/f")
        #expect(DownloadName.name(headers: [HeaderField("Content-Disposition", value)], url: url, otherwise: "") == "pwned")
        #expect(DownloadName.name(of: try HTTPURL(parsing: "http://h/%2F%E2%80%8D..%2F%E2%80%8Dpwned"), otherwise: "") == "pwned")
    }

    @Test func `a truncated name keeps its extension and complete characters`() {
        let name = DownloadName.sanitized(String(repeating: "报", count: 200) + ".tar")
        #expect(name?.hasSuffix("报.tar") == true)
        #expect(name.map { $0.utf8.count <= DownloadName.mostBytes } == true)
        let stem = String(repeating: "n", count: DownloadName.mostBytes - 1)
        #expect(DownloadName.sanitized("\(stem).\(stem)") == stem, "a name does not end with a period")
    }

    @Test func `the URL determines the file name where the server sends none`() throws {
        func name(_ url: String, _ disposition: String? = nil) throws -> String {
            let headers = Headers(disposition.map { [HeaderField("Content-Disposition", $0)] } ?? [])
            return DownloadName.name(headers: headers, url: try HTTPURL(parsing: url), otherwise: "nameless")
        }
        #expect(try name("http://h/a/b%20c.iso?x=1") == "b c.iso")
        #expect(try name("http://h/a/%2e%2e%2fpasswd") == "passwd")
        #expect(try name("http://h/") == "nameless")
        #expect(try name("http://h/a", "attachment; filename=\"..\"") == "a")
        #expect(try name("http://h/a", "inline; filename=b") == "b")
    }

    @Test func `a second file gets a number before its extension`() {
        #expect(DownloadName.numbered("report.pdf", 1) == "report (1).pdf")
        #expect(DownloadName.numbered("noending", 2) == "noending (2)")
    }

    @Test func `a numbered name does not exceed the maximum length`() {
        let long = String(repeating: "a", count: DownloadName.mostBytes - 4) + ".iso"
        let name = DownloadName.numbered(long, 12)
        #expect(name.utf8.count == DownloadName.mostBytes)
        #expect(name.hasSuffix("a (12).iso"))
    }

    @Test func `a name of one character with very many marks is truncated, and does not become hidden`() throws {
        let name = try #require(DownloadName.sanitized("e" + String(repeating: "\u{301}", count: 300) + ".txt"))
        #expect(name.utf8.count <= DownloadName.mostBytes)
        #expect(name.utf8.first == UInt8(ascii: "e"))
        #expect(name.hasSuffix(".txt"))
    }

    // MARK: Manifest (S2.34)

    private var manifest: DownloadManifest {
        var manifest = DownloadManifest(key: "k", url: "http://h/f", destination: "/d/f", now: 7)
        manifest.take([HeaderField("ETag", "\"a\""), HeaderField("Content-Type", "application/zip")], total: 1000)
        manifest.committed = 400
        manifest.tailHash = "00ff"
        return manifest
    }

    @Test func `a manifest is read back unchanged`() {
        #expect(DownloadManifest(reading: Array(manifest.text.utf8)) == manifest)
        #expect(manifest.validator == .strong("\"a\""))
        #expect(manifest.text.utf8.count < 1000)
    }

    @Test func `a modified manifest is rejected`() {
        for (index, byte) in manifest.text.utf8.dropLast().enumerated() {
            var bytes = Array(manifest.text.utf8)
            bytes[index] = byte ^ 1
            #expect(DownloadManifest(reading: bytes) == nil, "byte \(index)")
        }
        #expect(DownloadManifest(reading: Array(manifest.text.utf8.prefix(100))) == nil)
        #expect(DownloadManifest(reading: []) == nil)
    }

    @Test func `fields of a later version are preserved`() throws {
        let text = #"{"v":1,"key":"k","url":"u","dest":"d","committed":5,"state":"loading","future":[1],"crc32":"deeb75ed"}"#
        var manifest = try #require(DownloadManifest(reading: Array(text.utf8)))
        manifest.committed = 6
        #expect(manifest.text.contains(#""future": [1], "crc32""#))
        #expect(DownloadManifest(reading: Array(manifest.text.utf8)) == manifest)
    }

    @Test func `a manifest with more bytes than the file is rejected, and its counts cannot overflow`() throws {
        var broken = manifest
        broken.total = 399
        #expect(DownloadManifest(reading: Array(broken.text.utf8)) == nil)
        var boastful = manifest
        (boastful.attempts, boastful.restarts) = (.max, .min)
        let read = try #require(DownloadManifest(reading: Array(boastful.text.utf8)))
        #expect(read.attempts < .max / 2)
        #expect(read.restarts == 0)
    }

    @Test func `segments are read back unchanged, and the first bytes are the synchronised ones`() {
        var segmented = manifest
        segmented.segments = [
            .init(DownloadSegment(start: 0, end: 300, received: 300), tailHash: "0a"),
            .init(DownloadSegment(start: 300, end: 700, received: 100), tailHash: "0b"),
            .init(DownloadSegment(start: 700, end: 1000), tailHash: nil),
        ]
        #expect(DownloadManifest(reading: Array(segmented.text.utf8)) == segmented)
        #expect(segmented.safeBytes == 400)
        #expect(manifest.safeBytes == 400)
    }

    @Test(arguments: [
        [DownloadSegment(start: 0, end: 500, received: 400)], [DownloadSegment(start: 0, end: 1000, received: 300)],
        [DownloadSegment(start: 0, end: 400, received: 400), DownloadSegment(start: 500, end: 1000)],
        [DownloadSegment(start: 0, end: 600, received: 400), DownloadSegment(start: 500, end: 1000)],
        [DownloadSegment(start: 0, end: 1000, received: 1001)], [DownloadSegment(start: 400, end: 1000)],
    ])
    func `segments that do not form one file are rejected`(stretches: [DownloadSegment]) {
        var broken = manifest
        broken.segments = stretches.map { .init($0, tailHash: "0a") }
        #expect(DownloadManifest(reading: Array(broken.text.utf8)) == nil)
    }

    // MARK: Identity

    @Test func `credentials and the order of parameters do not change the identity of a download`() throws {
        func identity(_ url: String, _ headers: Headers = [], to place: String = "/f") throws -> String {
            Download(Request(url: try HTTPURL(parsing: url), headers: headers), to: .file(place)).identity(destination: place)
        }
        let plain = try identity("http://h/f?a=1&b=2")
        #expect(try identity("http://h/f?b=2&a=1", [HeaderField("Authorization", "Bearer x")]) == plain)
        #expect(try identity("http://h/f?a=1&b=3") != plain)
        #expect(try identity("http://h/f?a=1&b=2", to: "/g") != plain)
        #expect(try identity("http://h/f?a=1&b=2", [HeaderField("Accept-Language", "de")]) != plain)
    }

    // MARK: Digest

    @Test func `digests are parsed from user input and from a server`() {
        let hex = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        let field = "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:"
        #expect(FileDigest(hexadecimal: hex.uppercased())?.hexadecimal == hex)
        #expect(FileDigest(hexadecimal: "00") == nil)
        #expect(FileDigest([HeaderField("Repr-Digest", "md5=:AAAA:, \(field)")], isWhole: false)?.hexadecimal == hex)
        #expect(FileDigest([HeaderField("Content-Digest", field)], isWhole: true)?.hexadecimal == hex)
        #expect(FileDigest([HeaderField("Content-Digest", field)], isWhole: false) == nil)
        #expect(FileDigest([HeaderField("Repr-Digest", "sha-256=:broken:")], isWhole: true) == nil)
    }

    // MARK: Rate

    @Test func `the rate follows the received bytes, and gives the remaining time`() throws {
        var rate = TransferRate(bytes: 1000, time: 0)
        #expect(rate.now == 0 && rate.remaining(of: 9000) == nil)
        for second in 1...20 { rate.note(bytes: 1000 + Int64(second) * 100, time: Double(second)) }
        #expect(abs(rate.now - 100) < 0.001)
        #expect(abs(rate.average - 100) < 0.001)
        #expect(try #require(rate.remaining(of: 4000)).rounded() == 10)
        for second in 21...60 { rate.note(bytes: 3000, time: Double(second)) }
        #expect(rate.now < 1 && rate.remaining(of: 4000) == nil)
        rate.note(bytes: 0, time: 61)
        #expect(rate.average == 0, "it began again")
    }
}
