import SortieHTTP
import Testing

/// Tests every row of the decision table of a resumed download (S0.12, S2.33).
struct RangeDecisionTests {
    static let tag = "\"v1\""
    static let request = RangeRequest.rest(committed: 400, from: 390, total: 1000, validator: .strong(tag))

    private func answer(
        _ status: Int, _ fields: [String: String], to request: RangeRequest = request, mayAskAgain: Bool = true
    ) -> RangeDecision {
        let headers = Headers(fields.map { HeaderField($0.key.replacing("_", with: "-"), $0.value) })
        return RangeDecision(to: request, status: status, headers: headers, mayAskAgain: mayAskAgain)
    }

    // MARK: The request

    @Test func `a strong validator requests a range that overlaps a little, with If-Range`() {
        let request = RangeRequest.rest(committed: 100_000, total: nil, validator: .strong(Self.tag))
        #expect(request.fields == [HeaderField("Range", "bytes=95904-"), HeaderField("If-Range", Self.tag)])
    }

    @Test func `nothing before the start of a segment is requested`() {
        #expect(Self.request.fields == [HeaderField("Range", "bytes=390-"), HeaderField("If-Range", Self.tag)])
    }

    @Test func `a date requests a range that overlaps, for a comparison`() {
        let date = EntityValidator.lastModified("Sun, 06 Nov 1994 08:49:37 GMT")
        let request = RangeRequest.rest(committed: 100_000, total: nil, validator: date)
        #expect(request.fields == [HeaderField("Range", "bytes=34464-"), HeaderField("If-Range", "Sun, 06 Nov 1994 08:49:37 GMT")])
        #expect(RangeRequest.rest(committed: 10, total: nil, validator: .none).fields == [HeaderField("Range", "bytes=0-")])
    }

    @Test func `a new download has neither range nor condition`() {
        #expect(RangeRequest.whole.fields.isEmpty)
    }

    // MARK: 206

    @Test func `a 206 that begins at the requested offset continues the part`() {
        let exact = answer(206, ["Content-Range": "bytes 390-999/1000", "ETag": Self.tag, "Content-Length": "610"])
        #expect(exact == .append(first: 390, end: 1000, total: 1000))
    }

    @Test func `a 206 that begins earlier is accepted and compared`() {
        #expect(answer(206, ["Content-Range": "bytes 300-999/1000", "ETag": Self.tag]) == .append(first: 300, end: 1000, total: 1000))
    }

    @Test func `a 206 that begins later restarts the download`() {
        for first in [391, 401] {
            #expect(answer(206, ["Content-Range": "bytes \(first)-999/1000", "ETag": Self.tag]) == .startOver(.laterStart))
        }
    }

    @Test func `a 206 that ends earlier is accepted; the rest is requested afterwards`() {
        #expect(answer(206, ["Content-Range": "bytes 390-599/1000"]) == .append(first: 390, end: 600, total: 1000))
    }

    @Test func `a 206 of another file restarts the download`() {
        #expect(answer(206, ["Content-Range": "bytes 390-999/1000", "ETag": "\"v2\""]) == .startOver(.changed))
        #expect(answer(206, ["Content-Range": "bytes 390-1999/2000", "ETag": Self.tag]) == .startOver(.changedLength))
        #expect(answer(206, ["Content-Range": "bytes 390-1999/*", "ETag": Self.tag]) == .startOver(.changedLength))
    }

    @Test(
        arguments: [
            [:], ["Content-Range": "bytes */1000"], ["Content-Range": "bytes 390-1/1000"], ["Content-Range": "lines 400-999/1000"],
            ["Content-Range": "bytes 390-999/1000", "Content-Length": "5"], ["Content-Range": "bytes 0-99/1000"],
            ["Content-Range": "bytes 390-999/1000", "Content-Type": "multipart/byteranges; boundary=x"],
        ] as [[String: String]])
    func `a 206 without its range restarts the download`(fields: [String: String]) {
        #expect(answer(206, fields) == .startOver(.badRange))
    }

