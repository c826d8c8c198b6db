internal import CTLS
internal import SortieHTTP
internal import Synchronization

/// The passphrases of client keys that the user has entered, kept in memory for the lifetime of the client and never stored.
final class ClientKeyring: Sendable {
    /// The maximum number of prompts per call.
    private static let mostQuestions = 3

    private let asking: ClientKeyQuestion.Asking?
    private let state = Mutex(State())

    private struct State {
        /// Passphrases by the path of their key.
        var known: [String: String] = [:]
        /// The callbacks of calls that wait for the same prompt, by the path of the key.
        var waiting: [String: [@Sendable (String?) -> Void]] = [:]
    }

    /// - Parameter asking: Asks the user; nil where no user can be asked.
    init(asking: ClientKeyQuestion.Asking?) {
        self.asking = asking
    }

    /// Checks that the request's client key can be read, and sets its passphrase in the request.
    ///
    /// The time of a prompt does not count against the total timeout of the call.
    ///
    /// - Parameter call: The call that waits for the user; nil disables the prompt.
    /// - Throws: The errors of ``ClientKeyFiles/check(passphrase:)``, and `cancelled`.
    func unlock(_ request: inout Request, for call: Call?) async throws(NetworkError) {
        guard let files = ClientKeyFiles(request.options.trust) else { return }
        let given = request.options.trust.clientKeyPassphrase
        var questions = 0
        while true {
            let passphrase = given ?? state.withLock { $0.known[files.key] }
            do throws(NetworkError) {
                try await files.check(passphrase: passphrase)
                request.options.trust.clientKeyPassphrase = passphrase
                return
            } catch {
                guard error.code == .clientKeyPassphrase, given == nil, let asking, let call, questions < Self.mostQuestions else { throw error }
                // Another call may have stored a newer passphrase meanwhile.
                state.withLock { if $0.known[files.key] == passphrase { $0.known[files.key] = nil } }
                questions += 1
                let start = call.waitStart
                let question = ClientKeyQuestion(file: files.key, wasRefused: passphrase != nil)
                let answer: String? = try await call.wait(until: nil, timeout: .cancelledByCaller) { give in
                    ask(question, asking, tried: passphrase) { give(.success($0)) }
                }
                call.exclude(since: start)
                guard answer != nil else { throw error }
            }
        }
    }

    /// Prompts for a passphrase, unless a prompt for the key is open, which all waiting calls share, or a passphrase newer than `tried` is known.
    private func ask(
        _ question: ClientKeyQuestion, _ asking: ClientKeyQuestion.Asking, tried: String?, _ give: @escaping @Sendable (String?) -> Void
    ) {
        let (learned, isFirst) = state.withLock { state -> (String?, Bool) in
            if let known = state.known[question.file], known != tried { return (known, false) }
            let isFirst = state.waiting[question.file] == nil
            state.waiting[question.file, default: []].append(give)
            return (nil, isFirst)
        }
        if let learned { return give(learned) }
        guard isFirst else { return }
        asking(question) { [self] passphrase in
            let waiting = state.withLock { state in
                if let passphrase { state.known[question.file] = passphrase }
                return state.waiting.removeValue(forKey: question.file) ?? []
            }
            for give in waiting { give(passphrase) }
        }
    }
}

/// A client certificate and its private key, checked before libcurl reads them.
///
/// libcurl reports a missing passphrase, a wrong one, and a key of another certificate as the same error, and OpenSSL may prompt on the terminal.
struct ClientKeyFiles: Hashable {
    /// The path of a PEM file with the certificate.
    let certificate: String
    /// The path of a PEM file with the key; may be the same file.
    let key: String
    /// Whether both are in one PKCS#12 file.
    private let isPKCS12: Bool

    /// Creates a value with the files of a policy; nil where it names no certificate.
    init?(_ policy: TrustPolicy) {
        guard let certificate = policy.clientCertificateFile else { return nil }
        self.certificate = certificate
        key = policy.clientKeyFile ?? certificate
        isPKCS12 = policy.hasPKCS12
    }

    /// Files that passed the check, with the passphrase, for as long as they are unchanged.
    private static let accepted = Mutex<Set<Accepted>>([])
    private static let mostAccepted = 64

    private struct Accepted: Hashable {
        var files: ClientKeyFiles
        var stamps: [FileStamp]
        var passphrase: String?
    }

