import Foundation
import HistoryModel
import SortieBase
import SortieHTTP
import Testing

@Suite struct HistoryFilterTests {
    /// 2026-11-21T15:00:00Z, a Saturday.
    private let now = Date(timeIntervalSince1970: CalendarTime(year: 2026, month: 11, day: 21, hour: 15).secondsSince1970)

    private func filter(_ text: String, utcOffset: Int = 0) throws -> HistoryFilter {
        try HistoryFilter(parsing: text, now: now, utcOffset: utcOffset)
    }

    private func tests(_ text: String, utcOffset: Int = 0) throws -> [HistoryFilter.Test] {
        try filter(text, utcOffset: utcOffset).terms.map(\.test)
    }

    private func problem(_ text: String) -> String {
        do throws(HistoryFilterProblem) {
            _ = try HistoryFilter(parsing: text, now: now)
            return ""
        } catch { return error.description }
    }

    private func date(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

    @Test(arguments: ["", "  ", "\t\n"])
    func `an empty filter matches everything`(text: String) throws {
        #expect(try filter(text) == HistoryFilter())
    }

    @Test func `plain words must all match, and quoted ones in sequence`() throws {
        #expect(try tests(#"two "in a row" words"#) == [.words(#"two "in a row" words"#, .anywhere)])
        #expect(HistoryFilter.phrases(of: #"two "in a row" words"#) == ["two", "in a row", "words"])
    }

    @Test(arguments: [
        (["status:404", "two", "words"], "status:404 two words"), (["two words"], "\"two words\""), (["-two words"], "-\"two words\""),
        (["workspace:/home/me/My Project", "is:ok"], "workspace:\"/home/me/My Project\" is:ok"), (["-service:my shop"], "-service:\"my shop\""),
        (["http://a/b c"], "http:\"//a/b c\""), (["body:\"a b\" c"], "body:\"a b\" c"), (["status:404 -method:get"], "status:404 -method:get"),
        (["  "], "  "), ([" env: qa 1 "], "env:\"qa 1 \""),
    ])
    func `quotes that the shell removed are restored`(arguments: [String], text: String) {
        #expect(HistoryFilter.text(ofArguments: arguments) == text)
    }

    @Test func `a folder name with a blank is one argument and one term`() throws {
        #expect(try tests(HistoryFilter.text(ofArguments: ["workspace:/home/me/My Project"])) == [.workspace("/home/me/My Project")])
        #expect(try tests(HistoryFilter.text(ofArguments: ["http://a/b c"])) == [.words("\"http://a/b c\"", .anywhere)])
    }

    @Test func `words of one field belong together, and those of other fields are separate`() throws {
        #expect(
            try tests(#"body:a url:b body:"c d" header:etag"#) == [
                .words(#"a "c d""#, .body), .words("b", .url), .words("etag", .header),
            ])
    }

    @Test(arguments: [
        ("404", 404...404), ("5xx", 500...599), ("5XX", 500...599), ("400-499", 400...499), (">=400", 400...999), (">400", 401...999),
        ("<400", 100...399), ("<=399", 100...399), ("=200", 200...200), ("none", 0...0),
    ])
    func `a status is a number, a class, a range or a comparison`(text: String, range: ClosedRange<Int>) throws {
        #expect(try tests("status:\(text)") == [.status(range)])
    }

    @Test func `several values of a field are separate terms`() throws {
        #expect(try tests("status:404,5xx method:get,post") == [.status(404...404), .status(500...599), .method("GET"), .method("POST")])
    }

    @Test(arguments: ["abc", "4", "1000", "99", "499-400", ">", ">=", "4xxx", "0xx", "9xx", "400-", "-400", "1-2-3", ",", ">999"])
    func `an invalid status is rejected with the remedy`(text: String) {
        #expect(problem("status:\(text)").hasPrefix("“status:\(text)” is not a valid filter term: status takes a number, a class like 5xx, a range"))
    }

    @Test func `request fields are compared literally`() throws {
        #expect(
            try tests("service:shop target:orders/list env:develop environment:release tag:slow run:checkout workspace:/a/b/") == [
                .service("shop"), .target("orders/list"), .environment("develop"), .environment("release"), .tag("slow"), .run("checkout"),
                .workspace("/a/b"),
            ])
        #expect(try tests(#"run:"two words""#) == [.run("two words")])
    }

    @Test(arguments: [
        ("failed", HistoryFilter.Test.outcome(.failed)), ("cancelled", .outcome(.cancelled)), ("superseded", .outcome(.superseded)),
        ("answered", .outcome(.answered)), ("ok", .success(.ok)), ("error", .success(.error)), ("pinned", .pinned),
        ("download", .kind(.download)), ("UPLOAD", .kind(.upload)),
    ])
    func `is: matches the result and the kind`(word: String, test: HistoryFilter.Test) throws {
        #expect(try tests("is:\(word)") == [test])
    }

    @Test func `field names and methods are compared without case`() throws {
        #expect(try filter("STATUS:404 Method:post") == filter("status:404 method:POST"))
    }

    @Test func `a minus negates a term`() throws {
        let terms = try filter("-status:200 -word -is:pinned x-y").terms
        #expect(terms.map(\.isNegated) == [true, true, true, false])
        #expect(terms.map(\.test) == [.status(200...200), .words("word", .anywhere), .pinned, .words("x-y", .anywhere)])
    }

