internal import SortieBase

/// The source of a secret's value; a workspace never contains the value itself.
package enum SecretSource: Hashable, Sendable {
    /// An environment variable.
    case environment(String)
    /// The output of a command, without the last line break.
    case command(String)
    /// The store of the user (`sortie secret set`), under this name.
    case stored(String)
    /// A variable of an environment file (`envFiles:`), by the absolute path of the file.
    case file(String, variable: String)
}

extension SecretSource {
    /// The source as a preview names it.
    package var text: String {
        switch self {
        case .environment(let name): "env \(name)"
        case .command(let text): "command \(text)"
        case .stored(let name): "stored secret \(name)"
        case .file(let path, let name): "\(name) of \(FilePath.name(of: path))"
        }
    }

    /// Why a name cannot be that of a stored secret; nil for a valid one.
    package static func problem(ofStored name: String) -> String? {
        let isValid = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
            default: "._-/".utf8.contains(byte)
            }
        }
        guard isValid, !name.isEmpty, name.utf8.count <= 200, !name.hasPrefix("-") else {
            return "“\(name.prefix(60))” is not a name of a stored secret; use letters, digits, “.”, “_”, “/” and “-”, not at the start, at most 200"
        }
        return nil
    }
}

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
        QuotedText.isShellWord(text) ? text : QuotedText.inApostrophes(text)
    }
}
