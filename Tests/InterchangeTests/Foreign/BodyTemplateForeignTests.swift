import Testing
import WorkspaceModel

@testable import Interchange

/// Tests the bodies that imports make of texts.
struct BodyTemplateForeignTests {
    private static let type = "application/x-www-form-urlencoded"

    @Test(arguments: [
        "a=1\nb=2", "a=%zz", "a=b;c", "x= y", "a=1&&b=2", "a=1&", "a=%2f", "a=b%20c", "a=\u{e9}", "a", "=b", "a={{v}}&b=x y", "a={{$braces}}",
        "a={{v", "a={{$date x&y}}",
    ])
    func `a form that rows would send with other bytes is a text`(_ text: String) {
        #expect(BodyTemplate.foreign(text, contentType: Self.type) == .text(text, contentType: Self.type))
    }

    @Test func `a form that rows send with the same bytes is a form`() throws {
        let text = "a=b+c&d={{e}}%2F{{f|raw}}&g=%7B%7B&h="
        let rows = [Parameter("a", "b c"), Parameter("d", "{{e}}/{{f|raw}}"), Parameter("g", "{{$braces}}"), Parameter("h", "")]
        #expect(BodyTemplate.foreign(text, contentType: Self.type) == .form(rows))
        #expect(rows.formText == text)
        // The type of a form has no charset.
        let other = Self.type + "; charset=gbk"
        #expect(BodyTemplate.foreign(text, contentType: other) == .text(text, contentType: other))
    }
}
