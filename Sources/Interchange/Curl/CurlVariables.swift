internal import SortieBase
internal import SortieHTTP

internal import struct FoundationEssentials.Data

/// The variables of curl: `--variable NAME=VALUE` sets one, and `--expand-OPTION` inserts `{{NAME:function}}` into the value of an option.
struct CurlVariables {
    private let source: ImportSource
    private var values: [String: String] = [:]
    /// What is changed or omitted.
    private(set) var notes: [ImportReport.Entry] = []
    /// The bytes that values may still have in all places together, because each variable can have the one before it twice.
    private var budget = 1 << 20

    init(_ source: ImportSource) { self.source = source }

    private mutating func note(_ outcome: ImportReport.Outcome, _ reason: String, _ place: SourceLocation) {
        notes.append(.init(outcome, "curl", "--variable: \(reason)", place: place))
    }

    /// Sets the variable of `NAME=VALUE`, `NAME@FILE`, or `%NAME` with a default behind it, which curl takes from the environment.
    mutating func set(_ text: String, at place: SourceLocation) {
        var pieces = ShellText.pieces(of: text)[...]
        let isFromEnvironment = pieces.first == .byte(0x25)
        if isFromEnvironment { pieces.removeFirst() }
        let letters = pieces.prefix { if case .byte(let byte) = $0 { Self.isNameByte(byte) } else { false } }
        let name = ShellText.text(of: Array(letters))
        let rest = pieces.dropFirst(letters.count)
        let content = ShellText.text(of: Array(rest.dropFirst()))
        guard !name.isEmpty, rest.isEmpty ? isFromEnvironment : rest.first == .byte(0x3d) || rest.first == .byte(0x40) else {
            return note(.omitted, "\(ShellText.display(text)) is not understood; write NAME=VALUE, NAME@FILE or %NAME", place)
        }
        let value: String
        if rest.isEmpty {
            value = ShellText.text(of: [.variable(name)])
        } else if rest.first == .byte(0x3d) {
            value = content
        } else if ShellText.isPlain(content), let bytes = source.file(content) {
            value = ShellText.text(of: bytes.map(ShellText.Piece.byte))
            note(.changed, "the content of \(content) is copied into the endpoint", place)
        } else {
            value = ShellText.text(of: [ShellText.substitution(name)])
            note(
                .changed, "the content of \(ShellText.display(content)) is not known, and is asked for; it must be in the folder of the source", place
            )
        }
        if isFromEnvironment, !rest.isEmpty {
            note(.changed, "the default of %\(name) is used; curl would use the environment variable where it is set", place)
        }
        guard ShellText.spend(value.utf8.count, of: &budget) else { return note(.omitted, "the values are too long", place) }
        values[name] = value
    }

    /// The text with the values of variables; an unknown variable is empty, as for curl.
    mutating func expanded(_ text: String, at place: SourceLocation) -> String {
        var result: [ShellText.Piece] = []
        var rest = ShellText.pieces(of: text)[...]
        let open: [ShellText.Piece] = [.byte(0x7b), .byte(0x7b)]
        while let next = rest.first {
            if next == .byte(0x5c), rest.dropFirst().starts(with: open) {
                result += open
                rest = rest.dropFirst(3)
            } else if rest.starts(with: open), let end = Self.end(of: rest.dropFirst(2)), let value = value(rest[(rest.startIndex + 2)..<end], place)
            {
                result += ShellText.pieces(of: value)
                rest = rest[(end + 2)...]
            } else {
                result.append(next)
                rest.removeFirst()
            }
        }
        return ShellText.text(of: result)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || Unicode.Scalar(byte).isASCII && Character(Unicode.Scalar(byte)).isLetter || (0x30...0x39).contains(byte)
    }

    /// The position of `}}`; nil where there is none.
    private static func end(of pieces: ArraySlice<ShellText.Piece>) -> Int? {
        pieces.indices.dropLast().first { pieces[$0] == .byte(0x7d) && pieces[$0 + 1] == .byte(0x7d) }
    }

    /// The value of `NAME:function:function`; nil for another text, which stays as it is.
    private mutating func value(_ pieces: ArraySlice<ShellText.Piece>, _ place: SourceLocation) -> String? {
        let parts = ShellText.text(of: Array(pieces)).split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard let name = parts.first, !name.isEmpty, name.utf8.allSatisfy(Self.isNameByte) else { return nil }
        if values[name] == nil { note(.changed, "nothing sets \(name), which is empty", place) }
        var value = values[name] ?? ""
        guard ShellText.spend(value.utf8.count, of: &budget) else { return nil }
        for function in parts.dropFirst() {
            guard let changed = Self.apply(function, to: value) else {
                let shown = "{{\(name):\(function)}}"
                note(.changed, "the function of \(shown) is not applied to \(ShellText.display(value)), whose value is not known", place)
                continue
            }
            value = changed
        }
        return value
    }

    /// The result of a function; nil where the value is not known, and for an unknown function.
    private static func apply(_ function: String, to value: String) -> String? {
        guard let bytes = ShellText.bytes(of: value) else {
            // The place of the value in a request determines its notation, which is the one of JSON in a body of JSON.
            if function == "json" { return value }
            guard case .variable(let name)? = ShellText.pieces(of: value).first, function == "url", name.first?.isLetter == true else { return nil }
            return ShellText.text(of: [ShellText.encoded(name)])
        }
        let result: [UInt8]
        switch function {
        case "trim":
            let isBlank: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0d).contains($0) }
            result = Array(bytes.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
        case "json": result = Array(JSONValue.string(String(decoding: bytes, as: UTF8.self)).text.utf8.dropFirst().dropLast())
        case "url": result = Array(PercentEncoding.encode(bytes: bytes, allowed: .unreserved).utf8)
        case "b64": result = Array(Data(bytes).base64EncodedString().utf8)
        case "64dec": result = Data(base64Encoded: Data(bytes)).map(Array.init) ?? Array("[64dec-fail]".utf8)
        default: return nil
        }
        return ShellText.text(of: result.map(ShellText.Piece.byte))
    }
}
