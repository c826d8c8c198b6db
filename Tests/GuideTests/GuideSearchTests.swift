import Testing

@testable import SortieGuide

@Suite struct GuideSearchTests {
    private static let search = GuideSearch()

    /// Questions as people type them in forums, and the part of the guide that has the answer.
    @Test(arguments: [
        ("how to follow redirects", "sending#redirects"), ("ignore certificate errors", "addresses#certificates"),
        ("insecure", "addresses#certificates"),
        ("client certificate", "addresses#certificates"), ("pin a certificate", "addresses#certificates"), ("set a proxy", "addresses#proxies"),
        ("http_proxy", "addresses#proxies"), ("ssh tunnel", "addresses#tunnels"), ("dns over https", "addresses#names"),
        ("resolve host", "addresses#names"),
        ("timeout", "sending#time-limits"), ("retry failed requests", "sending#retries"), ("bearer token", "authentication"),
        ("oauth2", "authentication"), ("api key", "authentication#api-keys"), ("kerberos", "authentication#kerberos"),
        ("multipart form", "bodies"), ("custom header", "requests#headers"), ("user agent", "requests#headers"),
        ("graphql", "graphql"),
        ("grpc", "grpc"), ("websocket", "websocket"), ("server sent events", "websocket#events-and-json-lines"),
        ("dry run", "requests#dry-run"), ("upload a file", "transfers#uploads"),
        ("limit download speed", "recipes#download-within-a-limit-and-check-the-digest"),
        ("detach a download", "transfers#detached-downloads"), ("cookies", "cookies"), ("uuid", "workspaces#variables"),
        ("secrets", "workspaces#secrets"),
        ("delete an endpoint", "workspaces#create-rename-delete"), ("import from postman", "import#postman"),
        ("copy as curl", "import#export"),
        ("openapi", "import#openapi"), ("mock server", "mock"), ("benchmark", "bench"),
        ("load test", "bench"), ("junit", "runs#reports"), ("github actions ci", "scripting#ci"),
        ("exit code", "scripting#exit-codes"), ("jsonpath filter", "responses#filter-a-body"), ("capture a value", "runs#captures"),
        ("loop", "runs#conditions-and-repetitions"), ("csv data", "runs#data-rows"),
        ("compare responses", "history#comparison"), ("replay", "history#replay"), ("theme", "settings#colours"), ("dark mode", "settings#colours"),
        ("keyboard shortcuts", "settings#keys"), ("clipboard", "settings#clipboard-and-programs"), ("gzip", "responses#charsets-and-codings"),
        ("pagination", "responses#pages"), ("cache", "responses#the-response-cache"), ("images", "responses#images"),
        ("hooks", "plugins#hooks-programs-in-any-language"),
        ("encrypt", "plugins#encrypt"), ("git", "recipes#work-in-a-team"), ("install", "installation#packages"),
        ("disable history", "recipes#send-without-a-record-in-the-history"),
        // The words that people search most, alone.
        ("console", "responses#log"), ("log", "responses#log"), ("scratch", "workspaces#begin"), ("minify", "bodies#the-body-editor"),
        ("nano", "settings#clipboard-and-programs"), ("paste", "settings#clipboard-and-programs"), ("copy", "settings#clipboard-and-programs"),
        ("zoom", "settings#layout"), ("resize", "settings#layout"), ("mouse", "settings#layout"), ("accessibility", "settings#colours"),
        ("query", "requests#query"), ("hex", "responses#in-the-workbench"), ("status code", "scripting#format"), ("sync", "recipes#work-in-a-team"),
        ("faker", "workspaces#variables"), ("1password", "workspaces#secrets"), ("clear cookies", "cookies#jars"),
        ("bookmark", "workspaces#create-rename-delete"), ("cancel", "sending#time-limits"), ("conflict", "workspaces#editing-and-saving"),
        ("self signed", "addresses#certificates"), ("proxy", "addresses#proxies"), ("redirect", "sending#redirects"),
        ("upload file", "transfers#uploads"), ("multipart", "bodies"), ("bearer", "authentication"),
        ("oauth", "authentication"), ("variables", "workspaces#variables"), ("env", "workspaces#variables"), ("chain", "runs"),
        ("capture", "runs#captures"), ("jq", "responses#filter-a-body"), ("pretty", "responses#in-the-workbench"),
        ("save response", "recipes#save-a-body-to-a-file"), ("resume download", "transfers#downloads"), ("retry", "sending#retries"),
        ("rate limit", "sending#limits-of-a-service"), ("mock", "mock"), ("sse", "websocket#events-and-json-lines"),
        ("graphql subscription", "graphql#subscriptions"),
        ("device code", "authentication#sign-in-with-a-browser"), ("sign in with aws", "authentication#aws"),
        ("import postman", "import#postman"), ("curl", "import#curl"), ("history", "history"), ("diff", "history#comparison"),
        ("export", "import#export"), ("har", "import#har"), ("secret", "workspaces#secrets"), ("keyring", "workspaces#secrets"),
        ("vault", "workspaces#secrets"), ("hook", "plugins#hooks-programs-in-any-language"), ("sign", "plugins#sign"), ("dns", "addresses#names"),
        ("pin certificate", "addresses#certificates"), ("http2", "sending#options"),
        ("ipv6", "addresses#names"), ("host header", "addresses#names"), ("unix socket", "addresses#tunnels"), ("soap", "bodies"),
        ("xml", "responses#what-a-response-must-be"), ("xpath", "responses#what-a-response-must-be"), ("sigv4", "authentication#aws"),
        ("jwt", "authentication#json-web-tokens"), ("ntlm", "authentication#ntlm"), ("digest auth", "authentication"),
        ("basic auth", "authentication"), ("schedule", "scripting#ci"), ("keybinding", "settings#keys"), ("verbose", "scripting#output"),
        ("debug", "scripting#output"), ("checksum", "transfers#downloads"), ("resume", "transfers#downloads"),
        ("if none match", "responses#the-response-cache"), ("timing", "responses#timing-and-trace"), ("trace", "responses#timing-and-trace"),
        ("assert", "runs#expectations"), ("regex", "runs#expectations"), ("json schema", "responses#what-a-response-must-be"),
        ("environment variable", "files#environment-variables"), ("watch", "runs#runs-at-each-change"),
        ("parallel", "runs#steps-at-the-same-time"), ("follow", "sending#redirects"), ("429", "sending#retries"),
        ("form data", "bodies"), ("query parameters", "requests#query"), ("random value", "workspaces#variables"),
        ("undo", "workspaces#editing-and-saving"), ("rename endpoint", "workspaces#create-rename-delete"),
        ("prompt for a value", "workspaces#prompts"), ("save to file", "recipes#save-a-body-to-a-file"), ("insomnia", "import#insomnia"),
        ("swagger", "import#openapi"), ("mtls", "addresses#certificates"), ("socks", "addresses#proxies"),
        ("pkce", "authentication#sign-in-with-a-browser"), ("latency", "bench"), ("http3", "sending#options"), ("csv", "runs#data-rows"),
        ("poll until ready", "runs#conditions-and-repetitions"), ("vim", "settings#keys"),
        ("bash completion", "scripting#install-manual-and-completion"), ("slow network", "history#network-conditions"), ("websocket", "websocket"),
        ("protobuf", "grpc"), ("brotli", "responses#charsets-and-codings"),
        // Problems, and what people want to do.
        ("connection refused", "scripting#output"), ("certificate expired", "addresses#certificates"),
        ("unable to get local issuer certificate", "addresses#certificates"), ("corporate proxy", "addresses#proxies"),
        ("session cookie", "cookies#jars"), ("base url", "addresses#servers"), ("path parameter", "requests#method-and-url"),
        ("windows authentication", "authentication#ntlm"), ("body from file", "bodies#parts-and-files"),
        ("url encode", "workspaces#how-values-are-inserted"),
        ("global variables", "workspaces#variables"), ("switch environment", "workspaces#workspace-yaml"),
        ("compare environments", "runs#several-environments"), ("save token", "runs#captures"), ("use response in next request", "runs#captures"),
        ("check status code", "runs#expectations"), ("response time", "runs#expectations"),
        ("delay between requests", "runs#conditions-and-repetitions"),
        ("run collection", "coming-from#postman-and-insomnia"), ("repeat request", "history#replay"),
        ("clear history", "history#what-is-stored"), ("download large file", "transfers#downloads"), ("cancel request", "sending#time-limits"),
        ("copy response", "responses#in-the-workbench"),
        ("search in response", "responses#in-the-workbench"), ("word wrap", "responses#in-the-workbench"), ("stdin", "scripting#standard-input"),
        ("post json", "bodies"), ("quit", "workspaces#editing-and-saving"), ("telemetry", "files"),
        ("wait for server", "runs#conditions-and-repetitions"), ("tls version", "addresses#certificates"),
        ("too many redirects", "sending#redirects"), ("set-cookie", "cookies#jars"), ("share with team", "recipes#work-in-a-team"),
        ("ssh clipboard", "settings#clipboard-and-programs"), ("schema validation", "contracts#what-is-compared"), ("mouse", "settings#layout"),
        ("ignore ssl verification", "addresses#certificates"), ("disable ssl verification", "addresses#certificates"),
        ("skip tls verification", "addresses#certificates"), ("ssl handshake failed", "addresses#certificates"), ("keyboard", "settings#keys"),
        ("autocomplete", "requests#typing-in-the-workbench"), ("macos", "installation#what-is-tried"), ("mac", "installation#what-is-tried"),
        ("kubernetes", "addresses#tunnels"), ("401", "authentication"), ("403", "authentication"), ("forbidden", "authentication"),
        ("bug", "scripting#output"), ("connection reset", "scripting#output"), ("trust", "security#workspace-trust"),
        ("pipelining", "sending#options"), ("http/3", "sending#options"),
    ])
    func `a question is answered by one of the first three parts`(question: String, address: String) {
        let found = Self.search.matches(for: question, atMost: 3).map(\.address)
        #expect(found.contains(address), "\(found)")
    }

