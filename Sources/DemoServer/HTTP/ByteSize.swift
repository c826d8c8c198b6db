/// Parses a number of bytes: `500000`, `20MB` (powers of 1000), `1.5GiB` (powers of 1024).
struct ByteSize {
    let bytes: Int

    init?(_ text: String) {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let unit = text.dropFirst(digits.count).lowercased()
        let factors: [String: Double] = [
            "": 1, "b": 1, "k": 1e3, "kb": 1e3, "m": 1e6, "mb": 1e6, "g": 1e9, "gb": 1e9, "kib": 1024, "mib": 1_048_576,
            "gib": 1_073_741_824,
        ]
        guard let number = Double(digits), let factor = factors[unit], number * factor < 1e15 else { return nil }
        bytes = Int(number * factor)
    }
}
