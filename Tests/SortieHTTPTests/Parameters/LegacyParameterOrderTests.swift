import SortieHTTP
import Testing

struct FullRequestOrderTests {
    private let time = CalendarTime(year: 2020, month: 3, day: 19, hour: 17, minute: 46, second: 3)
    private let business: [ParameterPair] = [
        .init("version", "3.0"), .init("module", "appguide"), .init("bizContent", #"{"UserId":0}"#), .init("method", "m"),
        .init("clientVersion", "6.4.2"),
    ]

    private var publicPairs: [ParameterPair] {
        LegacyParameterOrder.publicParameters(appId: "100001", appVersion: "1.0", deviceId: "mnsdnjenrjkjke38dajdjwejd", time: time)
    }

    @Test func `public parameters come first, each part sorted by name (S0.29)`() {
        let placement = LegacyParameterOrder().placement(method: .get, public: publicPairs.reversed(), business: business)
        #expect(
            placement.query.map(\.name) == [
                "appId", "appVersion", "device", "deviceId", "lang", "region", "timeStamp", "bizContent", "clientVersion", "method", "module",
                "version",
            ])
        #expect(placement.body.isEmpty)
        #expect(placement.query[6].value == "20200319174603")
    }

    @Test(arguments: [
        (HTTPMethod.get, true), (.head, true), (.delete, true), (.post, false), (.put, false), (.patch, false),
    ])
    func `the method determines whether business parameters are in the query or in the body (S0.29)`(method: HTTPMethod, isInQuery: Bool) {
        let placement = LegacyParameterOrder().placement(method: method, public: publicPairs, business: business)
        #expect(placement.body.isEmpty == isInQuery)
        #expect(placement.query.count == (isInQuery ? 12 : 7))
    }

    @Test func `PUT can have them in the query like the original`() {
        let placement = LegacyParameterOrder(putUsesQuery: true).placement(method: .put, public: publicPairs, business: business)
        #expect(placement.body.isEmpty && placement.query.count == 12)
    }

    @Test func `the signature of an earlier attempt is not a parameter`() {
        let placement = LegacyParameterOrder().placement(method: .get, public: [.init("sign", "old")], business: [.init("sign", "old")])
        #expect(placement.query.isEmpty)
    }

    @Test func `the signature is last and replaces an older one`() throws {
        let url = try HTTPURL(parsing: "http://a.example/g?sign=old&b=%7B&signature=x")
        #expect(LegacyParameterOrder.url(url, signed: "new").description == "http://a.example/g?b=%7B&signature=x&sign=new")
        let bare = try HTTPURL(parsing: "http://a.example/g")
        #expect(LegacyParameterOrder.url(bare, signed: "new").description == "http://a.example/g?sign=new")
    }
}
