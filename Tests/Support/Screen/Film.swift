private import Foundation

/// A session of a program as one image that plays: screens of one size, each with the sentence that explains it and the time for which it is displayed.
///
/// The image is an SVG with an animation in CSS, which browsers play without scripts. The screens are below each other, and the visible part moves from one to
/// the next. Rows that several screens have are stored once.
public struct Film: Sendable {
    private struct Frame {
        var rows: [Int]
        /// The rows as text with escape sequences.
        var text: [String]
        var caption: String
        var seconds: Double
    }

    private var frames: [Frame] = []
    /// The distinct rows, as markup whose upper border is at 0.
    private var rows: [String] = []
    private var numbers: [String: Int] = [:]
    private var size = (width: 0.0, height: 0.0)
    private var columns = 0

    /// Creates a film without frames.
    public init() {}

    /// Adds a screen, which has the size of the others.
    public mutating func append(_ screen: VirtualScreen, _ caption: String, seconds: Double) {
        // One row more, below a blank one, has the caption.
        size = screen.size(of: screen.rowCount + 2)
        let rows = (0..<screen.rowCount).map { number(of: screen.markup(ofRow: $0, at: 0)) }
        columns = screen.columns
        frames.append(Frame(rows: rows, text: screen.textRows, caption: caption, seconds: seconds))
    }

    private mutating func number(of row: String) -> Int {
        if let known = numbers[row] { return known }
        rows.append(row)
        numbers[row] = rows.count - 1
        return rows.count - 1
    }

    /// The image.
    public var svg: String {
        let total = frames.reduce(0) { $0 + $1.seconds }
        var begin = 0.0
        var steps = ""
        for (number, frame) in frames.enumerated() {
            steps += "\(Self.text(100 * begin / total))%{transform:translateY(-\(VirtualScreen.number(Double(number) * size.height))px)}"
            begin += frame.seconds
        }
        let styles = "@keyframes film{\(steps)}.film{animation:film \(VirtualScreen.number(total))s step-end infinite}.c{fill:#ebcb8b}"
        var svg = VirtualScreen.head(size.width, size.height, styles: styles) + "<defs>\n"
        for (number, row) in rows.enumerated() where !row.isEmpty { svg += "<g id=\"r\(number)\">\(row)</g>\n" }
        svg += "</defs>\n<g class=\"film\">\n"
        for (number, frame) in frames.enumerated() {
            svg += "<g transform=\"translate(0,\(VirtualScreen.number(Double(number) * size.height)))\">"
            for (place, row) in frame.rows.enumerated() where !rows[row].isEmpty {
                svg += "<use href=\"#r\(row)\" y=\"\(VirtualScreen.number(VirtualScreen.margin + Double(place) * VirtualScreen.line))\"/>"
            }
            let (x, y) = (VirtualScreen.number(VirtualScreen.margin), VirtualScreen.number(size.height - VirtualScreen.margin))
            svg += "<text class=\"c\" x=\"\(x)\" y=\"\(y)\">\(VirtualScreen.escaped(frame.caption))</text></g>\n"
        }
        return svg + "</g></svg>\n"
    }

    /// The session as an asciicast (version 2): each screen is drawn as a whole, with its sentence below a blank row.
    ///
    /// - Parameter title: The title of the recording.
    public func asciicast(title: String) throws -> String {
        let lines = (frames.first?.text.count ?? 0) + 2
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        struct Header: Encodable {
            var version = 2
            var width: Int
            var height: Int
            var title: String
        }
        func json(_ value: some Encodable) throws -> String { String(decoding: try encoder.encode(value), as: UTF8.self) }
        var cast = try json(Header(width: columns, height: lines, title: title)) + "\n"
        var begin = 0.0
        for frame in frames {
            let drawn = frame.text.enumerated().map { "\u{1B}[\($0.offset + 1);1H\($0.element)" }.joined()
            let caption = "\u{1B}[\(lines);1H\u{1B}[0;93m\(frame.caption)\u{1B}[0m"
            cast += "[\(Self.text(begin)),\"o\",\(try json("\u{1B}[?25l\u{1B}[0m\u{1B}[2J" + drawn + caption))]\n"
            begin += frame.seconds
        }
        // The last screen stays for its time.
        return cast + "[\(Self.text(begin)),\"o\",\"\"]\n"
    }

    /// A number with two digits after the point.
    private static func text(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }

    /// The screens of an image that ``svg`` made: the sentence of each, and its rows without blanks.
    public static func screens(ofSVG svg: String) -> [(caption: String, rows: [String])] {
        var rows: [Substring: String] = [:]
        for row in svg.matches(of: /<g id="(r\d+)">((?:.|\n)*?)<\/g>/) {
            rows[row.1] = VirtualScreen.text(ofSVG: String(row.2)).joined()
        }
        return svg.matches(of: /<g transform="[^"]*">(.*)<\/g>/).map { frame in
            let caption = frame.1.firstMatch(of: /<text class="c"[^>]*>([^<]*)</)?.1 ?? ""
            return (VirtualScreen.unescaped(caption), frame.1.matches(of: /href="#(r\d+)"/).compactMap { rows[$0.1] })
        }
    }
}
