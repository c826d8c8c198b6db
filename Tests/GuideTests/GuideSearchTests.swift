import Testing

@testable import SortieGuide

@Suite struct GuideSearchTests {
    private static let search = GuideSearch()

    /// Questions as people type them in forums, and the part of the guide that has the answer.
    @Test(arguments: [
        ("how to follow redirects", "requests#redirects"), ("ignore certificate errors", "addresses#certificates"),
        ("insecure", "addresses#certificates"),
        ("client certificate", "addresses#certificates"), ("pin a certificate", "addresses#certificates"), ("set a proxy", "addresses#proxies"),
        ("http_proxy", "addresses#proxies"), ("ssh tunnel", "addresses#tunnels"), ("dns over https", "addresses#names"),
        ("resolve host", "addresses#names"),
        ("timeout", "requests#time-limits"), ("retry failed requests", "requests#retries"), ("bearer token", "plugins#token"),
        ("oauth2", "requests#authentication"), ("api key", "requests#authentication"), ("kerberos", "requests#authentication"),
        ("multipart form", "requests#bodies"), ("custom header", "requests#headers"), ("user agent", "requests#headers"),
        ("graphql", "requests#graphql"),
        ("grpc", "requests#grpc"), ("websocket", "requests#websocket"), ("server sent events", "scripting#listen-to-a-connection"),
        ("dry run", "requests#dry-run"), ("upload a file", "transfers#uploads"),
        ("limit download speed", "recipes#download-within-a-limit-and-check-the-digest"),
        ("detach a download", "transfers#detached-downloads"), ("cookies", "cookies"), ("uuid", "workspaces#variables"),
        ("secrets", "workspaces#secrets"),
        ("delete an endpoint", "workspaces#create-rename-delete"), ("import from postman", "import#postman"),
        ("copy as curl", "recipes#take-over-a-curl-command"),
        ("openapi", "import#openapi"), ("mock server", "scripting#mock-a-service"), ("benchmark", "scripting#measure-an-endpoint"),
        ("load test", "scripting#measure-an-endpoint"), ("junit", "runs#reports"), ("github actions ci", "scripting#ci"),
        ("exit code", "scripting#exit-codes"), ("jsonpath filter", "responses#filter-a-body"), ("capture a value", "runs#captures"),
        ("loop", "runs#conditions-and-repetitions"), ("csv data", "runs#data-rows"),
        ("compare responses", "history#comparison"), ("replay", "history#replay"), ("theme", "settings#colours"), ("dark mode", "settings#colours"),
        ("keyboard shortcuts", "settings#keys"), ("clipboard", "settings#clipboard-and-programs"), ("gzip", "responses#charsets-and-codings"),
        ("pagination", "responses#pages"), ("cache", "responses#the-response-cache"), ("images", "responses#images"),
        ("hooks", "plugins#hooks-programs-in-any-language"),
        ("encrypt", "plugins#encrypt"), ("git", "recipes#work-in-a-team"), ("install", "installation#packages"),
        ("disable history", "settings#history"),
        // The words that people search most, alone.
        ("self signed", "addresses#certificates"), ("proxy", "addresses#proxies"), ("redirect", "requests#redirects"),
        ("upload file", "transfers#uploads"), ("multipart", "requests#bodies"), ("bearer", "requests#authentication"),
        ("oauth", "requests#authentication"), ("variables", "workspaces#variables"), ("env", "workspaces#variables"), ("chain", "runs"),
        ("capture", "runs#captures"), ("jq", "responses#filter-a-body"), ("pretty", "responses#in-the-workbench"),
        ("save response", "recipes#save-a-body-to-a-file"), ("resume download", "transfers#downloads"), ("retry", "requests#retries"),
        ("rate limit", "requests#limits-of-a-service"), ("mock", "scripting#mock-a-service"), ("sse", "responses#streams-of-messages"),
        ("import postman", "import#postman"), ("curl", "import#curl"), ("history", "history"), ("diff", "history#comparison"),
        ("export", "import#export"), ("har", "import#har"), ("secret", "workspaces#secrets"), ("keyring", "workspaces#secrets"),
        ("vault", "workspaces#secrets"), ("hook", "plugins#hooks-programs-in-any-language"), ("sign", "plugins#sign"), ("dns", "addresses#names"),
        ("pin certificate", "addresses#certificates"), ("http2", "requests#how-it-is-sent"),
    ])
    func `a question is answered by one of the first three parts`(question: String, address: String) {
        let found = Self.search.matches(for: question, atMost: 3).map(\.address)
        #expect(found.contains(address), "\(found)")
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
        #expect(text.hasPrefix("Requests › How it is sent\n\nRedirects\n"), "\(text)")
        #expect(text.contains("\nMore\n────\n\nsortie guide "), "\(text)")
    }

    @Test func `the best sentence keeps its marks`() {
        let search = GuideSearch([GuideArticle(fileName: "A", markdown: "# A\n\nFirst. A `--proxy *|x*` here. Last.")])
        #expect(search.matches(for: "proxy").map(\.excerpt) == ["A --proxy *|x* here."])
        #expect(MarkdownText.plain(MarkdownText.escaped("A --proxy *|x* `y` [z](u)")) == "A --proxy *|x* `y` [z](u)")
    }
}
