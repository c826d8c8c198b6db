import Testing

@testable import SortieBase
@testable import SortieHTTP

/// Tests that documents of each notation are masked by the names in them, complete, malformed or truncated.
@Suite struct DocumentMaskingTests {
    private func masked(_ text: String, _ type: String?, by redaction: Redaction = .standard) -> String {
        String(decoding: redaction.maskedBody(Array(text.utf8), contentType: type), as: UTF8.self)
    }

    @Test(
        arguments: [
            ("<a><password>s3cret</password><b>1</b></a>", "<a><password>••••</password><b>1</b></a>"),
            ("<s:E><wsse:Password Type=\"t\">s3cret</wsse:Password></s:E>", "<s:E><wsse:Password Type=\"t\">••••</wsse:Password></s:E>"),
            ("<user name='x' password = 's3cret' id=\"1\"/>", "<user name='x' password = '••••' id=\"1\"/>"),
            ("<a ns:token=\"s3cret\">t</a>", "<a ns:token=\"••••\">t</a>"),
            ("<token><![CDATA[s3cret</token>]]></token><b>1</b>", "<token>••••</token><b>1</b>"),
            ("<token>s3&amp;cret<!-- s3cret --></token>", "<token>••••</token>"),
            ("<secret><token>s3cret</token><secret>s3cret</secret></secret><b/>", "<secret>••••</secret><b/>"),
            ("<!DOCTYPE a [<!ENTITY token \"s3cret\">]><a>&token;</a>", "<!DOCTYPE a [<!ENTITY token \"••••\">]><a>&token;</a>"),
            (
                "<dict><key>password</key><string>s3cret</string><key>a</key><string>b</string></dict>",
                "<dict><key>password</key><string>••••</string><key>a</key><string>b</string></dict>"
            ),
            (
                "<member><name>token</name><value><string>s3cret</string></value></member>",
                "<member><name>token</name><value>••••</value></member>"
            ),
            (
                "<add key=\"ApiKey\" value=\"s3cret\"/><add key=\"Size\" value=\"1\"/>",
                "<add key=\"ApiKey\" value=\"••••\"/><add key=\"Size\" value=\"1\"/>"
            ),
            (
                "<string name=\"api_key\">s3cret</string><string name=\"a\">b</string>",
                "<string name=\"api_key\">••••</string><string name=\"a\">b</string>"
            ),
            ("<password/><password></password><a>1</a>", "<password/><password></password><a>1</a>"),
            ("<a href=\"http://h/?a=1&amp;token=s3cret&amp;b=2\"/>", "<a href=\"http://h/?a=1&amp;token=••••&amp;b=2\"/>"),
            // Malformed and truncated documents.
            ("<a><password>s3cr", "<a><password>••••"), ("<a password=\"s3cr", "<a password=\"••••"), ("<a password=s3cr", "<a password=••••"),
            ("<a <password>s3cret</password></b>", "<a <password>••••</password></b>"),
            ("<a>x</c><token>s3cret</token>", "<a>x</c><token>••••</token>"),
            ("<!-- <x <token>s3cret", "<!-- <x <token>s3cret"),
        ]) func `secrets of XML are masked by the names of elements and attributes`(text: String, result: String)
    {
        #expect(masked(text, "application/xml") == result)
        #expect(masked(text, "application/soap+xml; charset=utf-8") == result)
        #expect(masked(text, "application/xml", by: .none) == text)
    }

