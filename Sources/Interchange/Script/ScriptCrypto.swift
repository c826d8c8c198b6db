internal import SortieBase

/// The functions of CryptoJS, `btoa` and `atob` for values that the script contains; a workspace has no template for others.
enum ScriptCrypto {
    private static let hashes: [String: HashFunction] = [
        "MD5": .md5, "SHA1": .sha1, "SHA256": .sha256, "SHA384": .sha384, "SHA512": .sha512,
    ]

    private static let encodings: Set = ["Utf8", "Hex", "Base64", "Latin1"]

    /// The paths of the functions.
    static let functions: Set<String> = {
        var paths: Set = ["btoa", "atob"]
        for name in hashes.keys { paths.formUnion(["CryptoJS.\(name)", "CryptoJS.Hmac\(name)"]) }
        for name in encodings { paths.formUnion(["CryptoJS.enc.\(name).parse", "CryptoJS.enc.\(name).stringify"]) }
        return paths
    }()

    /// The result of a function; nil where it is not known, and where the function fails.
    static func result(of path: String, _ arguments: [ScriptValue?]) -> ScriptValue? {
        let first = arguments.first ?? nil
        switch path {
        case "btoa":
            if case .template(let text)? = first { return .base64(ofTemplate: text, after: "") }
            guard let bytes = first?.string.flatMap(latin1) else { return nil }
            return .constant(.string(Base64.text(bytes)))
        case "atob": return first?.string.flatMap(base64).map { .constant(.string(latin1Text($0))) }
        default: break
        }
        let names = path.split(separator: ".").map(String.init)
        if names.count == 4 {
            guard names[3] == "parse" else {
                switch first {
                case .bytes(let bytes)?: return text(of: bytes, in: names[2])
                case .words(let text)? where names[2] == "Base64": return .base64(ofTemplate: text, after: "")
                default: return nil
                }
            }
            if case .template(let text)? = first, names[2] == "Utf8" { return .words(ofTemplate: text) }
            return first?.string.flatMap { bytes(of: $0, in: names[2]) }.map(ScriptValue.bytes)
        }
        guard let name = names.last, let message = first.flatMap(input) else { return nil }
        if let hash = hashes[name] { return arguments.count == 1 ? .bytes(hash.digest(of: message)) : nil }
        guard arguments.count == 2, let hash = hashes[String(name.dropFirst("Hmac".count))], let key = arguments[1].flatMap(input) else { return nil }
        return .bytes(hash.authenticationCode(of: message, key: key))
    }

    /// The result of `toString()` and `toString(CryptoJS.enc.…)`.
    static func text(of bytes: [UInt8], _ arguments: [ScriptValue?]) -> ScriptValue? {
        guard let argument = arguments.first else { return .constant(.string(HexDigits.text(bytes))) }
        guard case .interface(let path)? = argument, path.hasPrefix("CryptoJS.enc.") else { return nil }
        return text(of: bytes, in: String(path.dropFirst("CryptoJS.enc.".count)))
    }

    /// The result of `Buffer.from(TEXT).toString("base64")`.
    static func base64(of text: ScriptValue?) -> ScriptValue? {
        switch text {
        case .constant(.string(let text))?: .constant(.string(Base64.text(text.utf8)))
        case .template(let text)?: .base64(ofTemplate: text, after: "")
        default: nil
        }
    }

    private static func text(of bytes: [UInt8], in encoding: String) -> ScriptValue? {
        let text: String? =
            switch encoding {
            case "Hex": HexDigits.text(bytes)
            case "Base64": Base64.text(bytes)
            case "Latin1": latin1Text(bytes)
            case "Utf8": String(validating: bytes, as: UTF8.self)
            default: nil
            }
        return text.map { .constant(.string($0)) }
    }

    private static func bytes(of text: String, in encoding: String) -> [UInt8]? {
        switch encoding {
        case "Utf8": return Array(text.utf8)
        case "Latin1": return latin1(text)
        case "Base64": return base64(text)
        default: return HexDigits.bytes(text)
        }
    }

    /// A message or a key: the UTF-8 form of a text.
    private static func input(_ value: ScriptValue) -> [UInt8]? {
        if case .bytes(let bytes) = value { return bytes }
        return value.string.map { Array($0.utf8) }
    }

    /// The bytes of a complete text in the standard alphabet; other texts are read in different ways, or are errors.
    private static func base64(_ text: String) -> [UInt8]? {
        guard !text.contains(where: { "-_".contains($0) }), let bytes = Base64.bytes(text), Base64.text(bytes) == text else { return nil }
        return bytes
    }

    private static func latin1(_ text: String) -> [UInt8]? {
        let bytes = text.unicodeScalars.map { UInt8(exactly: $0.value) }
        return bytes.contains(nil) ? nil : bytes.compactMap(\.self)
    }

    private static func latin1Text(_ bytes: [UInt8]) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: bytes.map { Unicode.Scalar($0) })
        return String(text)
    }
}
