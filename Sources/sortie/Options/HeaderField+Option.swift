internal import Foundation
internal import Model

extension HeaderField {
    /// Reads `-H 'Name: value'`.
    init(option text: String) throws {
        guard let colon = text.firstIndex(of: ":") else {
            throw CommandFailure(.usage, name: "invalidHeader", "the header “\(text)” has no “:”", hint: "write -H 'Name: value'")
        }
        self.init(String(text[..<colon]), text[text.index(after: colon)...].trimmingCharacters(in: .whitespaces))
        if let problem { throw CommandFailure(.usage, name: "invalidHeader", problem) }
    }
}
