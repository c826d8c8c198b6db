import Testing

@testable import SortieDemoServer

@Suite struct GatewaySignatureTests {
    private static let secret = "eiifs9wesdfsjes"
    private static let golden =
        "appId=100001&appVersion=1.0&device=iOS&deviceId=mnsdnjenrjkjke38dajdjwejd&lang=zh-cn&region=cn&timeStamp=20200319174603"
        + "&bizContent=%7B%22UserId%22%3A0%7D"
        + "&clientVersion=6.4.2&method=HomePageManager.GetHomePageInfo&module=appguide&version=3.0"

    private func signature(
        _ method: String, _ query: String, body: GatewaySignature.Body = .none, authorization: String = ""
    ) -> GatewaySignature {
        GatewaySignature(
            method: method, path: "/gateway", query: QueryItems(query, plusIsSpace: false), body: body,
            authorization: authorization)
    }

    @Test func `the golden vector verifies (S0.30)`() {
        let golden = signature("GET", Self.golden, authorization: "Bearer dskjjjjdj3dsjs")
        #expect(golden.sign(secret: Self.secret) == "99bc3ea55d28dc5c2f7a8ed0c458e9d7")
    }

    @Test func `GET keeps the order of the URL and excludes the signature (S0.30)`() {
        #expect(signature("GET", "b=2&sign=x&a=%20+1").base(secret: "S") == "GET/gateway?b=2&a= +1S")
    }

    @Test func `a form is sorted together with the query (S0.30)`() {
        let form = QueryItems("d=4&c=a+b", plusIsSpace: true)
        #expect(
            signature("POST", "z=1&a=2", body: .form(form), authorization: "T").base(secret: "S")
                == "POST/gateway?a=2&c=a b&d=4&z=1ST")
    }

    @Test func `JSON is one item with the unparsed body (S0.30)`() {
        let base = signature("PUT", "z=1&a=2", body: .json("{\"k\": 1}")).base(secret: "S")
        #expect(base == "PUT/gateway?a=2&jsonBody={\"k\": 1}&z=1S")
    }

    @Test func `a changed value changes the signature (S0.30)`() {
        let other = Self.golden.replacing("6.4.2", with: "6.4.3")
        #expect(
            signature("GET", other, authorization: "Bearer dskjjjjdj3dsjs").sign(secret: Self.secret)
                != "99bc3ea55d28dc5c2f7a8ed0c458e9d7")
    }
}
