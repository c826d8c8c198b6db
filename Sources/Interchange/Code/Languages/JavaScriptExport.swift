internal import SortieBase

/// Exports requests as JavaScript that uses fetch.
package enum JavaScriptExport: CodeLanguage {
    package static let name = "javascript"
    package static let title = "JavaScript with fetch (Node.js 18 or later)"
    package static let fileExtension = "js"
    package static let bodilessMethods: Set<String> = ["GET", "HEAD"]
    package static let limitsRedirects = false
    package static let helpers = [
        (
            name: "env(",
            source: """
            function env(name) {
              const value = process.env[name];
              if (value === undefined) throw new Error("set " + name + " before");
              return value;
            }
            """
        ),
        (name: "urlencode(", source: "const urlencode = encodeURIComponent;"),
        (name: "jsontext(", source: "const jsontext = (text) => JSON.stringify(text).slice(1, -1);"),
        (
            name: "xmltext(",
            source: "const xmltext = (text) => text.replaceAll(\"&\", \"&amp;\").replaceAll(\"<\", \"&lt;\").replaceAll('\"', \"&quot;\");"
        ),
        // fetch sends a character as one byte.
        (name: "utf8(", source: "const utf8 = (text) => Buffer.from(text).toString(\"latin1\");"),
        (name: "base64(", source: "const base64 = (text) => Buffer.from(text).toString(\"base64\");"),
    ]

    package static func field(_ text: String) -> String? { call("utf8", text) }
    package static func literal(_ text: String) -> String { quoted(text) { "\\u{\(String($0.value, radix: 16))}" } }
    package static func bytes(ofText text: String) -> String { "Buffer.from(\(text))" }
    package static func bytes(ofFile path: String) -> String { "fs.readFileSync(\(path))" }
    package static func bytes(_ bytes: [UInt8]) -> String { "Buffer.from(\"\(Base64.text(bytes))\", \"base64\")" }
    package static func join(bytes: [String]) -> String { "Buffer.concat([\(bytes.joined(separator: ", "))])" }

    package static func function(_ request: CodeRequest) -> [String] {
        var lines = ["function \(request.function)() {", "  return fetch(\(request.url), {", "    method: \(request.method),"]
        if !request.headers.isEmpty {
            lines.append("    headers: [\(request.headers.map { "[\($0.name), \($0.value)]" }.joined(separator: ", "))],")
        }
        switch request.body {
        case .none: break
        // A text would get a field Content-Type.
        case .text(let body) where request.hasUntypedBody: lines.append("    body: \(bytes(ofText: body)),")
        case .text(let body), .bytes(let body): lines.append("    body: \(body),")
        }
        lines.append("    redirect: \"\(request.redirects > 0 ? "follow" : "manual")\",")
        if let timeout = request.timeout { lines.append("    signal: AbortSignal.timeout(\(timeout)),") }
        return lines + ["  });", "}"]
    }

    package static func program(_ program: CodeProgram) -> String {
        let imports = program.body.contains("fs.") ? ["const fs = require(\"node:fs\");\n"] : []
        return (program.comment + imports).joined(separator: "\n") + "\n\n" + (program.helpers + program.functions).joined(separator: "\n") + """

            async function main() {
              for (const send of [\(program.requests.map(\.function).joined(separator: ", "))]) {
                const response = await send();
                console.log(response.status, await response.text());
              }
            }

            main();

            """
    }
}
