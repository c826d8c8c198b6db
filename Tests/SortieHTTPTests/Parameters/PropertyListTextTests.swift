import Foundation
import SortieHTTP
import Testing

struct PropertyListTextTests {
    @Test func `every kind of value has its element (S2.7)`() throws {
        let value: ParameterValue = [
            "z": "a<&>b", "n": 3, "r": 2.5, "t": true, "f": false, "d": .date(1_584_611_163), "l": [1, []], "o": ["k": [:]],
        ]
        #expect(
            try PropertyListText.text(of: value) == """
                <?xml version="1.0" encoding="UTF-8"?>
                <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
                <plist version="1.0">
                <dict>
                \t<key>z</key>
                \t<string>a&lt;&amp;&gt;b</string>
                \t<key>n</key>
                \t<integer>3</integer>
                \t<key>r</key>
                \t<real>2.5</real>
                \t<key>t</key>
                \t<true/>
                \t<key>f</key>
                \t<false/>
                \t<key>d</key>
                \t<date>2020-03-19T09:46:03Z</date>
                \t<key>l</key>
                \t<array>
                \t\t<integer>1</integer>
                \t\t<array/>
                \t</array>
                \t<key>o</key>
                \t<dict>
                \t\t<key>k</key>
                \t\t<dict/>
                \t</dict>
                </dict>
                </plist>

                """)
    }

    @Test func `Foundation reads the same values`() throws {
        let json = try JSONValue(parsing: #"{"s": "a\r\n\t<é😀]]>", "i": 9007199254740993, "d": 1.25, "b": true, "l": ["", {"x": -1}]}"#)
        let data = Data(try PropertyListText.text(of: json).utf8)
        let read = try #require(try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
        #expect(read["s"] as? String == "a\r\n\t<é😀]]>")
        #expect(read["i"] as? Int == 9_007_199_254_740_993)
        #expect(read["d"] as? Double == 1.25)
        #expect(read["b"] as? Bool == true)
        let list = try #require(read["l"] as? [Any])
        #expect(list.first as? String == "" && (list.last as? [String: Int]) == ["x": -1])
    }

    @Test(arguments: [
        (["a": [1, nil]] as ParameterValue, "$.a[1] cannot be in a property list: it is null, which the format does not support; remove it"),
        (["a": "x\u{1}"] as ParameterValue, "$.a cannot be in a property list: its text contains the character U+1, which XML 1.0 forbids"),
        (["a": 1, "a": 2] as ParameterValue, "$.a cannot be in a property list: the name occurs twice; remove one"),
        (.number(.infinity), "$ cannot be in a property list: inf is not a number; remove it"),
    ])
    func `values that the format cannot represent are rejected with their path`(value: ParameterValue, sentence: String) {
        let problem = #expect(throws: PropertyListText.Problem.self) { try PropertyListText.text(of: value) }
        #expect(problem?.description == sentence)
    }
}