    @Test(
        arguments: [
            ("<input type=hidden name=\"csrf_token\" value=\"s3cret\">", "<input type=hidden name=\"csrf_token\" value=\"••••\">"),
            ("<input value='s3cret' name='user[password]'>x", "<input value='••••' name='user[password]'>x"),
            (
                "<meta name=\"csrf-token\" content=\"s3cret\" /><meta name=\"a\" content=\"b\">",
                "<meta name=\"csrf-token\" content=\"••••\" /><meta name=\"a\" content=\"b\">"
            ),
            ("<textarea name=\"private_key\">s3cret</textarea><p>1</p>", "<textarea name=\"private_key\">••••</textarea><p>1</p>"),
            ("<div data-token=\"s3cret\" class=\"a\">1</div>", "<div data-token=\"••••\" class=\"a\">1</div>"),
            ("<INPUT VALUE=s3cret NAME=token><br>", "<INPUT VALUE=•••• NAME=token><br>"),
            (
                "<script>var a = {\"token\": \"s3cret\", \"b\": 1}; if (a<b) {}</script><p>1</p>",
                "<script>var a = {\"token\": \"••••\", \"b\": 1}; if (a<b) {}</script><p>1</p>"
            ),
            (
                "<script type=\"application/json\">{\"token\": \"s3cret\"}</script>",
                "<script type=\"application/json\">{\"token\": \"••••\"}</script>"
            ),
            ("<div data-props=\"{&quot;token&quot;:&quot;s3cret&quot;}\">", "<div data-props=\"{&quot;token&quot;:&quot;••••&quot;}\">"),
            ("<form name=\"session\"><p>1</p></form>", "<form name=\"session\"><p>1</p></form>"),
            ("<label for=\"password\">Password</label>", "<label for=\"password\">Password</label>"),
        ]) func `secrets of HTML are masked by the names of its fields, in either order of attributes`(text: String, result: String)
    {
        #expect(masked(text, "text/html") == result)
    }

    @Test(
        arguments: [
            ("{\"token\":\"s3cret\"}\n{\"a\":1}\n", "application/x-ndjson", "{\"token\":\"••••\"}\n{\"a\":1}\n"),
            (
                "\u{1e}{\"token\":\"s3cret\"}\n\u{1e}{\"a\":1,\n \"token\":\"s3cret\"}\n", "application/json-seq",
                "\u{1e}{\"token\":\"••••\"}\n\u{1e}{\"a\":1,\n \"token\":\"••••\"}\n"
            ),
            (
                "id: 1\ndata: {\"token\":\"s3cret\"}\n\ndata: {\"a\":1}\n\n", "text/event-stream",
                "id: 1\ndata: {\"token\":\"••••\"}\n\ndata: {\"a\":1}\n\n"
            ),
            (
                "data: {\"credentials\": {\ndata: \"user\": \"s3cret\"},\ndata: \"a\": 1}\n\n", "text/event-stream",
                "data: {\"credentials\": \"••••\"\ndata:,\ndata: \"a\": 1}\n\n"
            ),
            (
                "data: {\"token\":\"s3cret\"}\rdata: 1\r\rdata: {\"token\":\"s3cret\"}\r\r", "text/event-stream",
                "data: {\"token\":\"••••\"}\rdata: 1\r\rdata: {\"token\":\"••••\"}\r\r"
            ),
            ("data: token=s3cret\n\n", "text/event-stream", "data: token=••••\n\n"),
            ("data: {\"token\":\"s3cr", "text/event-stream", "data: {\"token\":\"••••\""),
        ]) func `secrets of line-delimited JSON and of events are masked`(text: String, type: String, result: String)
    {
        #expect(masked(text, type) == result)
    }