    @Test func `a 206 with a content coding restarts the download`() {
        #expect(answer(206, ["Content-Range": "bytes 390-999/1000", "Content-Encoding": "gzip"]) == .startOver(.encoded))
    }

    @Test func `an unrequested 206 is rejected`() {
        #expect(answer(206, ["Content-Range": "bytes 0-999/1000"], to: .whole) == .refuse(status: 206, keepsPart: true))
    }

    @Test func `without a condition the 206 must identify the entity`() {
        let bare = RangeRequest.rest(committed: 400, from: 390, total: 1000, validator: .strong(Self.tag), isConditional: false)
        #expect(bare.fields == [HeaderField("Range", "bytes=390-")])
        #expect(answer(206, ["Content-Range": "bytes 390-999/1000"], to: bare) == .startOver(.changed))
        #expect(
            answer(206, ["Content-Range": "bytes 390-999/1000", "ETag": Self.tag], to: bare) == .append(first: 390, end: 1000, total: 1000))
    }

    // MARK: 200

    @Test func `a first 200 is the file`() {
        #expect(answer(200, ["Content-Length": "1000"], to: .whole) == .replace(total: 1000, because: nil))
        #expect(answer(200, ["Content-Length": "1000", "Transfer-Encoding": "chunked"], to: .whole) == .replace(total: nil, because: nil))
    }

    @Test func `a 200 of another file replaces the part`() {
        #expect(answer(200, ["ETag": "\"v2\"", "Content-Length": "1000"]) == .replace(total: 1000, because: .changed))
        #expect(answer(200, ["ETag": Self.tag, "Content-Length": "999"]) == .replace(total: 999, because: .changedLength))
        #expect(answer(200, [:]) == .replace(total: nil, because: .changed))
    }

    @Test func `a server that ignores ranges with If-Range gets one request without If-Range`() {
        let fields = ["ETag": Self.tag, "Content-Length": "1000", "Accept-Ranges": "bytes"]
        #expect(answer(200, fields) == .askWithoutCondition)
        #expect(answer(200, fields, mayAskAgain: false) == .append(first: 0, end: 1000, total: 1000))
    }

    @Test func `the same file without range support is compared from its beginning`() {
        #expect(answer(200, ["ETag": Self.tag, "Content-Length": "1000"]) == .append(first: 0, end: 1000, total: 1000))
    }

    @Test func `a 200 with a content coding is another file`() {
        let encoded = answer(200, ["ETag": Self.tag, "Content-Length": "1000", "Content-Encoding": "gzip"])
        #expect(encoded == .replace(total: 1000, because: .rangesIgnored))
    }

    // MARK: Another media type

    @Test func `a response of another type discards no part`() {
        let page = ["Content-Type": "Text/HTML; charset=utf-8", "Content-Length": "25"]
        #expect(answer(200, page) == .otherType("text/html"))
        #expect(answer(206, page) == .otherType("text/html"))
        #expect(answer(200, page, to: .whole(insteadOf: 400, total: nil, validator: .none)) == .otherType("text/html"))
        var archive = Self.request
        archive.contentType = "application/zip"
        #expect(answer(200, ["Content-Type": "application/json"], to: archive) == .otherType("application/json"))
        #expect(answer(206, ["Content-Type": "multipart/byteranges; boundary=x"], to: archive) == .startOver(.badRange))
    }

    @Test func `a response without a type, of the same type, or of a type that was unknown is the file in another version`() {
        var page = Self.request
        page.contentType = "text/html; charset=utf-8"
        #expect(answer(200, ["Content-Type": "text/html"], to: page) == .replace(total: nil, because: .changed))
        #expect(answer(200, [:], to: page) == .replace(total: nil, because: .changed))
        #expect(answer(200, ["Content-Type": "application/zip"]) == .replace(total: nil, because: .changed))
    }

    @Test func `the first response may have any type, and so may the same file`() {
        #expect(answer(200, ["Content-Type": "text/html"], to: .whole) == .replace(total: nil, because: nil))
        let same = ["Content-Type": "text/html", "Content-Range": "bytes 390-999/1000", "ETag": Self.tag]
        #expect(answer(206, same) == .append(first: 390, end: 1000, total: 1000))
    }

    // MARK: Other statuses

    @Test func `a part of which nothing is missing is compared and complete`() {
        let whole = RangeRequest.rest(committed: 1000, from: 990, total: nil, validator: .strong(Self.tag))
        #expect(answer(206, ["Content-Range": "bytes 990-999/1000", "ETag": Self.tag], to: whole) == .append(first: 990, end: 1000, total: 1000))
        #expect(answer(206, ["Content-Range": "bytes 990-999/*", "ETag": Self.tag], to: whole) == .startOver(.badRange))
    }

    @Test func `a 416 restarts the download, because the requested bytes exist in the part`() {
        #expect(answer(416, ["Content-Range": "bytes */400"]) == .startOver(.unsatisfiable))
        #expect(answer(416, [:]) == .startOver(.unsatisfiable))
    }

    @Test(arguments: [304, 412]) func `a rejected condition restarts the download without it`(status: Int) {
        #expect(answer(status, [:]) == .startOver(.conditionRefused))
    }

    @Test(arguments: [401, 403, 404, 407, 418]) func `an error status keeps the part`(status: Int) {
        #expect(answer(status, [:]) == .refuse(status: status, keepsPart: true))
    }

    @Test func `a permanently removed file deletes the part`() {
        #expect(answer(410, [:]) == .refuse(status: 410, keepsPart: false))
    }

    @Test(arguments: [408, 425, 429, 500, 503]) func `a temporary error is retried later`(status: Int) {
        #expect(answer(status, [:]) == .tryLater(status: status))
        #expect(answer(status, [:], to: .whole) == .tryLater(status: status))
    }

    // MARK: Resuming without a validator

    private func unvalidated(tag: String? = nil, date: String? = nil) -> RangeRequest {
        var request = RangeRequest.rest(committed: 400, total: 1000, validator: .none)
        (request.entityTag, request.lastModified) = (tag, date)
        return request
    }

    @Test func `a changed weak tag or recent date restarts the download`() {
        let range = ["Content-Range": "bytes 0-999/1000"]
        let monday = "Mon, 07 Nov 1994 08:49:37 GMT"
        let tuesday = "Tue, 08 Nov 1994 08:49:37 GMT"
        func answer(_ fields: [String: String], to request: RangeRequest) -> RangeDecision {
            self.answer(206, range.merging(fields) { $1 }, to: request)
        }
        #expect(answer(["ETag": "W/\"2\""], to: unvalidated(tag: "W/\"1\"")) == .startOver(.changed))
        #expect(answer(["ETag": "W/\"1\""], to: unvalidated(tag: "W/\"1\"", date: monday)) == .append(first: 0, end: 1000, total: 1000))
        #expect(answer(["ETag": "\"1\""], to: unvalidated(tag: "W/\"1\"")) == .append(first: 0, end: 1000, total: 1000))
        #expect(answer(["Last-Modified": tuesday], to: unvalidated(date: monday)) == .startOver(.changed))
        #expect(answer([:], to: unvalidated(tag: "W/\"1\"", date: monday)) == .append(first: 0, end: 1000, total: 1000))
    }

    @Test func `a complete response is compared where it is the same file, and counts as a restart otherwise`() {
        let same = RangeRequest.whole(insteadOf: 400, total: 1000, validator: .strong(Self.tag))
        #expect(same.fields.isEmpty)
        #expect(answer(200, ["ETag": Self.tag, "Content-Length": "1000"], to: same) == .append(first: 0, end: 1000, total: 1000))
        #expect(answer(200, ["ETag": "\"v2\"", "Content-Length": "1000"], to: same) == .replace(total: 1000, because: .changed))
        let unknown = RangeRequest.whole(insteadOf: 400, total: nil, validator: .none)
        #expect(answer(200, [:], to: unknown) == .replace(total: nil, because: .rangesIgnored))
    }
}
