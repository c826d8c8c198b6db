internal import SortieBase

/// Exports requests as a Java program that uses java.net.http.
package enum JavaExport: CodeLanguage {
    package static let name = "java"
    package static let title = "Java 11 or later with java.net.http"
    package static let fileExtension = "java"
    package static let comment = "    //"
    package static let limitsRedirects = false
    package static let refusedFields: Set<String> = ["connection", "content-length", "expect", "host", "upgrade"]
    package static let helpers = [
        (
            name: "env(",
            source: """
                static String env(String name) {
                    String value = System.getenv(name);
                    if (value == null) throw new IllegalStateException("set " + name + " before");
                    return value;
                }
            """
        ),
        (
            name: "urlencode(",
            source: """
                static String urlencode(String text) {
                    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20").replace("*", "%2A");
                }
            """
        ),
        (
            name: "jsontext(",
            source: """
                static String jsontext(String text) {
                    StringBuilder result = new StringBuilder();
                    for (char c : text.toCharArray()) {
                        if (c == '"' || c == '\\\\') result.append('\\\\').append(c);
                        else if (c < 0x20) result.append(String.format("\\\\u%04x", (int) c));
                        else result.append(c);
                    }
                    return result.toString();
                }
            """
        ),
        (
            name: "xmltext(",
            source: """
                static String xmltext(String text) {
                    return text.replace("&", "&amp;").replace("<", "&lt;").replace("\\"", "&quot;");
                }
            """
        ),
        (
            name: "base64(",
            source: """
                static String base64(String text) {
                    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
                }
            """
        ),
        (
            name: "bytes(",
            source: """
                static byte[] bytes(byte[]... pieces) {
                    ByteArrayOutputStream result = new ByteArrayOutputStream();
                    for (byte[] piece : pieces) result.writeBytes(piece);
                    return result.toByteArray();
                }
            """
        ),
    ]

    package static func commented(_ text: String) -> String {
        // A Unicode escape is read in comments, too: that of a line break ends one. An even number of backslashes begins none (JLS §3.3).
        "\(comment) " + ShellQuote.comment(text).replacing("\\", with: "\\\\")
    }
    package static func field(_ text: String) -> String? { nil }
    package static func literal(_ text: String) -> String {
        // Older compilers read a file in the charset of the system. Java reads an escape of U+000D or below as the character itself.
        let content = QuotedText.escaped(text) { scalar in
            if scalar.value >= 0x80 { return String(scalar).utf16.map { "\\u" + HexDigits.text(of: $0, digits: 4) }.joined() }
            // With three octal digits, a digit after the escape is not a part of it.
            return ShellQuote.isHidden(scalar) ? "\\" + scalar.value.padded(to: 3, radix: 8) : nil
        }
        return "\"\(content)\""
    }
    package static func bytes(ofText text: String) -> String { "(\(text)).getBytes(StandardCharsets.UTF_8)" }
    package static func bytes(ofFile path: String) -> String { "Files.readAllBytes(Path.of(\(path)))" }
    package static func bytes(_ bytes: [UInt8]) -> String { "Base64.getDecoder().decode(\"\(Base64.text(bytes))\")" }
    package static func join(bytes: [String]) -> String { "bytes(\(bytes.joined(separator: ", ")))" }

    package static func function(_ request: CodeRequest) -> [String] {
        let body =
            switch request.body {
            case .none: "noBody()"
            case .text(let text): "ofString(\(text))"
            case .bytes(let bytes): "ofByteArray(\(bytes))"
            }
        var lines = [
            "    static HttpResponse<String> \(request.function)() throws Exception {", "        HttpClient client = HttpClient.newBuilder()",
            "            .followRedirects(HttpClient.Redirect.\(request.redirects > 0 ? "NORMAL" : "NEVER")).build();",
            "        HttpRequest request = HttpRequest.newBuilder(URI.create(\(request.url)))",
            "            .method(\(request.method), HttpRequest.BodyPublishers.\(body))",
        ]
        lines += request.headers.map { "            .header(\($0.name), \($0.value))" }
        if let timeout = request.timeout { lines.append("            .timeout(Duration.ofMillis(\(timeout)))") }
        return lines + ["            .build();", "        return client.send(request, HttpResponse.BodyHandlers.ofString());", "    }"]
    }

    package static func program(_ program: CodeProgram) -> String {
        var names = CodeNames(reserved: ["String", "System", "List", "Callable", "URI", "Files", "Path", "Duration", "Base64", "Exception"])
        let type = names.name(for: program.name, .type)
        return program.comment.map(\.trimmingBlanks).joined(separator: "\n") + """

            import java.io.*;
            import java.net.*;
            import java.net.http.*;
            import java.nio.charset.StandardCharsets;
            import java.nio.file.*;
            import java.time.Duration;
            import java.util.*;
            import java.util.concurrent.Callable;

            class \(type) {

            """ + (program.helpers + program.functions).joined(separator: "\n") + """

                    public static void main(String[] arguments) throws Exception {
                        List<Callable<HttpResponse<String>>> requests = List.of(\(program.requests.map { "\(type)::\($0.function)" }.joined(separator: ", ")));
                        for (Callable<HttpResponse<String>> send : requests) {
                            HttpResponse<String> response = send.call();
                            System.out.println(response.statusCode() + " " + response.body());
                        }
                    }
                }

                """
    }
}