    @Test(arguments: [
        ("90s", "2026-11-21T14:58:30Z"), ("30m", "2026-11-21T14:30:00Z"), ("1h", "2026-11-21T14:00:00Z"), ("2d", "2026-11-19T15:00:00Z"),
        ("1w", "2026-11-14T15:00:00Z"), ("2026-11-20", "2026-11-19T23:00:00Z"), ("2026-11-20T10:00", "2026-11-20T09:00:00Z"),
        ("2026-11-20T10:00:30Z", "2026-11-20T10:00:30Z"), ("today", "2026-11-20T23:00:00Z"), ("Yesterday", "2026-11-19T23:00:00Z"),
        ("9:15", "2026-11-21T08:15:00Z"),
    ])
    func `since: counts back from now, or is a wall-clock time`(text: String, moment: String) throws {
        #expect(try tests("since:\(text)", utcOffset: 3600) == [.since(try date(moment))])
    }

    @Test func `until: a day includes the complete day`() throws {
        #expect(try tests("until:2026-11-20") == [.until(try date("2026-11-21T00:00:00Z"))])
        #expect(try tests("until:2026-11-20T10:00") == [.until(try date("2026-11-20T10:00:00Z"))])
    }

    @Test func `a day is the local calendar day`() throws {
        // 15:00 in UTC is the next day in a time zone ten hours ahead.
        #expect(try tests("since:today", utcOffset: 36_000) == [.since(try date("2026-11-21T14:00:00Z"))])
    }

    @Test func `a negated since: is until:, and the narrowest of several applies`() throws {
        #expect(try filter("-since:1h").terms == [.init(.until(try date("2026-11-21T14:00:00Z")))])
        #expect(try tests("since:2h since:1h since:3h") == [.since(try date("2026-11-21T14:00:00Z"))])
        #expect(try tests("until:2h until:1h until:3h") == [.until(try date("2026-11-21T12:00:00Z"))])
    }

    @Test(arguments: ["since:1", "since:h", "until:2026-13-01", "since:2026-11-20T25:00", "since:tomorrow", "since:-1h", "until:10:00:"])
    func `an invalid time is rejected with the remedy`(text: String) {
        #expect(problem(text).contains("takes a time ago (30m, 1h, 2d, 1w), a day (2026-11-21)"))
    }

    @Test func `a misspelt field is not treated as a word`() {
        #expect(problem("statsu:404").contains("there is no field statsu; did you mean status:?"))
        #expect(problem("is:faild").contains("did you mean is:failed? is takes one of answered, failed,"))
    }

    @Test(arguments: [
        "host:a", "name:x", "date:today", "before:1h", "reason:x", "kind:download", "user:me", "text:x", "foo:bar", "-foo:bar", "-user:5", "-x:",
        "a:8080x",
        "Accept:json", "code:404", "a:99999",
    ])
    func `a term of an unknown field is rejected, because a negated one would select everything`(text: String) {
        #expect(problem(text).contains("there is no field "))
        #expect(problem(text).contains("Put it in quotes to search for the text"))
    }

    @Test func `the remedy for an unknown field names a field of that meaning, or all`() {
        #expect(problem("-before:1h").contains("did you mean until:?"))
        #expect(problem("user:me").contains("the fields are status:, service:, target:, endpoint:, env:,"))
    }

    @Test func `endpoint: is another name of target:`() throws {
        #expect(try filter("-endpoint:shop/login").terms == [.init(.target("shop/login"), isNegated: true)])
    }

    @Test(arguments: [
        "http://127.0.0.1:8080/orders", "localhost:8080", "localhost:8080/orders", "10:30", #""status:404""#, #""host:a""#, "-http://a/",
    ])
    func `a colon alone does not make a field`(text: String) throws {
        let plain = text.hasPrefix("-") ? String(text.dropFirst()) : text
        #expect(try tests(text) == [.words(plain, .anywhere)])
        #expect(HistoryFilter.phrases(of: plain) == [plain.filter { $0 != "\"" }])
    }

    @Test func `an empty term is rejected`() {
        #expect(problem("status:").contains("“status:” is not a valid filter term: status: takes a number"))
        #expect(problem("a \"b").contains("its quote \" is not closed"))
        #expect(problem("a - b").contains("no letter or digit"))
        #expect(problem("method:b@d").contains("method takes a method like POST"))
    }

    @Test(arguments: ["status:", "status:4", "since:1", "is:fai", "-", "\"", "method:po", "-status:", "sevrice:x"])
    func `an incomplete term hides nothing`(text: String) {
        let (filter, _) = HistoryFilter.typed("word " + text, now: now)
        #expect(filter.terms == [.init(.words("word", .row))])
    }

    @Test(arguments: ["localhost:", "http:", "http:/", "localhost:8"]) func `an address is searched while it is typed`(text: String) {
        let (filter, problem) = HistoryFilter.typed(text, now: now)
        #expect(filter.terms == [.init(.words(text, .row))] && problem == nil)
    }

    @Test func `ignored parts are reported`() {
        #expect(HistoryFilter.typed("status:4 is:x", now: now).problem?.term == "status:4")
        #expect(HistoryFilter.typed("status:404 word -", now: now).problem == nil)
    }

    @Test func `a phrase may be unterminated while it is typed`() {
        #expect(HistoryFilter.typed("\"two wo", now: now).filter.terms == [.init(.words("\"two wo\"", .row))])
    }

    @Test(arguments: [
        #"two "in a row" -not url:x body:"c d""#, "status:404 status:5xx status:400-450 status:none -status:200", "is:ok -is:pinned is:download",
        "since:2026-11-20T10:00:30Z until:2026-11-21", #"service:shop target:a env:develop method:POST tag:t run:"a b" workspace:/a/b"#,
        "localhost:8080",
    ])
    func `the text of a filter parses as the same filter`(text: String) throws {
        let filter = try filter(text)
        #expect(try self.filter(filter.description) == filter)
    }
}
