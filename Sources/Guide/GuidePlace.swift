/// A part of the guide with the words that people type for it, which `sortie guide` and the palette find.
package struct GuidePlace: Hashable, Sendable {
    /// The topic of the article.
    package let topic: String
    /// The heading in it.
    package let heading: String
    /// Words besides those of the heading; case makes no difference.
    package let words: [String]

    private init(_ topic: String, _ heading: String, _ words: [String]) {
        (self.topic, self.heading, self.words) = (topic, heading, words)
    }

    /// The words for a part, or for all parts of an article; empty for an unknown one.
    package static func words(of topic: String, _ heading: String? = nil) -> [String] {
        all.filter { $0.topic == topic && (heading == nil || $0.heading == heading) }.flatMap(\.words)
    }

    /// The address of the part about a key with a structure in the file of an endpoint or of a service; nil for one without.
    package static func address(ofKey key: String) -> String? { keys[key] }

    private static let keys = [
        "name": "workspaces#endpoints", "description": "workspaces#endpoints", "tags": "workspaces#endpoints", "extends": "workspaces#endpoints",
        "method": "requests#method-and-url", "path": "requests#method-and-url", "query": "requests#query",
        "headers": "requests#headers", "auth": "authentication", "body": "bodies", "graphql": "graphql",
        "grpc": "grpc", "messages": "websocket", "variables": "workspaces#variables", "download": "transfers#downloads",
        "timeout": "sending#time-limits", "retry": "sending#retries", "excludeNetworks": "sending#networks-that-are-excluded",
        "cache": "responses#the-response-cache", "examples": "contracts#examples", "page": "responses#pages",
        "expect": "runs#expectations", "capture": "runs#captures", "parameters": "requests#query",
        "answer": "responses#what-a-response-must-be", "validateStatus": "responses#what-a-response-must-be",
        "reform": "responses#what-a-response-must-be",
        "envelope": "workspaces#service-yaml", "plugins": "plugins#plugins-of-an-endpoint", "hooks": "plugins#hooks-programs-in-any-language",
        "servers": "addresses#servers", "switchServers": "addresses#servers", "limits": "sending#limits-of-a-service",
        "trust": "addresses#certificates", "addresses": "addresses#names", "proxy": "addresses#proxies", "tunnel": "addresses#tunnels",
        "publicParameters": "requests#query",
    ]

    /// All parts that have words.
    package static let all = [
        GuidePlace(
            "addresses", "Names",
            [
                "DNS", "Resolve", "Resolver", "IP-direct", "DoH", "Hosts file", "Host name", "IPv4", "IPv6", "Host header", "SNI", "localhost",
                "Connect to an address",
            ]),
        GuidePlace("addresses", "Proxies", ["Proxy", "SOCKS", "HTTP_PROXY", "no_proxy", "PAC", "Charles", "Fiddler", "mitmproxy"]),
        GuidePlace("addresses", "Tunnels", ["Tunnel", "SSH", "Bastion", "Port forwarding", "Jump host", "Unix socket", "kubectl", "Kubernetes"]),
        GuidePlace(
            "addresses", "Certificates",
            [
                "Certificate", "Insecure", "TLS", "SSL", "Self-signed", "Client certificate", "mTLS", "Pins", "Verify", "Issuer", "CA", "HTTPS",
                "Pinning", "Certificate expired", "Unable to get local issuer certificate", "TLS version", "Ignore SSL verification",
                "Disable SSL verification", "Skip certificate verification", "SSL handshake failed", "TLS handshake", "Untrusted certificate",
                "Skip certificate check", "Ignore a certificate",
            ]),
        GuidePlace("addresses", "Servers", ["Base URL", "Load balancing"]),
        GuidePlace("authentication", "NTLM", ["NTLM", "Windows authentication"]),
        GuidePlace("authentication", "Kerberos", ["Kerberos", "Negotiate", "SPNEGO"]),
        GuidePlace("authentication", "API keys", ["API key", "X-API-Key"]),
        GuidePlace("bodies", "Parts and files", ["Body from a file", "Binary body"]),
        GuidePlace("contracts", "What is compared", ["Contract", "Schema validation", "Drift"]),
        GuidePlace("contracts", "Generated requests", ["Fuzzing", "Property-based tests", "schemathesis"]),
        GuidePlace("cookies", "Jars", ["Jar", "Cookie jar", "Clear cookies", "Delete cookies", "Save cookies", "Store cookies", "Send a cookie"]),
        GuidePlace("files", "Environment variables", ["XDG", "Environment variable"]),
        GuidePlace("files", "Limits", ["Maximum size"]),
        GuidePlace("history", "History", ["History"]),
        GuidePlace("history", "What is stored", ["Clear history", "Delete history"]),
        GuidePlace("history", "Comparison", ["Compare", "Diff", "Difference"]),
        GuidePlace("history", "Replay", ["Send again", "Repeat", "Repeat a request"]),
        GuidePlace("history", "Network conditions", ["Slow network", "Throttle", "Packet loss", "Offline"]),
        GuidePlace("import", "Export", ["Export", "Copy as", "Copy as curl", "Code", "Python", "Generate code", "Code snippet"]),
        GuidePlace("import", "OpenAPI", ["OpenAPI", "Swagger"]),
        GuidePlace("import", "curl", ["curl"]),
        GuidePlace("import", "Postman", ["Postman", "Import from Postman"]),
        GuidePlace("import", "fetch and PowerShell of browsers", ["DevTools", "Copy as fetch", "Copy as PowerShell", "Browser"]),
        GuidePlace("import", "Locust: load beyond one machine", ["Locust", "Load generator"]),
        GuidePlace("plugins", "Hooks: programs in any language", ["Hook", "Scripts", "Script", "Pre-request script"]),
        GuidePlace("authentication", "AWS", ["AWS", "SigV4", "S3", "Signature Version 4"]),
        GuidePlace("authentication", "JSON Web Tokens", ["JWT"]),
        GuidePlace("authentication", "Sign in with a browser", ["PKCE", "Device code", "Authorization code"]),
        GuidePlace(
            "workspaces", "Create, rename, delete",
            ["Folder", "Rename", "Move", "Delete", "Copy an endpoint", "Bookmark", "Favourite", "Favorite"]),
        GuidePlace("workspaces", "Prompts", ["Prompt", "Ask for a value"]),
        GuidePlace("history", "Monitor", ["Statistics"]),
        GuidePlace("plugins", "sign", ["HMAC", "Sign requests", "Signing"]),
        GuidePlace("plugins", "token", ["Refresh token", "Login token", "Renew token"]),
        GuidePlace("requests", "Method and URL", ["Path parameter", "Path variable"]),
        GuidePlace("requests", "Query", ["Query", "Params", "Query string", "Query parameter", "Parameter"]),
        GuidePlace("requests", "Typing in the workbench", ["Autocomplete", "Completion in the workbench", "Suggestions"]),
        GuidePlace("requests", "Headers", ["Header", "Content-Type", "Accept", "User-Agent"]),
        GuidePlace("bodies", "Bodies", ["Body", "JSON", "Form", "Multipart", "Post", "Post JSON", "Data", "SOAP", "XML body", "urlencoded"]),
        GuidePlace("bodies", "The body editor", ["Minify", "Beautify", "Format a body", "Format JSON", "Edit a body"]),
        GuidePlace("graphql", "GraphQL", ["GraphQL"]),
        GuidePlace("cookies", "Cookies", ["Cookies"]),
        GuidePlace("transfers", "Detached downloads", ["Detach a download", "Background download"]),
        GuidePlace("websocket", "WebSocket", ["ws", "wss", "Socket"]),
        GuidePlace("grpc", "gRPC", ["Protobuf", "proto", "Reflection"]),
        GuidePlace(
            "authentication", "Authentication",
            [
                "Auth", "Authorization", "Bearer token", "Bearer", "Basic", "OAuth", "OAuth2", "Login", "Log in", "Digest", "401", "403",
                "Unauthorized", "Forbidden",
            ]),
        GuidePlace("sending", "Options", ["HTTP/2", "HTTP2", "HTTP/3", "HTTP3", "QUIC", "h2", "h3", "Protocol", "Keep-alive", "Pipelining"]),
        GuidePlace(
            "sending", "Time limits",
            ["Stop a request", "Cancel a request", "Abort", "Timeout", "Timeouts", "Deadline", "Connect timeout", "Idle timeout"]),
        GuidePlace("sending", "Limits of a service", ["Rate limit", "Requests per second", "Concurrency", "Connections"]),
        GuidePlace("sending", "Redirects", ["Redirect", "Follow", "Location", "Too many redirects"]),
        GuidePlace("sending", "Retries", ["Retry", "Backoff", "429", "503", "Too many requests", "Retry-After"]),
        GuidePlace(
            "responses", "In the workbench",
            [
                "Pretty", "Raw", "Fold", "Format a response", "View a response",
                "Copy response", "Response headers", "Search in a response", "Wrap long lines", "Word wrap", "Hex", "Hex dump",
            ]),
        GuidePlace("responses", "Log", ["Console", "Debug log", "Log of the program", "Log", "Logs"]),
        GuidePlace("responses", "Timing and trace", ["Timing", "Trace", "Waterfall", "Slow request", "Time to first byte", "TTFB"]),
        GuidePlace(
            "responses", "On stdout", ["Headers only", "Show only response headers", "See headers only", "Print the body", "Print headers"]),
        GuidePlace("scripting", "--format", ["Print only the status code", "Status code", "Status code only", "Output format", "Print a header"]),
        GuidePlace("websocket", "Events and JSON lines", ["SSE", "Server-sent events", "Events", "NDJSON", "Stream"]),
        GuidePlace("responses", "Filter a body", ["Filter", "JSONPath", "jq", "JSON path"]),
        GuidePlace("responses", "Charsets and codings", ["gzip", "brotli", "zstd", "Decompress", "Compression", "Encoding"]),
        GuidePlace("responses", "What a response must be", ["Schema", "JSON Schema", "Snapshot", "XML", "XPath"]),
        GuidePlace("responses", "Pages", ["Pagination", "Paging", "Next page"]),
        GuidePlace(
            "responses", "The response cache", ["Cache", "Caching", "ETag", "304", "If-None-Match", "If-Modified-Since", "no-cache", "Revalidate"]),
        GuidePlace("recipes", "Save a body to a file", ["Save response", "Save to a file", "Save the body"]),
        GuidePlace("recipes", "Send without a record in the history", ["Turn off history", "No history", "Disable history", "Private mode"]),
        GuidePlace("runs", "Build a run in the workbench", ["New run", "Reorder", "Mark endpoints"]),
        GuidePlace("runs", "A run of what was sent", ["Record a run", "Recording"]),
        GuidePlace(
            "runs", "Expectations",
            [
                "Check", "Expect", "Expectation", "Assertion", "Assert", "Test", "Validate", "Add check", "JSON Schema of a response", "Regex",
                "Regular expression", "Check status code", "Response time", "Assert body contains",
            ]),
        GuidePlace(
            "runs", "Captures",
            [
                "Extract", "Save value", "Save token", "Use the response in the next request", "Capture", "Pass data between requests",
                "Chain requests",
            ]),
        GuidePlace("runs", "When a step fails", ["Stop on error", "Continue on error", "stopOnFailure"]),
        GuidePlace("runs", "Reports", ["JUnit", "Report"]),
        GuidePlace("runs", "Runs", ["Run", "Chain", "Batch"]),
        GuidePlace("runs", "Runs at each change", ["Watch", "Rerun"]),
        GuidePlace("runs", "Data rows", ["CSV", "Data-driven", "Data file"]),
        GuidePlace(
            "runs", "Conditions and repetitions",
            ["If", "While", "Loop", "Poll", "Wait until", "forEach", "Wait for a server", "Delay between requests"]),
        GuidePlace("runs", "Several environments", ["Compare environments"]),
        GuidePlace("runs", "Steps at the same time", ["Parallel", "Concurrent"]),
        GuidePlace(
            "bench", "Measure an endpoint",
            ["Repeat a request 100 times", "Bench", "Benchmark", "Load test", "Latency", "Percentiles", "Performance"]),
        GuidePlace("mock", "Mock a service", ["Mock", "Mock server", "Stub", "Fake server"]),
        GuidePlace(
            "scripting", "Output", ["Verbose", "-v", "Debug", "Quiet", "stderr", "Connection refused", "Connection reset", "Error message", "Bug"]),
        GuidePlace("scripting", "Standard input", ["stdin", "Pipe"]),
        GuidePlace("scripting", "Exit codes", ["Exit code", "Exit status", "Fail"]),
        GuidePlace(
            "scripting", "CI",
            ["Pipeline", "GitHub Actions", "Continuous integration", "GitLab", "Jenkins", "cron", "Schedule", "Scheduled request"]),
        GuidePlace("scripting", "Install, manual and completion", ["Completion", "man page", "zsh", "fish", "bash"]),
        GuidePlace("scripting", "Editors", ["VS Code", "YAML schema", "Extension", "Plugin of an editor"]),
        GuidePlace("installation", "What is tried", ["macOS", "Mac", "Windows", "WSL"]),
        GuidePlace("installation", "One file", ["Docker", "Container", "Static binary", "arm64", "aarch64", "Raspberry Pi"]),
        GuidePlace("installation", "Packages", ["Install", "Upgrade", "Update the program"]),
        GuidePlace(
            "security", "Workspace trust", ["Trust", "Trust a workspace", "What does trust mean", "Permission", "Allow commands", "sortie trust"]),
        GuidePlace("files", "Files and limits", ["Telemetry", "Privacy", "Tracking"]),
        GuidePlace("settings", "Colours", ["Theme", "Colors", "Color", "Dark", "Light", "Accessibility", "Colour-blind", "Contrast"]),
        GuidePlace("settings", "Layout", ["Layout", "Mouse", "Resize", "Resize a pane", "Zoom", "Full screen", "Split", "Pane", "Tab"]),
        GuidePlace("recipes", "Work in a team", ["Sync", "Team", "Collaborate", "Share a workspace"]),
        GuidePlace("settings", "Keys", ["Keyboard", "Shortcut", "Key bindings", "vi", "vim", "Emacs", "Keymap", "Keybinding", "Hotkey", "Remap"]),
        GuidePlace("settings", "Clipboard and programs", ["Editor", "External editor", "nano", "Clipboard", "Pager", "Copy", "Paste", "Pasteboard"]),
        GuidePlace(
            "transfers", "Downloads",
            ["Download", "Resume", "Range", "Checksum", "SHA-256", "Digest of a file", "wget", "Large file"]),
        GuidePlace("transfers", "Uploads", ["Upload", "Upload a file", "Send a file"]),
        GuidePlace(
            "workspaces", "Begin",
            ["First steps", "Start", "Quick start", "Tutorial", "Scratch", "Scratch workspace", "Paste a curl command", "Paste a URL"]),
        GuidePlace(
            "workspaces", "Variables",
            [
                "uuid", "guid", "timestamp", "date", "random", "Templates", "Template", "Dynamic values", "Variable", "Environment", "Env", "dotenv",
                "Fake data", "Faker", "Global variable",
            ]),
        GuidePlace(
            "workspaces", "Secrets",
            ["Secret", "Password", "Token", "Credential", "pass", "Keyring", "Vault", "1Password", "Password manager"]),
        GuidePlace("workspaces", "How values are inserted", ["URL encode", "Percent-encoding", "Escape"]),
        GuidePlace("workspaces", "workspace.yaml", ["Switch environment", "Environments", "Add an environment", "Create an environment"]),
        GuidePlace("workspaces", "Editing and saving", ["Save", "Draft", "Undo", "Quit", "Exit", "Conflict", "Changed on disk"]),
    ]
}
