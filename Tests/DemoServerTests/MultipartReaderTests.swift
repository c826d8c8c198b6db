import Foundation
import Testing

@testable import SortieDemoServer

@Suite struct MultipartReaderTests {
    private static let form = Data(
        ("preamble\r\n--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nvalue\r\n--y\r\n--\r\n--x\r\n"
            + "Content-Disposition: form-data; name=\"f\"; filename=\"q\\\"u; o.txt\"\r\n"
            + "Content-Type: text/x\r\n\r\n\r\n--x--\r\nepilogue")
            .utf8)

    @Test(arguments: 1...40)
    func `parts are found in chunks of any size`(size: Int) throws {
        var reader = try #require(MultipartReader(contentType: "multipart/form-data; boundary=\"x\""))
        var rest = Self.form[...]
        while !rest.isEmpty {
            reader.add(Data(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        reader.finish()
        #expect(reader.problem == nil)
        #expect(reader.parts.map(\.name) == ["a", "f"])
        #expect(reader.parts.map(\.filename) == [nil, "q\"u; o.txt"])
        #expect(reader.parts.map(\.type) == [nil, "text/x"])
        #expect(reader.parts.map(\.digest.bytes) == [14, 0])
        #expect(reader.parts.map(\.digest.hex) == ["value\r\n--y\r\n--", ""].map { Data($0.utf8).sha256 })
    }

    @Test func `a body without its last boundary is reported as truncated`() throws {
        var reader = try #require(MultipartReader(contentType: "multipart/form-data; boundary=x"))
        reader.add(Data("--x\r\n\r\nabc".utf8))
        reader.finish()
        #expect(reader.problem?.contains("closing boundary") == true)
    }

    @Test(arguments: [nil, "", "text/plain; boundary=x", "multipart/form-data", "multipart/form-data; boundary="] as [String?])
    func `a body with another content type is not parsed as a form`(type: String?) {
        #expect(MultipartReader(contentType: type) == nil)
    }
}
