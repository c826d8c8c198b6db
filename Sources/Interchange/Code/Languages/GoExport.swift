internal import SortieBase

/// Exports requests as a Go program that uses net/http.
package enum GoExport: CodeLanguage {
    package static let name = "go"
    package static let title = "Go with net/http"
    package static let fileExtension = "go"
    package static let helpers = [
        (
            name: "env(",
            source: """
            func env(name string) string {
            \tvalue, found := os.LookupEnv(name)
            \tif !found {
            \t\tpanic("set " + name + " before")
            \t}
            \treturn value
            }
            """
        ),
        (
            name: "urlencode(",
            source: "func urlencode(text string) string { return strings.ReplaceAll(url.QueryEscape(text), \"+\", \"%20\") }"
        ),
        (
            name: "jsontext(",
            source: """
            func jsontext(text string) string {
            \tquoted, _ := json.Marshal(text)
            \treturn string(quoted[1 : len(quoted)-1])
            }
            """
        ),
        (name: "xmltext(", source: "func xmltext(text string) string { return html.EscapeString(text) }"),
        (name: "base64(", source: "func base64(text string) string { return encoding.StdEncoding.EncodeToString([]byte(text)) }"),
        (
            name: "decode(",
            source: """
            func decode(text string) []byte {
            \tdata, err := encoding.StdEncoding.DecodeString(text)
            \tif err != nil {
            \t\tpanic(err)
            \t}
            \treturn data
            }
            """
        ),
        (
            name: "read(",
            source: """
            func read(path string) []byte {
            \tdata, err := os.ReadFile(path)
            \tif err != nil {
            \t\tpanic(err)
            \t}
            \treturn data
            }
            """
        ),
    ]
    private static let packages = [
        ("bytes", "bytes."), ("encoding/json", "json."), ("fmt", "fmt."), ("html", "html."), ("io", "io."), ("net/http", "http."),
        ("net/url", "url."),
        ("os", "os."), ("strings", "strings."), ("time", "time."),
    ]

    package static func literal(_ text: String) -> String {
        quoted(text) { "\\U" + HexDigits.text(of: $0.value, digits: 8) }
    }
    package static func bytes(ofText text: String) -> String { "[]byte(\(text))" }
    package static func bytes(ofFile path: String) -> String { "read(\(path))" }
    package static func bytes(_ bytes: [UInt8]) -> String { "decode(\"\(Base64.text(bytes))\")" }
    package static func join(bytes: [String]) -> String { "bytes.Join([][]byte{\(bytes.joined(separator: ", "))}, nil)" }

    package static func function(_ request: CodeRequest) -> [String] {
        let body =
            switch request.body {
            case .none: "nil"
            case .text(let text): "strings.NewReader(\(text))"
            case .bytes(let bytes): "bytes.NewReader(\(bytes))"
            }
        var lines = [
            "func \(request.function)() (*http.Response, error) {", "\trequest, err := http.NewRequest(\(request.method), \(request.url), \(body))",
            "\tif err != nil {", "\t\treturn nil, err", "\t}",
        ]
        for header in request.headers {
            // Go takes the host from a property.
            lines.append(
                header.name.lowercased() == "\"host\"" ? "\trequest.Host = \(header.value)" : "\trequest.Header.Add(\(header.name), \(header.value))")
        }
        let limit = request.timeout.map { "Timeout: \($0) * time.Millisecond" } ?? ""
        lines += ["\tclient := &http.Client{\(limit)}", "\tclient.CheckRedirect = func(_ *http.Request, via []*http.Request) error {"]
        if request.redirects > 0 {
            lines += ["\t\tif len(via) > \(request.redirects) {", "\t\t\treturn fmt.Errorf(\"more than \(request.redirects) redirects\")", "\t\t}"]
        }
        lines += [request.redirects > 0 ? "\t\treturn nil" : "\t\treturn http.ErrUseLastResponse", "\t}", "\treturn client.Do(request)", "}"]
        return lines
    }

    package static func program(_ program: CodeProgram) -> String {
        let main = """
            func main() {
            \tfor _, send := range []func() (*http.Response, error){\(program.requests.map(\.function).joined(separator: ", "))} {
            \t\tresponse, err := send()
            \t\tif err != nil {
            \t\t\tfmt.Fprintln(os.Stderr, err)
            \t\t\tos.Exit(1)
            \t\t}
            \t\tbody, err := io.ReadAll(response.Body)
            \t\tresponse.Body.Close()
            \t\tif err != nil {
            \t\t\tfmt.Fprintln(os.Stderr, err)
            \t\t\tos.Exit(1)
            \t\t}
            \t\tfmt.Println(response.StatusCode, string(body))
            \t}
            }

            """
        // Go refuses a package that is not used. A literal may contain its name as well, which `_` makes a use.
        let text = program.body + main
        var imports = packages.filter { text.contains($0.1) }.map { "\t\"\($0.0)\"" }
        if text.contains("encoding.") { imports.insert("\tencoding \"encoding/base64\"", at: 0) }
        let uses = [
            ("bytes.", "bytes.Join"), ("encoding.", "encoding.StdEncoding"), ("json.", "json.Marshal"), ("html.", "html.EscapeString"),
            ("url.", "url.QueryEscape"), ("strings.", "strings.NewReader"), ("time.", "time.Millisecond"),
        ].filter { text.contains($0.0) }.map { "var _ = \($0.1)\n" }.joined()
        return program.comment.joined(separator: "\n") + "\npackage main\n\nimport (\n" + imports.joined(separator: "\n") + "\n)\n\n" + uses
            + (uses.isEmpty ? "" : "\n") + (program.helpers + program.functions).joined(separator: "\n") + "\n" + main
    }
}
