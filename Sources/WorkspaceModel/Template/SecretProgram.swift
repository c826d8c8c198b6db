/// The commands of programs that keep secrets, for which files have short forms.
package enum SecretProgram {
    /// The first line of an entry of `pass`, which is the password by its convention.
    package static func pass(_ path: String) -> String {
        // Not a plain pipe, whose status would not be that of `pass`.
        "entry=$(pass show \(quoted(path))) && printf '%s\\n' \"$entry\" | head -n 1"
    }

    /// The secret with these attributes in the Secret Service, such as GNOME Keyring, KWallet or KeePassXC.
    package static func keyring(_ attributes: [(name: String, value: String)]) -> String {
        "secret-tool lookup \(attributes.map { "\(quoted($0.name)) \(quoted($0.value))" }.joined(separator: " "))"
    }

    /// A field of a secret in the key-value engine of Vault.
    package static func vault(path: String, field: String) -> String {
        "vault kv get \(quoted("-field=\(field)")) \(quoted(path))"
    }

    /// A text without control characters as one word of a POSIX shell (POSIX.1-2017, Shell §2.2).
    private static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
            default: "/._-=@+:".utf8.contains(byte)
            }
        }
        return isPlain && !text.isEmpty ? text : "'\(text.replacing("'", with: #"'\''"#))'"
    }
}
