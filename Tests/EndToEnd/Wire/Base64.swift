import Foundation

/// Encodes bytes for tests.
enum Base64 {
    static func decoded(_ text: String) -> [UInt8]? { Data(base64Encoded: text).map(Array.init) }
}
