import Testing

/// A case 12 or 13 of autobahn's list: compressed messages of a kind of data, a size, fragments and parameters of permessage-deflate.
///
/// Generated data of the same kind replaces the files of the list, and 4 messages the 1000 of each case, which measure a time there.
struct CompressionCase: Sendable, CustomTestStringConvertible {
    let number: String
    let data: String
    let size: Int
    let fragment: Int
    /// The window bits of both sides; 0 for the default.
    let bits: Int
    /// Whether no message refers to those before it.
    let isAlone: Bool

    static let messages = 4

    /// The query with which the server knows the case.
    var query: String { "data=\(data)&size=\(size)&count=\(Self.messages)&fragment=\(fragment)&bits=\(bits)&alone=\(isAlone ? 1 : 0)" }

    var testDescription: String { "\(number): \(query)" }

    private static let sizes: [(size: Int, fragment: Int)] =
        [16, 64, 256, 1024, 4096, 8192, 16384, 32768, 65536, 131072].map { ($0, 0) }
        + [8192, 16384, 32768, 65536, 131072].map { ($0, 256) } + [1024, 4096, 32768].map { (131072, $0) }

    static let all = kinds + parameters

    /// 12: kinds of data with the default parameters.
    private static let kinds = ["json", "bitmap", "text", "html", "pdf"].enumerated().flatMap { group, data in
        sizes.enumerated().map { index, size in
            CompressionCase(number: "12.\(group + 1).\(index + 1)", data: data, size: size.size, fragment: size.fragment, bits: 0, isAlone: false)
        }
    }

    /// 13: parameters that the server selects.
    ///
    /// In the last group it selects among several, and takes the first.
    private static let parameters = [(false, 0), (true, 0), (false, 9), (false, 15), (true, 9), (true, 15), (true, 9)].enumerated()
        .flatMap { group, parameters in
            sizes.enumerated().map { index, size in
                CompressionCase(
                    number: "13.\(group + 1).\(index + 1)", data: "json", size: size.size, fragment: size.fragment, bits: parameters.1,
                    isAlone: parameters.0)
            }
        }
}