    /// Reads both files and checks that they belong together.
    ///
    /// - Throws: `clientKeyPassphrase` where the key is encrypted and the passphrase is missing or wrong, `clientCertificate` for a file in another
    ///   format and for a key of another certificate, `fileUnreadable`.
    func check(passphrase: String?) async throws(NetworkError) {
        let accepted = Accepted(files: self, stamps: [try FileStamp(certificate), try FileStamp(key)], passphrase: passphrase)
        guard !Self.accepted.withLock({ $0.contains(accepted) }) else { return }
        // Reads both files and derives the key of an encrypted one, which takes long on purpose.
        try await BlockingExecutor.shared.run { () throws(NetworkError) in try read(passphrase) }
        Self.accepted.withLock {
            if $0.count >= Self.mostAccepted { $0 = [] }
            $0.insert(accepted)
        }
    }

    private func read(_ passphrase: String?) throws(NetworkError) {
        // Clears OpenSSL errors that other code left in the queue.
        _ = Self.takeError()
        let (leaf, privateKey) = isPKCS12 ? try readPair(passphrase) : (try readCertificate(), nil)
        defer { X509_free(leaf) }
        let ownKey = if let privateKey { privateKey } else { try readKey(passphrase) }
        defer { EVP_PKEY_free(ownKey) }
        guard X509_check_private_key(leaf, ownKey) == 1 else {
            throw NetworkError(
                .clientCertificate, "the client key \(key) does not belong to the certificate \(certificate)",
                remedy: .keyOfCertificate, underlying: Self.takeError())
        }
    }

    private func readCertificate() throws(NetworkError) -> OpaquePointer {
        if let leaf = ctls_read_certificate(certificate) { return leaf }
        throw NetworkError(
            .clientCertificate, "\(certificate) contains no PEM certificate", remedy: .certificateFormat, underlying: Self.takeError())
    }

    /// The certificate and the key of a PKCS#12 file.
    private func readPair(_ passphrase: String?) throws(NetworkError) -> (OpaquePointer, OpaquePointer?) {
        var (leaf, privateKey): (OpaquePointer?, OpaquePointer?)
        let isLocked = Self.asking(passphrase) { _ = ctls_read_pkcs12(certificate, &$0, &leaf, &privateKey) }
        if let leaf, privateKey != nil { return (leaf, privateKey) }
        X509_free(leaf)
        EVP_PKEY_free(privateKey)
        throw failure(
            isLocked, passphrase, "\(certificate) is not a PKCS#12 file with a certificate and its key that OpenSSL reads", .certificateFormat)
    }

    private func readKey(_ passphrase: String?) throws(NetworkError) -> OpaquePointer {
        var privateKey: OpaquePointer?
        let isLocked = Self.asking(passphrase) { privateKey = ctls_read_key(key, &$0) }
        if let privateKey { return privateKey }
        throw failure(isLocked, passphrase, "\(key) contains no PEM private key", .keyFormat)
    }

    /// Reads with a passphrase; returns whether one was asked for.
    private static func asking(_ passphrase: String?, _ read: (inout ctls_passphrase) -> Void) -> Bool {
        var question = ctls_passphrase(passphrase: nil, was_asked: false)
        guard let passphrase else {
            read(&question)
            return question.was_asked
        }
        return passphrase.withCString { text in
            question.passphrase = text
            read(&question)
            return question.was_asked
        }
    }

    private func failure(_ isLocked: Bool, _ passphrase: String?, _ message: String, _ remedy: NetworkError.Remedy) -> NetworkError {
        let words = Self.takeError()
        // OpenSSL 3 reads the algorithms of older systems only with its legacy provider, which is not loaded.
        if !isLocked, isPKCS12, words?.hasSuffix("::unsupported") == true {
            return NetworkError(
                .clientCertificate, "\(certificate) is encrypted with an outdated algorithm such as RC2, which OpenSSL does not read",
                hint: "openssl pkcs12 -legacy -in FILE -nodes | openssl pkcs12 -export -out NEW encrypts it with another one", underlying: words)
        }
        if !isLocked { return NetworkError(.clientCertificate, message, remedy: remedy, underlying: words) }
        return passphrase == nil
            ? NetworkError(
                .clientKeyPassphrase, "the client key \(key) is encrypted, and no passphrase was given", remedy: .passphrase, underlying: words)
            : NetworkError(
                .clientKeyPassphrase, "the passphrase does not open the client key \(key)", remedy: .otherPassphrase, underlying: words)
    }

    private static func takeError() -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let start = buffer.baseAddress, ctls_take_error(start, buffer.count) else { return nil }
            return String(cString: start)
        }
    }
}
