internal import SortieBase
package import SortieHTTP

/// Encrypts the query of every request of a service and sends it as one parameter: `data=BASE64URL`.
///
/// The whole query is encrypted, including public parameters where their plugin comes before; a signature covers the encrypted form where its plugin
/// comes after. The value is the output of the encryptor in base64url without padding (RFC 4648 §5).
package struct EncryptParametersPlugin: Plugin {
    /// Returns the encryptor of a request.
    package typealias Encryptor = @Sendable (Request) async throws(NetworkError) -> any BodyEncryptor

    /// The name in decisions and errors.
    package let name = "encrypt"
    /// True: the setting of the service or the call applies.
    package var isReplaceable: Bool { true }
    private let parameter: String
    private let encryptor: Encryptor

    /// A plugin.
    ///
    /// - Parameters:
    ///   - parameter: The name of the parameter that contains the query.
    ///   - encryptor: Called for every attempt.
    package init(parameter: String, encryptor: @escaping Encryptor) {
        (self.parameter, self.encryptor) = (parameter, encryptor)
    }

    /// Replaces the query by its encrypted form; a redirect to another origin and a query that has the parameter already are not changed.
    ///
    /// - Throws: `invalidOption` where the request has a parameter of the same name.
    package func prepare(_ request: inout Request, in context: PluginContext) async throws {
        guard context.isAtConfiguredOrigin, let query = request.url.query, !query.isEmpty else { return }
        guard !has(parameter, in: query) else {
            guard has(parameter, in: context.request.url.query ?? "") else { return }
            throw NetworkError(
                .invalidOption, "the query has a parameter “\(parameter)”, which is the name of the encrypted query",
                hint: "rename it, or give encrypt another parameter")
        }
        let sealed = try await encryptor(request).encrypt(Array(query.utf8), contentType: "application/x-www-form-urlencoded").bytes
        let value = Base64.urlText(sealed)
        request.url.query = "\(PercentEncoding.encode(parameter, allowed: .unreserved))=\(value)"
        context.decided(.lifecycle, "the query was encrypted into the parameter \(parameter)")
    }

    private func has(_ name: String, in query: String) -> Bool {
        query.split(separator: "&").contains { PercentEncoding.decode($0.prefix { $0 != "=" }) == name }
    }
}
