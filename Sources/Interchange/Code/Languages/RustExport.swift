internal import SortieBase

/// Exports requests as a Rust program that uses reqwest.
package enum RustExport: CodeLanguage {
    package static let name = "rust"
    package static let title = "Rust with reqwest (Cargo.toml: reqwest = { version = \"0.12\", features = [\"blocking\"] })"
    package static let fileExtension = "rs"
    package static let capitals = false
    package static let helpers = [
        (
            name: "env(",
            source: "fn env(name: &str) -> String {\n    std::env::var(name).unwrap_or_else(|_| panic!(\"set {} before\", name))\n}"
        ),
        (
            name: "urlencode(",
            source: """
            fn urlencode(text: String) -> String {
                let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
                text.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{:02X}", byte) }).collect()
            }
            """
        ),
        (
            name: "jsontext(",
            source: """
            fn jsontext(text: String) -> String {
                let escape = |c: char| match c {
                    '"' | '\\\\' => format!("\\\\{}", c),
                    c if (c as u32) < 0x20 => format!("\\\\u{:04x}", c as u32),
                    c => c.to_string(),
                };
                text.chars().map(escape).collect()
            }
            """
        ),
        (
            name: "xmltext(",
            source:
                "fn xmltext(text: String) -> String {\n    text.replace('&', \"&amp;\").replace('<', \"&lt;\").replace('\"', \"&quot;\")\n}"
        ),
        (
            name: "base64(",
            source: """
            fn base64(text: impl AsRef<str>) -> String {
                const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
                let mut result = String::new();
                for chunk in text.as_ref().as_bytes().chunks(3) {
                    let bits = chunk.iter().fold(0u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
                    for index in 0..4 {
                        let digit = DIGITS[(bits >> (18 - 6 * index) & 63) as usize];
                        result.push(if index <= chunk.len() { char::from(digit) } else { '=' });
                    }
                }
                result
            }
            """
        ),
    ]

    package static func literal(_ text: String) -> String { quoted(text) { "\\u{\(String($0.value, radix: 16))}" } }
    package static func join(_ texts: [String]) -> String {
        "[\(texts.map { $0.hasPrefix("\"") ? $0 : "\($0).as_str()" }.joined(separator: ", "))].concat()"
    }
    package static func bytes(ofText text: String) -> String { "\(text).as_bytes().to_vec()" }
    package static func bytes(ofFile path: String) -> String { "std::fs::read(\(path))?" }
    package static func bytes(_ bytes: [UInt8]) -> String {
        let content = bytes.map { byte in
            let isPlain = (0x20...0x7e).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
            return isPlain ? String(UnicodeScalar(byte)) : "\\x" + HexDigits.text(of: byte, digits: 2)
        }
        return "b\"\(content.joined())\".to_vec()"
    }
    package static func join(bytes: [String]) -> String { "[\(bytes.joined(separator: ", "))].concat()" }

    private static let result = "Result<reqwest::blocking::Response, Box<dyn std::error::Error>>"

    package static func function(_ request: CodeRequest) -> [String] {
        let policy = request.redirects > 0 ? "limited(\(request.redirects))" : "none()"
        let limit = request.timeout.map { "std::time::Duration::from_millis(\($0))" } ?? "None::<std::time::Duration>"
        var lines = [
            "fn \(request.function)() -> \(result) {", "    let client = reqwest::blocking::Client::builder()",
            "        .redirect(reqwest::redirect::Policy::\(policy))", "        .timeout(\(limit))", "        .build()?;", "    Ok(client",
            "        .request(reqwest::Method::from_bytes(b\(request.method))?, \(request.url))",
        ]
        lines += request.headers.map { "        .header(\($0.name), \($0.value))" }
        switch request.body {
        case .none: break
        case .text(let body), .bytes(let body): lines.append("        .body(\(body))")
        }
        return lines + ["        .send()?)", "}"]
    }

    package static func program(_ program: CodeProgram) -> String {
        let names = program.requests.map(\.function)
        return program.comment.joined(separator: "\n") + "\n\n" + (program.helpers + program.functions).joined(separator: "\n") + """

            fn main() -> Result<(), Box<dyn std::error::Error>> {
                let requests: [fn() -> \(result); \(names.count)] = [\(names.joined(separator: ", "))];
                for send in requests {
                    let response = send()?;
                    let status = response.status();
                    println!("{} {}", status.as_u16(), response.text()?);
                }
                Ok(())
            }

            """
    }
}
