import Foundation
import SortieHTTP
import Support
import Testing

struct DebugLogBlockTests {
    private static let stars = String(repeating: "*", count: 62)

    private func block(method: String, masked: String, body: DebugLogBlock.Content = .none) -> DebugLogBlock {
        DebugLogBlock(
            service: "https://**.********.com", apiName: "/gateway", method: .get,
            parameters: [
                .init("version", "3.0"), .init("method", .string(method)), .init("bizContent", #"{"UserId":0}"#), .init("module", "appguide"),
                .init("clientVersion", "6.4.2"),
            ],
            fullRequest: """
                https://**.********.com/gateway?appId=100001&appVersion=1.0&device=iOS&deviceId=mnsdnjenrjkjke38dajdjwejd&lang=zh-cn&region=cn\
                &timeStamp=20200319174603&bizContent=%7B%22UserId%22%3A0%7D&clientVersion=6.4.2&method=\(masked)&module=appguide&version=3.0\
                &sign=99bc3ea55d28dc5c2f7a8ed0c458e9d7
                """,
            body: body)
    }

    private let requestHeaders: Headers = [
        HeaderField("User-Agent", "SSRequestDirectDemo/1.0 (iPhone; iOS 12.1; Scale/3.00)"), HeaderField("Authorization", "Bearer dskjjjjdj3dsjs"),
        HeaderField("Accept-Language", "zh-Hans-US;q=1, en;q=0.9"),
    ]

    private let responseHeaders: Headers = [
        HeaderField("Server", "nginx/1.4.6 (Ubuntu)"), HeaderField("Date", "Thu, 19 Mar 2020 09:46:04 GMT"),
        HeaderField("Content-Type", "application/json; charset=UTF-8"), HeaderField("Content-Length", "92"),
        HeaderField("Connection", "keep-alive"), HeaderField("Access-Control-Allow-Origin", "*"),
    ]

    private func document() throws -> String? {
        guard let folder = Corpora.folder()?.deletingLastPathComponent().appendingPathComponent("seeds"),
            let name = try FileManager.default.contentsOfDirectory(atPath: folder.path).first(where: { $0.hasPrefix("000_") })
        else {
            print("shared/seeds is not here; the comparison with the document is skipped")
            return nil
        }
        return try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    }

    @Test func `the request block equals that of the document, byte for byte (S0.33, S0.34, S0.35)`() throws {
        guard let document = try document() else { return }
        let text = block(method: "*********", masked: "*********").request(headers: requestHeaders, redaction: .none)
        #expect(document.contains("// 请求发出前日志\n" + text + "\n```\n"))
    }

    @Test func `the response block equals that of the document, byte for byte (S0.33, S0.34, S0.35)`() throws {
        guard let document = try document() else { return }
        let text = block(method: "HomePageManager.GetHomePageInfo", masked: "**.********")
            .response(headers: responseHeaders, data: .none, redaction: .none)
        #expect(document.contains("// 请求结束后日志\n" + text + "```\n"))
    }

    @Test func `a block is formatted with tabs and masked secrets`() {
        let block = DebugLogBlock(
            service: "http://a.example", apiName: "/login", method: .post,
            parameters: [.init("user", "demo"), .init("password", "hunter2")], fullRequest: "http://a.example/login?token=abc&page=1&sign=f00",
            body: .text(#"{"password":"hunter2","user":"demo"}"#, contentType: "application/json"))
        let text = block.response(
            headers: [HeaderField("Set-Cookie", "sid=abc"), HeaderField("X-Trace", "1-2")],
            data: .text("token=abc&a=1", contentType: "application/x-www-form-urlencoded"))
        #expect(
            text == """
                \(Self.stars)
                *                  SSRequest Response Start                  *
                \(Self.stars)

                Service:\t\thttp://a.example
                API Name:\t\t/login
                Method:\t\t\tPOST
                HeaderField:
                {
                    "Set-Cookie" = "••••";
                    "X-Trace" = "1-2";
                }
                Params:
                {
                    password = "••••";
                    user = demo;
                }
                FullRequest:
                http://a.example/login?token=••••&page=1&sign=••••

                Body Data:
                {"password":"••••","user":"demo"}
                Response Data:
                token=••••&a=1
                \(Self.stars)
                *                 SSRequest Response End                     *
                \(Self.stars)

                """)
    }

    @Test func `S0.39 further lines follow the method, and are masked`() {
        var block = DebugLogBlock(service: "https://a.example", apiName: "/", method: .get, parameters: [], fullRequest: "https://a.example/")
        block.lines = [ParameterPair("Order", "A-17"), ParameterPair("token", "s3cret")]
        let lines = "Method:\t\t\tGET\nOrder:\t\tA-17\ntoken:\t\t••••\nHeaderField:\n"
        #expect(block.request(headers: []).contains(lines))
        #expect(block.response(headers: [], data: .none).contains(lines))
        #expect(block.request(headers: [], redaction: .none).contains("token:\t\ts3cret\n"))
    }

    @Test func `a secret inside a document in a parameter is masked`() {
        let block = DebugLogBlock(
            service: "https://a.example", apiName: "/", method: .post,
            parameters: [.init("payload", #"{"token": "t0ken-in-json", "id": 7}"#), .init("list", .array([.string(#"{"password": "p4ss"}"#)]))],
            fullRequest: "https://a.example/")
        let text = block.request(headers: [])
        #expect(!text.contains("t0ken-in-json") && !text.contains("p4ss"), "\(text)")
        #expect(text.contains("id"))
    }

    @Test func `configured names are masked as well`() {
        let text = block(method: "m", masked: "m").request(headers: requestHeaders, redaction: Redaction(adding: ["appId", "module"]))
        #expect(text.contains("appId=••••&") && text.contains("module=••••&") && !text.contains("appguide") && !text.contains("100001"))
        #expect(!text.contains("dskjjjjdj3dsjs") && !text.contains("99bc3ea55d28dc5c2f7a8ed0c458e9d7"))
    }

    @Test(arguments: [
        (DebugLogBlock.Content(BodyBytes([0xFF, 0xD8]), contentType: "image/jpeg"), "2 bytes of image/jpeg"),
        (.init(BodyBytes(Array("a\0b".utf8)), contentType: nil), "3 bytes of application/octet-stream"),
        (.init(.file(path: "/tmp/x", contentType: "application/zip")), "a stream of application/zip"),
        (.init(.multipart([])), "a stream of multipart/form-data"), (.init(BodyBytes(Array("é\n".utf8)), contentType: "text/plain"), "é\n"),
        (.init(RequestBody.none), ""),
    ])
    func `a body that is not text is described by size and type only (S0.35)`(content: DebugLogBlock.Content, line: String) {
        let text = block(method: "m", masked: "m", body: content).request(headers: [])
        #expect(text.contains("\n\nBody Data:\n\(line)\n\(Self.stars)\n"))
    }
}
