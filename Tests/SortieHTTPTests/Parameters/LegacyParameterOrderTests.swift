import SortieHTTP
import Testing

struct FullRequestOrderTests {
    @Test func `each part is sorted by its decoded names, and items of one name keep their order (S0.29)`() {
        #expect(SignedParameterOrder.sorted("version=3.0&b=2&%61=x&b=1") == "%61=x&b=2&b=1&version=3.0")
        #expect(SignedParameterOrder.sorted("b+c=1&b=2", plusIsSpace: true) == "b=2&b+c=1")
    }

    @Test(arguments: [
        (HTTPMethod.get, true), (.head, true), (.delete, true), (.post, false), (.put, false), (.patch, false),
    ])
    func `the method determines whether business parameters are in the query or in the body (S0.29)`(method: HTTPMethod, isInQuery: Bool) {
        #expect(ParameterPlacement.byMethod.isQuery(for: method, hasBody: false) == isInQuery)
    }

    @Test func `the signature is last and replaces an older one`() throws {
        let url = try HTTPURL(parsing: "http://a.example/g?sign=old&b=%7B&signature=x")
        #expect(SignedParameterOrder.url(url, signed: "new").description == "http://a.example/g?b=%7B&signature=x&sign=new")
        let bare = try HTTPURL(parsing: "http://a.example/g")
        #expect(SignedParameterOrder.url(bare, signed: "new").description == "http://a.example/g?sign=new")
    }
}
