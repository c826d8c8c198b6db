import Foundation

/// Bytes that a test writes as text.
enum Base64 {
    static func decoded(_ text: String) -> [UInt8]? { Data(base64Encoded: text).map(Array.init) }
}
