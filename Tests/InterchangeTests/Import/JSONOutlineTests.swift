import Testing

@testable import Interchange

/// Tests the names by which formats of JSON documents are detected.
struct JSONOutlineTests {
    @Test(arguments: [
        (#"{"a": 1, "b": {"c": {"d": {"e": 1}}}}"#, ["a", "b", "b.c", "b.c.d"]), (#"[{"a": 1}, {"b": 1}]"#, ["[].a"]),
        (#"{"l": [{"a": [1]}, {"b": 1}], "m": [1, {"x": 1}], "n\u0065": {}}"#, ["l", "l[].a", "m", "ne"]),
        ("\u{feff}{\"a\": {\"b\": tr", ["a", "a.b"]), (#"{"a": 1, "b": x, "c": 1}"#, ["a", "b"]), ("a: 1", []), ("", []),
    ])
    func `an outline has the names of three levels, of arrays those of the first item, up to the first error`(_ text: String, _ names: [String]) {
        #expect(JSONOutline.names(in: Array(text.utf8)[...]) == Set(names))
    }
}
