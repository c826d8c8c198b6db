import SortieHTTP
import Testing

struct ParameterEncodingTests {
    private func query(_ members: [ParameterValue.Member], _ encoding: ParameterEncoding) throws -> String {
        try encoding.text(of: encoding.pairs(of: members), allowed: .query)
    }

    private static let list: [ParameterValue.Member] = [.init("k", [1, "b"])]

    @Test(arguments: [
        (ParameterEncoding.ArrayStyle.brackets, "k[]=1&k[]=b"), (.indexed, "k[0]=1&k[1]=b"), (.repeated, "k=1&k=b"), (.commaSeparated, "k=1,b"),
    ])
    func `arrays are written in the specified style (S0.32)`(style: ParameterEncoding.ArrayStyle, text: String) throws {
        #expect(try query(Self.list, ParameterEncoding(arrays: style)) == text)
    }

    @Test(arguments: [
        (ParameterEncoding.ArrayStyle.brackets, "k[][a]=1&k[][b]=2"), (.indexed, "k[0][a]=1&k[0][b]=2"), (.repeated, "k[0][a]=1&k[0][b]=2"),
        (.commaSeparated, "k[0][a]=1&k[0][b]=2"),
    ])
    func `objects in arrays can be distinguished`(style: ParameterEncoding.ArrayStyle, text: String) throws {
        #expect(try query([.init("k", [["a": 1, "b": 2]])], ParameterEncoding(arrays: style)) == text)
    }

    @Test func `nested objects are written with brackets, sorted or in the given order`() throws {
        let members: [ParameterValue.Member] = [.init("z", ["b": ["y": 1, "x": 2], "a": 3]), .init("c", 4)]
        #expect(try query(members, ParameterEncoding()) == "z[b][y]=1&z[b][x]=2&z[a]=3&c=4")
        #expect(try query(members, ParameterEncoding(order: .sorted)) == "c=4&z[a]=3&z[b][x]=2&z[b][y]=1")
    }

    @Test func `upper case sorts before lower case, as in the original`() throws {
        let members: [ParameterValue.Member] = [.init("appVersion", 1), .init("appId", 2), .init("Z", 3)]
        #expect(try query(members, ParameterEncoding(order: .sorted)) == "Z=3&appId=2&appVersion=1")
    }

    @Test(arguments: [
        (ParameterEncoding.NullStyle.omit, "b=1"), (.empty, "a=&b=1"), (.keyOnly, "a&b=1"),
    ])
    func `null is written in the specified style (S0.32)`(style: ParameterEncoding.NullStyle, text: String) throws {
        #expect(try query([.init("a", nil), .init("b", 1)], ParameterEncoding(nulls: style)) == text)
    }

    @Test func `booleans are words or numbers`() throws {
        let members: [ParameterValue.Member] = [.init("a", true), .init("b", false)]
        #expect(try query(members, ParameterEncoding(bools: .trueFalse)) == "a=true&b=false")
        #expect(try query(members, ParameterEncoding(bools: .oneZero)) == "a=1&b=0")
    }

    @Test(arguments: [
        (ParameterEncoding.DateStyle.secondsSince1970, "d=1584611163.5"), (.millisecondsSince1970, "d=1584611163500"),
        (.iso8601, "d=2020-03-19T09:46:03Z"),
    ])
    func `dates are written in the specified style`(style: ParameterEncoding.DateStyle, text: String) throws {
        #expect(try query([.init("d", .date(1_584_611_163.5))], ParameterEncoding(dates: style)) == text)
    }

    @Test func `S0.37 an object is one parameter with JSON text where the encoding says so`() throws {
        let business: ParameterValue = ["UserId": 0, "at": .date(0), "in": ["z": nil, "a": true]]
        let encoding = ParameterEncoding(objects: .json, order: .sorted, dates: .secondsSince1970)
        let pairs = encoding.pairs(of: [.init("biz", business), .init("k", [["a": 1], 2])])
        #expect(pairs.map(\.text) == [#"biz={"UserId":0,"at":0,"in":{"a":true,"z":null}}"#, #"k[]={"a":1}"#, "k[]=2"])
    }

    @Test func `a set is sorted and its name repeated for every style of arrays (S0.32)`() throws {
        #expect(try query([.init("s", .set(["b", "c", "a"]))], ParameterEncoding(arrays: .brackets)) == "s=a&s=b&s=c")
    }

    @Test func `empty containers give no parameters`() throws {
        let members: [ParameterValue.Member] = [.init("a", []), .init("b", [:]), .init("c", .set([]))]
        for style in ParameterEncoding.ArrayStyle.allCases { #expect(try query(members, ParameterEncoding(arrays: style)) == "") }
    }

    @Test func `null in a comma-separated list keeps its place unless nulls are omitted`() throws {
        let members: [ParameterValue.Member] = [.init("k", [1, nil, 2])]
        #expect(try query(members, ParameterEncoding(arrays: .commaSeparated, nulls: .empty)) == "k=1,,2")
        #expect(try query(members, ParameterEncoding(arrays: .commaSeparated, nulls: .omit)) == "k=1,2")
    }

    @Test func `a query writes a space as %20 and a form as +`() throws {
        let members: [ParameterValue.Member] = [.init("a b", "c&d=é")]
        #expect(try ParameterEncoding().query(of: members) == "a%20b=c%26d%3D%C3%A9")
        #expect(try ParameterEncoding().form(of: members) == "a+b=c%26d%3D%C3%A9")
    }

    @Test func `brackets are percent-encoded in a query`() throws {
        #expect(try ParameterEncoding().query(of: Self.list) == "k%5B%5D=1&k%5B%5D=b")
    }

    @Test func `names and values are written in the charset (S0.3)`() throws {
        let members: [ParameterValue.Member] = [.init("名", "卫衣")]
        #expect(try ParameterEncoding(charset: .gbk).query(of: members) == "%C3%FB=%CE%C0%D2%C2")
    }

    @Test(arguments: [(3.0, "3"), (0.5, "0.5"), (-2.0, "-2"), (1e20, "1e+20"), (0.1, "0.1")])
    func `a number has no unnecessary fraction`(number: Double, text: String) {
        #expect(ParameterEncoding().pairs(of: [.init("n", .number(number))]).map(\.value) == [text])
    }

    @Test func `JSON numbers keep their text where conversion would change it`() throws {
        let json = try JSONValue(parsing: #"{"a": 1.10, "b": 12345678901234567890123, "c": 7, "d": 1.5, "e": null}"#)
        guard case .object(let members) = ParameterValue(json) else {
            Issue.record("an object stays one")
            return
        }
        #expect(members.map(\.value) == [.string("1.10"), .string("12345678901234567890123"), .integer(7), .number(1.5), .null])
    }
}
