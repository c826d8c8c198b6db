internal import SortieHTTP

extension AuthField {
    /// The name on the Auth tab: that of the key in files, as words.
    var label: String {
        switch name {
        case "clientID": "Client ID"
        case "keyID": "Key ID"
        case "tokenURL": "Token URL"
        case "clientAuthentication": "Client sends"
        default: name.prefix(1).uppercased() + name.dropFirst().reduce(into: "") { $0 += $1.isUppercase ? " \($1.lowercased())" : String($1) }
        }
    }
}
