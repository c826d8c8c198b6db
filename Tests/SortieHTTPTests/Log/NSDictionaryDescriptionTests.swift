import Testing

@testable import SortieHTTP

struct DictionaryTextTests {
    @Test(arguments: [
        ("appguide", "appguide"), ("92", "92"), ("3.0", "\"3.0\""), ("keep-alive", "\"keep-alive\""), ("en_US", "\"en_US\""), ("", "\"\""),
        ("$null", "\"$null\""), ("application/json", "\"application/json\""), ("a\"b\\c\n", #""a\"b\\c\n""#), ("é中😀", #""\U00e9\U4e2d\Ud83d\Ude00""#),
    ])
    func `a string has quotes as in NSDictionary (S0.35)`(text: String, quoted: String) {
        #expect(NSDictionaryDescription.quoted(text) == quoted)
    }

    @Test func `nested values are indented as in NSDictionary`() {
        let members: [ParameterValue.Member] = [
            .init("b", ["y": 1, "x": [["k": true], "s-t", nil]]), .init("a", []), .init("c", [:]), .init("e", 1.5), .init("d", .date(1_584_611_163)),
        ]
        #expect(
            NSDictionaryDescription.text(of: members) == """
                {
                    a =     (
                    );
                    b =     {
                        x =         (
                                        {
                                k = 1;
                            },
                            "s-t",
                            "<null>"
                        );
                        y = 1;
                    };
                    c =     {
                    };
                    d = "2020-03-19 09:46:03 +0000";
                    e = "1.5";
                }
                """)
    }

    @Test func `header fields with the same name are one entry`() {
        let headers: Headers = [HeaderField("Set-Cookie", "a=1"), HeaderField("B", "2"), HeaderField("set-cookie", "c=3")]
        #expect(NSDictionaryDescription.text(of: headers) == "{\n    B = 2;\n    \"Set-Cookie\" = \"a=1, c=3\";\n}")
    }
}
