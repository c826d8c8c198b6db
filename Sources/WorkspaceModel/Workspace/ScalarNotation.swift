internal import SortieBase

/// How the value of a key is written.
///
/// A value with one of the first notations is known by a text in its canonical form: `true`, one of the words, decimal digits, or the name of an
/// interface.
package enum ScalarNotation: Sendable {
    /// `true` or `false`; a switch in the workbench.
    case flag
    /// One of these words, in the order of messages and of the reference; the choices are in the order in which they are offered.
    case words([String], choices: [(value: String, detail: String)])
    /// A whole number, and what some of the numbers mean.
    case number(ClosedRange<Int>, meaning: String = "")
    /// A positive number of bytes per second, such as `2MB`.
    case rate
    /// A network interface or a local address.
    case interface
    /// Another one, described for the reader of the reference, or for the user who types the value.
    case other(String)

    /// The form in the reference.
    package var form: String {
        switch self {
        case .flag: "boolean"
        case .words(let words, _): words.map { "`\($0)`" }.joined(separator: ", ")
        case .number(let range, _): "\(range.lowerBound) to \(range.upperBound)"
        case .rate: "bytes a second"
        case .interface: "interface or address"
        case .other(let form): form
        }
    }

    /// What can be typed; nil for a switch and for words, which are chosen.
    package var help: String? {
        switch self {
        case .flag, .words: nil
        case .number(let range, let meaning): "a whole number from \(range.lowerBound) to \(range.upperBound)\(meaning)"
        case .rate: "bytes a second such as 500kB or 2MB, or none"
        case .interface: "an interface such as eth0, an address of this machine, or any"
        case .other(let help): help
        }
    }

    /// The typed text for no value; nil where there is always one.
    var absence: String? {
        switch self {
        case .rate: "none"
        case .interface: "any"
        case .flag, .words, .number, .other: nil
        }
    }

    /// The text that is shown and typed for a canonical one.
    func shown(_ text: String) -> String {
        switch self {
        case .flag: text == "true" ? "on" : "off"
        case .rate: Int64(text).map { RateText.text($0) } ?? text
        case .words, .number, .interface, .other: text
        }
    }

    /// The canonical text for a typed one; nil for an invalid one.
    func canonical(_ typed: String) -> String? {
        switch self {
        case .flag: ["on": "true", "off": "false"][typed]
        case .words(let words, _): words.contains(typed) ? typed : nil
        case .number(let range, _): Int(typed).flatMap { range.contains($0) ? String($0) : nil }
        case .rate: RateText.rate(typed).map { String($0) }
        case .interface: Endpoint.isInterface(typed) ? typed : nil
        case .other: nil
        }
    }
}

/// The notation of the values of a type.
package struct ScalarCodec<Value: Equatable & Sendable>: Sendable {
    /// The notation.
    package let notation: ScalarNotation
    /// The canonical text of a value.
    package let text: @Sendable (Value) -> String
    /// The value of a canonical text; nil for another text.
    package let value: @Sendable (String) -> Value?

    /// Words with what they mean, in the order in which they are offered.
    ///
    /// - Parameter order: The order of messages and of the reference; nil for the same.
    package static func words(
        _ details: KeyValuePairs<Value, String>, order: [Value]? = nil, text: @escaping @Sendable (Value) -> String
    ) -> ScalarCodec {
        let choices = details.map { (value: text($0.key), detail: $0.value) }
        return ScalarCodec(notation: .words(order?.map(text) ?? choices.map(\.value), choices: choices), text: text) { word in
            details.first { text($0.key) == word }?.key
        }
    }
}

extension ScalarCodec where Value: RawRepresentable<String> {
    /// Words that are the raw values.
    package static func words(_ details: KeyValuePairs<Value, String>) -> ScalarCodec { words(details) { $0.rawValue } }
}

extension ScalarCodec where Value: LosslessStringConvertible {
    /// The notation of a type whose descriptions are the canonical texts.
    static func plain(_ notation: ScalarNotation) -> ScalarCodec { ScalarCodec(notation: notation, text: { $0.description }, value: { Value($0) }) }
}

/// A limit of bytes per second, as it is typed.
package enum RateText {
    /// The text of a rate, which means the same when it is parsed.
    package static func text(_ rate: Int64) -> String {
        let text = ByteCount(rate).text
        return ByteCount(parsing: text)?.bytes == rate ? text : String(rate)
    }

    /// The rate of a text such as 2MB; nil where it is not a positive number of bytes.
    package static func rate(_ text: String) -> Int64? { ByteCount(parsing: text).flatMap { $0.bytes > 0 ? $0.bytes : nil } }
}
