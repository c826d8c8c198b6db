import FoundationEssentials
import SortieHTTP
import Testing

struct ParameterValueEncodableTests {
    private struct Search: Encodable {
        struct Area: Encodable {
            var city: String
            var near: Double?
        }
        var text = "a b"
        var page: UInt8 = 2
        var isExact = true
        var ratio: Float = 0.1
        var since = Date(timeIntervalSince1970: 1_584_611_163)
        var area: Area? = Area(city: "Köln")
        var tags: Set = ["b", "a"]
        var ids = [3, 1]
        var none: Int?
        var link = URL(string: "http://a.example/?q=1")
        var big = UInt64.max
    }

    @Test func `S3.5 the properties of a type are its parameters, in their order and with their types`() throws {
        let members = try ParameterValue.members(encoding: Search())
        #expect(
            members == [
                .init("text", "a b"), .init("page", 2), .init("isExact", true), .init("ratio", 0.1), .init("since", .date(1_584_611_163)),
                .init("area", ["city": "Köln", "near": nil]), .init("tags", members[6].value), .init("ids", [3, 1]), .init("none", nil),
                .init("link", "http://a.example/?q=1"), .init("big", "18446744073709551615"),
            ])
        guard case .set(let tags) = members[6].value else { return #expect(Bool(false)) }
        #expect(Set(tags) == ["a", "b"])
    }

    @Test func `S3.5 an optional property without a value is written in the style of null`() throws {
        struct One: Encodable { var none: Int? }
        let members = try ParameterValue.members(encoding: One())
        #expect(try ParameterEncoding(nulls: .omit).query(of: members) == "")
        #expect(try ParameterEncoding(nulls: .keyOnly).query(of: members) == "none")
    }

    @Test func `a value without names has no parameters`() {
        #expect(throws: EncodingError.self) { try ParameterValue.members(encoding: [1, 2]) }
    }
}