    /// Questions whose first answer was another part, or a whole article from its top.
    @Test(arguments: [
        ("keyboard", "settings#keys"), ("ssl handshake failed", "addresses#certificates"),
        ("autocomplete", "requests#typing-in-the-workbench"), ("macos", "installation#what-is-tried"),
        ("mac", "installation#what-is-tried"), ("arm64", "installation#one-file"), ("kubernetes", "addresses#tunnels"),
        ("ignore ssl verification", "addresses#certificates"), ("disable ssl verification", "addresses#certificates"),
        ("skip certificate check", "addresses#certificates"), ("trust", "security#workspace-trust"),
        ("trust a workspace", "security#workspace-trust"), ("what does trust mean", "security#workspace-trust"),
        ("pass data between requests", "runs#captures"), ("print only the status code", "scripting#format"),
        ("status code only", "scripting#format"), ("see headers only", "responses#on-stdout"),
        ("show only response headers", "responses#on-stdout"), ("turn off history", "recipes#send-without-a-record-in-the-history"),
        ("add an environment", "workspaces#workspace-yaml"), ("stop on error", "runs#when-a-step-fails"), ("log in", "authentication"),
        ("windows", "installation#what-is-tried"), ("docker", "installation#one-file"), ("extension", "scripting#editors"),
        ("http3", "sending#options"), ("pipelining", "sending#options"), ("429", "sending#retries"),
        ("rate limit", "sending#limits-of-a-service"), ("ipv6", "addresses#names"), ("ipv4", "addresses#names"),
        ("timing", "responses#timing-and-trace"), ("schedule", "scripting#ci"), ("quit", "workspaces#editing-and-saving"),
        ("post json", "bodies"), ("check status code", "runs#expectations"), ("loop", "runs#conditions-and-repetitions"),
        ("save response", "recipes#save-a-body-to-a-file"), ("save to file", "recipes#save-a-body-to-a-file"),
        ("openapi", "import#openapi"), ("junit", "runs#reports"), ("how do I ignore a certificate", "addresses#certificates"),
        ("save cookies", "cookies#jars"), ("repeat a request 100 times", "bench"), ("assert body contains", "runs#expectations"),
        ("kerberos", "authentication#kerberos"), ("ntlm", "authentication#ntlm"), ("jwt", "authentication#json-web-tokens"),
        ("api key", "authentication#api-keys"), ("export", "import#export"), ("trace", "responses#timing-and-trace"),
        ("bearer token", "authentication"), ("graphql", "graphql"), ("cookies", "cookies"), ("upload file", "transfers#uploads"),
        ("curl", "import#curl"), ("import postman", "import#postman"), ("install", "installation#packages"), ("chain", "runs"),
        ("retry", "sending#retries"), ("secrets", "workspaces#secrets"), ("proxy", "addresses#proxies"), ("redirect", "sending#redirects"),
        ("websocket", "websocket"), ("mock server", "mock"), ("benchmark", "bench"),
        ("disable history", "recipes#send-without-a-record-in-the-history"),
    ])
    func `a question is answered by the first part`(question: String, address: String) {
        #expect(Self.search.matches(for: question).first?.address == address, "\(Self.search.matches(for: question).map(\.address))")
    }

