/// A character encoding that the C library decodes: those of the WHATWG Encoding standard except UTF-8, UTF-16 and windows-1252, which the views
/// decode themselves.
package struct BodyCharset: Hashable, Sendable {
    /// The name for messages and records, such as `GB18030`.
    package let name: String
    /// The iconv name of the encoding with which browsers decode this charset.
    let converter: String
    /// Whether some characters take two bytes or more.
    let isMultiByte: Bool

    private init(_ name: String, _ converter: String? = nil, isMultiByte: Bool = false) {
        self.name = name
        self.converter = converter ?? name
        self.isMultiByte = isMultiByte
    }

    /// Creates the charset of a label in any spelling; nil for labels of other encodings and unknown ones.
    package init?(label: String) {
        let plain = Self.plain(label)
        guard let found = Self.byLabel[plain] ?? Self.numbered(plain) else { return nil }
        self = found
    }

    /// A label in lowercase without separators, so that `Shift_JIS`, `shift-jis` and `shiftjis` are equal.
    package static func plain(_ label: String) -> String {
        String(label.lowercased().filter { !"-_ :.".contains($0) })
    }

    /// The charset of a label in the families that differ only by a number.
    private static func numbered(_ label: String) -> BodyCharset? {
        for prefix in ["iso8859", "windows", "cp", "xcp"] where label.hasPrefix(prefix) {
            guard let number = Int(label.dropFirst(prefix.count)) else { continue }
            if prefix == "iso8859", let name = isoNames[number] { return name }
            if prefix != "iso8859", [866, 874, 1250, 1251, 1253, 1254, 1255, 1256, 1257, 1258].contains(number) {
                return BodyCharset(number == 866 ? "IBM866" : "windows-\(number)", "CP\(number)")
            }
        }
        return nil
    }

    /// The parts of ISO 8859; browsers decode parts 9 and 11 as the Windows code pages that extend them.
    private static let isoNames: [Int: BodyCharset] = {
        var names: [Int: BodyCharset] = [9: BodyCharset("ISO-8859-9", "CP1254"), 11: BodyCharset("ISO-8859-11", "CP874")]
        for part in [2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16] { names[part] = BodyCharset("ISO-8859-\(part)") }
        return names
    }()

    private static let byLabel: [String: BodyCharset] = {
        let charsets: [(BodyCharset, [String])] = [
            (BodyCharset("GB18030", isMultiByte: true), ["gb18030"]),
            (
                BodyCharset("GBK", "GB18030", isMultiByte: true),
                ["gbk", "xgbk", "gb2312", "gb231280", "euccn", "cp936", "ms936", "chinese", "csgb2312"]
            ),
            (BodyCharset("Big5", "BIG5-HKSCS", isMultiByte: true), ["big5", "big5hkscs", "cnbig5", "xxbig5", "csbig5", "cp950"]),
            (
                BodyCharset("Shift_JIS", "CP932", isMultiByte: true),
                ["shiftjis", "sjis", "xsjis", "windows31j", "mskanji", "ms932", "cp932", "csshiftjis"]
            ),
            (BodyCharset("EUC-JP", isMultiByte: true), ["eucjp", "xeucjp", "ujis"]),
            (BodyCharset("ISO-2022-JP", isMultiByte: true), ["iso2022jp", "csiso2022jp"]),
            (
                BodyCharset("EUC-KR", "CP949", isMultiByte: true),
                ["euckr", "ksc5601", "ksc56011987", "ksx1001", "korean", "windows949", "cp949", "uhc", "cseuckr"]
            ),
            (BodyCharset("KOI8-R"), ["koi8r", "koi8", "koi", "cskoi8r"]), (BodyCharset("KOI8-U"), ["koi8u", "koi8ru"]),
            (BodyCharset("macintosh", "MACINTOSH"), ["macintosh", "mac", "xmacroman", "csmacintosh"]),
            (BodyCharset("IBM866", "CP866"), ["ibm866", "csibm866"]), (BodyCharset("ISO-8859-11", "CP874"), ["tis620", "dos874"]),
            (isoNames[2] ?? BodyCharset("ISO-8859-2"), ["latin2", "l2"]), (BodyCharset("ISO-8859-9", "CP1254"), ["latin5", "l5"]),
            (BodyCharset("ISO-8859-15"), ["latin9", "l9"]), (BodyCharset("ISO-8859-5"), ["cyrillic"]), (BodyCharset("ISO-8859-7"), ["greek"]),
            (BodyCharset("ISO-8859-8"), ["hebrew", "iso88598i", "iso88598e"]), (BodyCharset("ISO-8859-6"), ["arabic"]),
        ]
        return Dictionary(charsets.flatMap { charset, labels in labels.map { ($0, charset) } }) { first, _ in first }
    }()
}
