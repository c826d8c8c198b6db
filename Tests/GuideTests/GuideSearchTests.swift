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
        ("timeout", "sending#time-limits"), ("retry failed requests", "sending#retries"), ("bearer token", "plugins#token"),
        ("oauth2", "authentication"), ("api key", "authentication"), ("kerberos", "authentication"),
        ("multipart form", "bodies"), ("custom header", "requests#headers"), ("user agent", "requests#headers"),
        ("graphql", "graphql"),
        ("grpc", "grpc"), ("websocket", "websocket"), ("server sent events", "websocket#listen-in-a-shell"),
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
        ("disable history", "settings#history"),
        // The words that people search most, alone.
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
        ("if none match", "responses#the-response-cache"), ("timing", "responses#in-the-workbench"), ("trace", "responses#in-the-workbench"),
        ("assert", "runs#expectations"), ("regex", "runs#expectations"), ("json schema", "responses#what-a-response-must-be"),
        ("environment variable", "files#environment-variables"), ("watch", "runs#runs-at-each-change"),
        ("parallel", "runs#steps-at-the-same-time"), ("follow", "sending#redirects"), ("429", "sending#limits-of-a-service"),
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
        ("autocomplete", "scripting#install-manual-and-completion"), ("macos", "installation#what-is-tried"), ("mac", "installation#what-is-tried"),
        ("kubernetes", "addresses#tunnels"), ("401", "authentication"), ("403", "authentication"), ("forbidden", "authentication"),
        ("bug", "scripting#output"), ("connection reset", "scripting#output"), ("trust", "security#workspace-trust"),
        ("pipelining", "sending#options"), ("http/3", "sending#options"),
    ])
    func `a question is answered by one of the first three parts`(question: String, address: String) {
        let found = Self.search.matches(for: question, atMost: 3).map(\.address)
        #expect(found.contains(address), "\(found)")
    }

    @Test func `a word of a title that people type for a part of another article is searched`() {
        #expect(Guide.article("trust") == nil && Guide.article("tls")?.topic == "addresses")
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
