internal import SortieBase

/// Exports requests as a PHP program that uses the extension curl.
package enum PHPExport: CodeLanguage {
    package static let name = "php"
    package static let title = "PHP with curl"
    package static let fileExtension = "php"
    package static let capitals = false
    package static let helpers = [
        (
            name: "env(",
            source: """
            function env(string $name): string
            {
                $value = getenv($name);
                if ($value === false) {
                    throw new RuntimeException("set $name before");
                }
                return $value;
            }
            """
        ),
        (
            name: "jsontext(",
            source: "function jsontext(string $text): string\n{\n    return substr(json_encode($text), 1, -1);\n}"
        ),
        (name: "xmltext(", source: "function xmltext(string $text): string\n{\n    return htmlspecialchars($text, ENT_XML1 | ENT_QUOTES);\n}"),
    ]

    package static func commented(_ text: String) -> String {
        // The end tag also ends a comment, and the text after it is output.
        "// " + ShellQuote.comment(text).replacing("?>", with: "? >")
    }
    package static func literal(_ text: String) -> String {
        "\"\(QuotedText.escaped(text) { $0 == "$" ? "\\$" : ShellQuote.isHidden($0) ? "\\u{\(String($0.value, radix: 16))}" : nil })\""
    }
    package static func call(_ function: String, _ argument: String) -> String {
        "\(["urlencode": "rawurlencode", "base64": "base64_encode"][function] ?? function)(\(argument))"
    }
    package static func join(_ texts: [String]) -> String { texts.joined(separator: " . ") }
    package static func bytes(ofText text: String) -> String { text }
    package static func bytes(ofFile path: String) -> String { "file_get_contents(\(path))" }
    package static func bytes(_ bytes: [UInt8]) -> String { "base64_decode(\"\(Base64.text(bytes))\")" }
    package static func join(bytes: [String]) -> String { bytes.joined(separator: " . ") }

    package static func function(_ request: CodeRequest) -> [String] {
        var lines = [
            "function \(request.function)(): array", "{", "    $curl = curl_init(\(request.url));", "    curl_setopt_array($curl, [",
            "        CURLOPT_RETURNTRANSFER => true,", "        CURLOPT_PATH_AS_IS => true,",
        ]
        // A custom method is kept by redirects that make POST a GET.
        switch (request.method, request.body) {
        case ("\"GET\"", .none): break
        case ("\"HEAD\"", .none): lines.append("        CURLOPT_NOBODY => true,")
        case ("\"POST\"", .none): lines += ["        CURLOPT_POST => true,", "        CURLOPT_POSTFIELDS => \"\","]
        case ("\"POST\"", _): lines.append("        CURLOPT_POST => true,")
        default:
            lines.append("        CURLOPT_CUSTOMREQUEST => \(request.method),")
            lines.append("        CURLOPT_POSTREDIR => CURL_REDIR_POST_301 | CURL_REDIR_POST_302,")
        }
        // curl adds a type to a body, which a name without a value removes.
        let isTyped = request.headers.contains { $0.name.lowercased() == "\"content-type\"" }
        let untyped = request.hasUntypedBody || request.method == "\"POST\"" && !isTyped
        if !request.headers.isEmpty || untyped {
            // curl sends a field without a value where it ends with a semicolon.
            let removed = untyped ? ["\"Content-Type:\""] : []
            let fields = removed + request.headers.map { $0.value == "\"\"" ? "\($0.name) . \";\"" : "\($0.name) . \": \" . \($0.value)" }
            lines.append("        CURLOPT_HTTPHEADER => [\(fields.joined(separator: ", "))],")
        }
        switch request.body {
        case .none: break
        case .text(let body), .bytes(let body): lines.append("        CURLOPT_POSTFIELDS => \(body),")
        }
        if request.redirects > 0 { lines += ["        CURLOPT_FOLLOWLOCATION => true,", "        CURLOPT_MAXREDIRS => \(request.redirects),"] }
        if let timeout = request.timeout { lines.append("        CURLOPT_TIMEOUT_MS => \(timeout),") }
        return lines + [
            "    ]);", "    $body = curl_exec($curl);", "    if ($body === false) {", "        throw new RuntimeException(curl_error($curl));",
            "    }",
            "    return [curl_getinfo($curl, CURLINFO_RESPONSE_CODE), $body];", "}",
        ]
    }

    package static func program(_ program: CodeProgram) -> String {
        "<?php\n" + program.comment.joined(separator: "\n") + "\n\n"
            + (program.helpers + program.functions).joined(separator: "\n") + """

                foreach ([\(program.requests.map { "'\($0.function)'" }.joined(separator: ", "))] as $send) {
                    [$status, $body] = $send();
                    echo $status, ' ', $body, "\\n";
                }

                """
    }
}
