/// Texts of the content routes.
enum Samples {
    static let html = """
        <!DOCTYPE html>
        <html lang="en">
        <head><meta charset="utf-8"><title>Sortie demo</title></head>
        <body>
          <h1>Grüße &amp; 你好</h1>
          <p>A <b>small</b> page with <a href="/echo?from=html">a link</a>, a list<br>and a table.</p>
          <ul><li>one</li><li>two</li></ul>
          <table><tr><th>city</th><th>°C</th></tr><tr><td>Köln</td><td>7</td></tr><tr><td>上海</td><td>14</td></tr></table>
          <script>alert("not run")</script>
        </body>
        </html>

        """

    static let xml = """
        <?xml version="1.0" encoding="UTF-8"?>
        <orders xmlns="urn:sortie:demo" total="2">
          <order id="1"><title>青花瓷茶杯</title><price currency="EUR">19.90</price></order>
          <order id="2"><title><![CDATA[Crème <brûlée>]]></title><price currency="EUR">7.25</price></order>
          <!-- a comment -->
        </orders>

        """

    static let csv = #"""
        id,title,price,sold
        1001,青花瓷茶杯,19.90,true
        1002,"Teapot, ""small""",7.25,false
        1003,Matcha,101.5,true
        1004,Crème brûlée,,false
        1005,Oolong,12,true

        """#

    static let plist = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
          <key>name</key><string>青花瓷茶杯</string>
          <key>price</key><real>9.5</real>
          <key>tags</key><array><string>tea</string><string>blue</string></array>
          <key>sold</key><false/>
        </dict>
        </plist>

        """

    static let text = """
        Wide:       你好，世界 こんにちは 안녕하세요 ｆｕｌｌ
        Emoji:      👋 👍🏽 👩‍👩‍👧‍👦 🇩🇪 ❤️ 1️⃣ 🏳️‍🌈
        Combining:  é (e + U+0301), ñ, Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘
        Right-left: שלום עולם — مرحبا بالعالم
        Tabs:       a\tbb\tccc\tend
        Zero width: a\u{200B}b\u{200D}c\u{FEFF}d
        Long line:  \(String(repeating: "0123456789 ", count: 60))
        Maths:      ∑ ∫ √ ≠ ≤ ∞ 𝔘𝔫𝔦𝔠𝔬𝔡𝔢
        Boxes:      ┌──┬──┐ │▉▊▋│ └──┴──┘

        """

    /// Escape sequences that would change colours, clear the screen, set the title, move the cursor, write to the
    /// clipboard, create links or request a report.
    static let escapes =
        "plain line\n" + "\u{1B}[31mred\u{1B}[0m, \u{1B}[2J\u{1B}[Hcleared, \u{1B}[10;10Hmoved\n"
        + "\u{1B}]0;title taken\u{07}title, \u{1B}]52;c;c3RvbGVu\u{07}clipboard, "
        + "\u{1B}]8;;http://example.invalid\u{1B}\\link\u{1B}]8;;\u{1B}\\\n"
        + "\u{1B}[6nreport, \u{1B}[?1049halternate screen, \u{1B}[?25lhidden cursor, \u{1B}P+q544e\u{1B}\\device control\n"
        + "back\u{08}\u{08}\u{08}\u{08}space, carriage\rreturn, bell\u{07}, "
        + "delete\u{7F}, C1 \u{9B}31m\u{85}next line, shift out\u{0E}\n"
        + "bidi \u{202E}reversed\u{202C} end\n"

    /// Only ESC and printable bytes, so that every client parses the field.
    static let escapeHeader = "\u{1B}[31mred\u{1B}[0m \u{1B}]0;title taken\u{1B}\\ \u{1B}[2J"
}
