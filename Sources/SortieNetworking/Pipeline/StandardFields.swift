internal import Foundation
internal import Glibc
internal import SortieBase
internal import SortieHTTP

/// The fields that a client adds to every request that neither has nor removes them.
public struct StandardFields: Hashable, Sendable {
    /// The value of `User-Agent` (RFC 9110 §10.1.5).
    public let userAgent: String
    /// The value of `Accept-Language` (RFC 9110 §12.5.4); nil sends none.
    public let acceptLanguage: String?

    /// Creates fields for an application; the user agent is `APPLICATION/VERSION (SYSTEM)`, such as `Shop/2.1 (Linux 6.1; x86_64)`.
    ///
    /// - Parameters:
    ///   - application: The name, by default that of this library; characters that a product name cannot have (RFC 9110 §5.6.2) become `-`.
    ///   - version: The version, under the same rule; nil for that of this library.
    ///   - languages: Language tags (RFC 5646) in the order of preference; an empty list sends no `Accept-Language`.
    public init(
        application: String = "SortieNetworking", version: String? = nil, languages: [String] = StandardFields.preferredLanguages
    ) {
        userAgent = "\(Self.token(application))/\(Self.token(version ?? NetworkingVersion.current)) (\(Self.system))"
        let tags = languages.filter { !$0.isEmpty && $0.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "-") } }
        // As AFNetworking does: each further language has a lower weight, down to 0.5.
        let ranges = tags.prefix(6).enumerated().map { index, tag in index == 0 ? tag : "\(tag);q=0.\(10 - index)" }
        acceptLanguage = ranges.isEmpty ? nil : ranges.joined(separator: ", ")
        fields = [HeaderField("User-Agent", userAgent)] + (acceptLanguage.map { [HeaderField("Accept-Language", $0)] } ?? [])
    }

    /// The languages of the process environment: `LANGUAGE`, else the locale of `LC_ALL`, `LC_MESSAGES` or `LANG` (`locale(7)`, gettext).
    ///
    /// Empty in the locale `C`.
    public static var preferredLanguages: [String] { languages(in: ProcessInfo.processInfo.environment) }

    /// The languages of an environment: each locale, then its language without the region.
    package static func languages(in environment: [String: String]) -> [String] {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        guard let first = tag(of: locale) else { return [] }
        let listed = (environment["LANGUAGE"] ?? "").split(separator: ":").compactMap { tag(of: String($0)) }
        var tags: [String] = []
        for tag in listed.isEmpty ? [first] : listed {
            for tag in [tag, String(tag.prefix { $0 != "-" })] where !tags.contains(tag) { tags.append(tag) }
        }
        return tags
    }

    /// The language tag of a locale such as `de_CH.UTF-8@euro`; nil for `C` and `POSIX`.
    private static func tag(of locale: String) -> String? {
        let name = locale.prefix { $0 != "." && $0 != "@" }
        guard !name.isEmpty, name != "C", name != "POSIX" else { return nil }
        return String(name.replacing("_", with: "-"))
    }

    private static func token(_ text: String) -> String {
        let token = String(decoding: text.utf8.map { Token.isTokenByte($0) ? $0 : UInt8(ascii: "-") }, as: UTF8.self)
        return token.isEmpty ? "-" : token
    }

    /// The operating system with the first two numbers of its version, and the processor.
    private static let system: String = {
        var names = utsname()
        guard uname(&names) == 0 else { return "Linux" }
        func text(_ bytes: some Any) -> String {
            withUnsafeBytes(of: bytes) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        }
        let numbers = text(names.release).split(separator: ".").prefix(2).map(String.init).joined(separator: ".")
        let version = numbers.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        return "\(text(names.sysname)) \(version); \(text(names.machine))"
    }()

    /// Adds the fields that a request neither has nor removes.
    func add(to request: inout Request) {
        if request.headers.fields.isEmpty, request.options.removedFields.isEmpty {
            // Without a copy of the list, which is compared with that of earlier attempts.
            request.headers.fields = fields
            return
        }
        let added = fields.filter { field in
            !request.headers.contains(field.name)
                && (request.options.removedFields.isEmpty || !request.options.removedFields.contains(field.name.lowercased()))
        }
        if !added.isEmpty { request.headers.fields.insert(contentsOf: added, at: 0) }
    }

    /// The fields.
    package let fields: [HeaderField]
}
