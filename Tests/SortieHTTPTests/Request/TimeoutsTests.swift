import SortieHTTP
import Testing

/// Tests the total timeout: explicit values, and the default of data requests.
@Suite struct TimeoutsTests {
    @Test func `X1 S0.4 a request without options is a GET, has 10 s to connect, 30 s idle and 60 s in total, and is not cached`() throws {
        let request = Request(url: try HTTPURL(parsing: "http://a.test/"))
        let timeouts = request.options.timeouts
        #expect(request.method == .get && request.body == .none && request.options.cacheLifetime == nil)
        #expect(timeouts.connect == .seconds(10) && timeouts.idle == .seconds(30) && timeouts.total == .seconds(60))
    }

    @Test func `the default total limits a data request but not a transfer`() {
        #expect(Timeouts().total(ofTransfer: false) == .seconds(60))
        #expect(Timeouts().total(ofTransfer: true) == nil)
        #expect(Timeouts(connect: .seconds(1), idle: .seconds(2)).total(ofTransfer: true) == nil)
    }

    @Test func `an explicit total limits both, also when it equals the default`() {
        #expect(Timeouts(total: .seconds(60)).total(ofTransfer: true) == .seconds(60))
        var timeouts = Timeouts()
        timeouts.total = .seconds(5)
        #expect(timeouts.total(ofTransfer: true) == .seconds(5))
        #expect(timeouts.total(ofTransfer: false) == .seconds(5))
        timeouts.total = nil
        #expect(timeouts.total(ofTransfer: false) == nil)
        timeouts.inheritTotal(of: Timeouts())
        #expect(timeouts == Timeouts())
    }

    @Test func `a request with files is an upload, and one of an endpoint for uploads as well`() throws {
        func request(_ body: RequestBody, _ kind: RequestKind? = nil) throws -> Request {
            var request = Request(method: .post, url: try HTTPURL(parsing: "http://a.test/"), body: body)
            if let kind { request.kind = kind }
            return request
        }
        #expect(try request(.file(path: "/f", contentType: nil)).isUpload)
        #expect(try request(.multipart([.init(name: "f", content: .file(path: "/f"))])).isUpload)
        #expect(try request(.bytes([1], contentType: nil), .upload).isUpload)
        #expect(try !request(.multipart([.init(name: "f", content: .bytes([1]))])).isUpload)
        #expect(try !request(.bytes([1], contentType: nil), .data).isUpload)
        #expect(try !request(.none).isUpload)
    }
}