    @Test(
        arguments: [
            ("mutation { login(user: \"a\", password: \"s3cret\") { token } }", "mutation { login(user: \"a\", password: \"••••\") { token } }"),
            ("{ a(input: {token: \"s3\\\"cret\", n: 1}) { id } }", "{ a(input: {token: \"••••\", n: 1}) { id } }"),
            ("{ a(token: \"\"\"s3cret \"x\" \"\"\", n: 1) }", "{ a(token: \"••••\", n: 1) }"),
            (
                "query Q($password: String! = \"s3cret\", $n: Int) { a(password: $password) { token: accessToken } }",
                "query Q($password: String! = \"••••\", $n: Int) { a(password: $password) { token: accessToken } }"
            ),
            ("{ a(secret: [\"s3cret\", \"s3cret\"], otp: 123456) }", "{ a(secret: \"••••\", otp: \"••••\") }"),
            ("{ a(password: \"s3cr", "{ a(password: \"••••\""),
        ]) func `secret arguments of GraphQL are masked, and variables are not`(text: String, result: String)
    {
        #expect(masked(text, "application/graphql") == result)
        let body = JSONValue.object([.init("query", .string(text)), .init("variables", ["password": "s3cret", "a": "b"])]).text
        let wanted = JSONValue.object([.init("query", .string(result)), .init("variables", ["password": "••••", "a": "b"])]).text
        #expect(masked(body, "application/json") == wanted)
        let query = PercentEncoding.encode(text, allowed: .form)
        #expect(
            Redaction.standard.maskedURL("http://h/?query=\(query)&a=1") == "http://h/?query=\(PercentEncoding.encode(result, allowed: .form))&a=1")
    }

    @Test func `GraphQL in truncated JSON is masked`() {
        let text = #"{"query":"mutation { login(password:\"s3cret-that-is-cut"#
        #expect(!masked(text, "application/json").contains("s3cret"))
    }

    @Test(
        arguments: [
            (#"{"Message":"{\"token\":\"s3cret\",\"a\":1}","b":1}"#, #"{"Message":"{\"token\":\"••••\",\"a\":1}","b":1}"#, "application/json"),
            (
                "payload=%7B%22token%22%3A%22s3cret%22%7D&a=1", "payload=%7B%22token%22%3A%22%E2%80%A2%E2%80%A2%E2%80%A2%E2%80%A2%22%7D&a=1",
                "application/x-www-form-urlencoded"
            ),
        ]) func `JSON in JSON strings and in form items is masked`(text: String, result: String, type: String)
    {
        #expect(masked(text, type) == result)
    }

    private static let multipart = """
        preamble\r
        --xyz\r
        Content-Disposition: form-data; name="password"\r
        \r
        s3cret\r
        --xyz\r
        Content-Disposition: form-data; name="meta"\r
        Content-Type: application/json\r
        \r
        {"token": "s3cret", "a": 1}\r
        --xyz\r
        Content-Type: application/http\r
        \r
        GET /x?token=s3cret HTTP/1.1\r
        Authorization: Bearer s3cret\r
        Content-Type: application/xml\r
        \r
        <a><token>s3cret</token></a>\r
        --xyz\r
        Content-Type: multipart/mixed; boundary=in\r
        \r
        --in\r
        Content-Type: application/x-www-form-urlencoded\r
        \r
        token=s3cret&a=1\r
        --in--\r
        --xyz\r
        Content-Disposition: form-data; name="note"\r
        \r
        plain\r
        --xyz--\r

        """

    @Test(arguments: ["multipart/form-data; boundary=xyz", "multipart/mixed; charset=utf-8; boundary=\"xyz\""])
    func `each part of a multipart body is masked by its name and its type`(type: String) {
        let result = masked(Self.multipart, type)
        let wanted = Self.multipart.replacing("{\"token\": \"s3cret\"", with: "{\"token\": \"••••\"").replacing(
            "Authorization: Bearer s3cret", with: "Authorization: ••••"
        )
        .replacing("s3cret", with: "••••")
        #expect(result == wanted)
    }

    @Test func `a field of a part ends with its line break, not with another separator`() {
        let body = "--xyz\r\nContent-Disposition: form-data; x=\"a\u{2028}b\"; name=\"password\"\r\n\r\ns3cret\r\n--xyz--\r\n"
        #expect(masked(body, "multipart/form-data; boundary=xyz") == body.replacing("s3cret", with: "••••"))
    }

    @Test func `a truncated multipart body, or one without a declared boundary, is masked`() {
        let start = Self.multipart.dropFirst("preamble\r\n".count)
        #expect(!masked(String(start), "multipart/mixed").contains("s3cret"))
        for count in stride(from: 10, to: start.count, by: 7) {
            #expect(!masked(String(start.prefix(count)), "multipart/form-data; boundary=xyz").contains("s3cret"), "the first \(count) characters")
        }
    }

    @Test(
        arguments: [
            ("user: a\npassword: s3cret # x\nb: 1\n", "user: a\npassword: ••••\nb: 1\n"),
            ("export API_KEY='s3cret'\nA=1\n", "export API_KEY=••••\nA=1\n"), ("db.password=s3cret\r\nb=1\r\n", "db.password=••••\r\nb=1\r\n"),
            ("private_key: |\n  s3cret\n  s3cret\nb: 1\n", "private_key: |\n  ••••\n  ••••\nb: 1\n"),
            ("recovery_codes:\n- s3cret\n- s3cret\nb: 1\n", "recovery_codes:\n••••\n••••\nb: 1\n"),
            ("Authorization: Bearer s3cret\n\ntoken://x\n", "Authorization: ••••\n\ntoken://x\n"), ("code: 404\nkey: x\n", "code: 404\nkey: x\n"),
            ("cb({\"token\": \"s3cret\", \"a\": 1})", "cb({\"token\": \"••••\", \"a\": 1})"), ("no token here: s3cret?", "no token here: s3cret?"),
        ]) func `lines of text are masked by the names at their beginning`(text: String, result: String)
    {
        #expect(masked(text, "text/plain") == result)
        #expect(masked(text, "application/yaml") == result)
    }

    @Test(arguments: ["<a><token>s3cret</token><b>é</b></a>", "{\"token\": \"s3cret\", \"a\": \"é\"}"])
    func `documents in UTF-16 are masked`(text: String) throws {
        for encoding in [TextEncoding.utf16LittleEndian, .utf16BigEndian] {
            let bytes = encoding.mark + (try #require(encoding.encode(text)))
            let type = text.first == "<" ? "application/xml; charset=utf-16" : "application/json; charset=utf-16"
            let result = Redaction.standard.maskedBody(bytes, contentType: type)
            let shown = result.withUnsafeBytes { encoding.decode($0) }
            #expect(shown.contains("••••") && !shown.contains("s3cret") && shown.contains("é"), "\(shown)")
        }
    }

    @Test func `text is masked by the same rules as bytes`() {
        for (text, type) in [
            ("<a><token>s3cret</token></a>", "application/xml; charset=utf-16"), ("a\ntoken: s3cret", "text/plain; charset=shift_jis"),
            (Self.multipart, "multipart/form-data; boundary=xyz"), ("data: {\"token\":\"s3cret\"}\n\n", "text/event-stream"),
        ] {
            #expect(!Redaction.standard.maskedBody(text, contentType: type).contains("s3cret"), "\(type)")
        }
    }

    @Test func `a large document is masked piece by piece`() {
        let filler = String(repeating: "<b c=\"d\">text</b>\n", count: Redaction.window / 16)
        let text = "<a>\(filler)<token>s3cret</token>\(filler)<token a=\"http://h/?sig=s3cret\">s3cret</token></a>"
        let result = masked(text, "application/xml")
        #expect(
            !result.contains("s3cret") && result.count == text.count - 3 * 2 && result.hasSuffix("<token a=\"http://h/?sig=••••\">••••</token></a>"))
    }

    @Test func `randomly truncated documents reveal no complete secret`() {
        let documents = [
            ("<a><password>s3cret-value</password><c token=\"s3cret-value\"/></a>", "application/xml"),
            ("{\"query\":\"{a(token:\\\"s3cret-value\\\")}\",\"password\":\"s3cret-value\"}", "application/json"),
            ("data: {\"token\":\"s3cret-value\"}\n\ndata: {\"secret\":[\"s3cret-value\"]}\n\n", "text/event-stream"),
            ("<input value=\"s3cret-value\" name=\"token\"><script>x={\"token\":\"s3cret-value\"}</script>", "text/html"),
        ]
        for (text, type) in documents {
            for count in 1...text.count {
                let result = masked(String(text.prefix(count)), type)
                // An attribute whose name follows the value cannot be masked when the text ends between them.
                if type == "text/html", count < 43 { continue }
                #expect(!result.contains("s3cret-value"), "the first \(count) characters of \(type): \(result)")
            }
        }
    }
}