    @Test(arguments: ["trust", "export", "ntlm", "timing"]) func `a word of a part is not answered by a whole article`(word: String) {
        #expect(Guide.article(word) == nil && Guide.answer(to: word) != nil)
    }

    @Test func `a word of a title that people type for a part of another article is searched`() {
        #expect(Guide.article("trust") == nil && Guide.article("tools")?.topic == "coming-from")
    }

    @Test(arguments: ["", "how to", "qqqq", "\u{1B}[2J"]) func `words that the guide does not have find nothing`(text: String) {
        #expect(Self.search.matches(for: text).isEmpty)
        #expect(Guide.answer(to: text) == nil)
    }

    @Test func `every part with words is in the guide`() {
        for place in GuidePlace.all {
            #expect(Guide.part("\(place.topic)#\(GuideArticle.anchor(place.heading))") != nil, "\(place.topic): \(place.heading)")
        }
    }

    @Test func `every address that is found is that of a part`() {
        for text in ["request", "file", "json", "the workbench"] {
            for match in Self.search.matches(for: text, atMost: 100) { #expect(Guide.part(match.address) != nil, "\(match.address)") }
        }
    }

    @Test func `a name in the form of a gerund is no form of a verb`() {
        #expect(GuideWords.stem("posting") != GuideWords.stem("post") && GuideWords.stem("pipelining") != GuideWords.stem("pipeline"))
    }

    @Test func `plural, participle and gerund are the same word`() {
        for words in [["retry", "retries"], ["cache", "caching", "cached", "caches"], ["cancel", "cancelled"], ["download", "downloading"]] {
            #expect(Set(words.map(GuideWords.stem)).count == 1, "\(words.map(GuideWords.stem))")
        }
    }

    @Test func `the part has the text below its heading, and its smaller headings`() throws {
        let article = GuideArticle(
            fileName: "A", markdown: "# A\n\nOne.\n\n## B c\n\nTwo.\n\n```\n# no heading\n```\n\n### D\n\nThree.\n\n## E\n\nFour.")
        let part = try #require(article.part("b-c"))
        #expect(part.markdown == "## B c\n\nTwo.\n\n```\n# no heading\n```\n\n### D\n\nThree.\n")
        #expect(article.part("none") == nil)
    }

    @Test func `the answer is the best part, below its headings, and a list of others`() throws {
        let text = try #require(Guide.answer(to: "follow redirects")).text(width: 80)
        #expect(text.hasPrefix("How requests are sent\n\nRedirects\n"), "\(text)")
        #expect(text.contains("\nMore\n────\n\nsortie guide "), "\(text)")
    }

    @Test func `the best sentence keeps its marks`() {
        let search = GuideSearch([GuideArticle(fileName: "A", markdown: "# A\n\nFirst. A `--proxy *|x*` here. Last.")])
        #expect(search.matches(for: "proxy").map(\.excerpt) == ["A --proxy *|x* here."])
        #expect(MarkdownText.plain(MarkdownText.escaped("A --proxy *|x* `y` [z](u)")) == "A --proxy *|x* `y` [z](u)")
    }
}
