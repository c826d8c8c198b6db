internal import SortieBase

/// Exports requests as PowerShell.
package enum PowerShellExport: CodeLanguage {
    package static let name = "powershell"
    package static let title = "PowerShell 7.4 or later"
    package static let fileExtension = "ps1"
    package static let comment = "#"
    package static let helpers = [
        (
            name: "(env ",
            source: """
            function env($name) {
                $value = [Environment]::GetEnvironmentVariable($name)
                if ($null -eq $value) { throw "set $name before" }
                $value
            }
            """
        ),
        (name: "(urlencode ", source: "function urlencode($text) { [Uri]::EscapeDataString($text) }"),
        (
            name: "(jsontext ",
            source: "function jsontext($text) {\n    $quoted = ConvertTo-Json $text\n    $quoted.Substring(1, $quoted.Length - 2)\n}"
        ),
        (name: "(xmltext ", source: "function xmltext($text) { [Security.SecurityElement]::Escape($text) }"),
        (name: "(base64 ", source: "function base64($text) { [Convert]::ToBase64String([Text.Encoding]::UTF8.GetBytes($text)) }"),
    ]

    package static let addsType = true

    package static func field(_ text: String) -> String? { nil }
    package static func literal(_ text: String) -> String {
        let escapes: [Unicode.Scalar: String] = [
            "\n": "`n", "\r": "`r", "\t": "`t", "`": "``", "$": "`$", "\"": "`\"", "\u{201c}": "`\u{201c}", "\u{201d}": "`\u{201d}",
            "\u{201e}": "`\u{201e}",
        ]
        let content = text.unicodeScalars.map { scalar in
            escapes[scalar] ?? (ShellQuote.isHidden(scalar) ? "`u{\(String(scalar.value, radix: 16))}" : String(scalar))
        }
        return "\"\(content.joined())\""
    }
    package static func call(_ function: String, _ argument: String) -> String { "(\(function) \(argument))" }
    package static func join(_ texts: [String]) -> String { "(\(texts.joined(separator: " + ")))" }
    package static func bytes(ofText text: String) -> String { "[Text.Encoding]::UTF8.GetBytes(\(text))" }
    package static func bytes(ofFile path: String) -> String { "[IO.File]::ReadAllBytes(\(path))" }
    package static func bytes(_ bytes: [UInt8]) -> String { "[Convert]::FromBase64String(\"\(Base64.text(bytes))\")" }
    package static func join(bytes: [String]) -> String { "(\(bytes.joined(separator: " + ")))" }

    package static func function(_ request: CodeRequest) -> [String] {
        var lines = ["function \(request.function) {", "    $headers = @{}"]
        for header in request.headers {
            // A second field with a name continues the list of values (RFC 9110 §5.3).
            lines.append(
                "    $headers[\(header.name)] = (@($headers[\(header.name)]) + \(header.value) | Where-Object { $null -ne $_ }) -join \", \"")
        }
        lines += [
            "    $request = @{", "        CustomMethod = \(request.method)", "        Uri = \(request.url)", "        Headers = $headers",
            "        MaximumRedirection = \(request.redirects)", "        SkipHttpErrorCheck = $true", "        SkipHeaderValidation = $true",
        ]
        switch request.body {
        case .none: break
        case .text(let text): lines.append("        Body = \(bytes(ofText: text))")
        case .bytes(let bytes): lines.append("        Body = [byte[]]\(bytes)")
        }
        if let timeout = request.timeout { lines.append("        OperationTimeoutSeconds = \((timeout + 999) / 1000)") }
        return lines + ["    }", "    Invoke-WebRequest @request", "}"]
    }

    package static func program(_ program: CodeProgram) -> String {
        program.comment.joined(separator: "\n") + "\n\n" + (program.helpers + program.functions).joined(separator: "\n") + """

            foreach ($send in @(\(program.requests.map { "'\($0.function)'" }.joined(separator: ", ")))) {
                $response = & $send
                "$($response.StatusCode) $($response.Content)"
            }

            """
    }
}
