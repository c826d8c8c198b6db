internal import SortieHTTP

/// A list of capabilities for display: one sentence for each, with the receivers of one origin's secrets on one line.
package struct CapabilityList: Sendable {
    /// The sentences, the most dangerous first.
    package let sentences: [String]

    /// The limit in the one-line message of a refusal, which names the command that lists the whole texts and permits nothing itself.
    package static let messageLimit = 240

    /// Creates a list of capabilities.
    ///
    /// - Parameters:
    ///   - new: the capabilities that were not permitted earlier; they are marked. Empty where none was permitted earlier.
    ///   - limit: the number of characters above which the middle of a sentence is left out; nil for none.
    package init(_ capabilities: Set<Capability>, new: Set<Capability> = [], limit: Int? = nil) {
        var sentences: [String] = []
        var receivers: [(origin: String, names: [String], isNew: Bool)] = []
        for capability in capabilities.sorted() {
            let isNew = new.contains(capability)
            guard capability.kind == .secret else {
                sentences.append((isNew ? "NEW  " : "") + capability.sentence)
                continue
            }
            if let index = receivers.firstIndex(where: { $0.origin == capability.destination && $0.isNew == isNew }) {
                receivers[index].names.append(capability.subject)
            } else {
                receivers.append((capability.destination, [capability.subject], isNew))
            }
        }
        for receiver in receivers {
            let names = receiver.names.map { "{{\($0)}}" }.joined(separator: ", ")
            sentences.append("\(receiver.isNew ? "NEW  " : "")send \(names) to \(receiver.origin)")
        }
        self.sentences = limit.map { limit in sentences.map { Self.cut($0, to: limit) } } ?? sentences
    }

    private static func cut(_ sentence: String, to limit: Int) -> String {
        guard sentence.count > limit else { return sentence }
        return "\(sentence.prefix(limit / 2)) … \(sentence.suffix(limit / 3))  (\(sentence.count) characters)"
    }
}

extension Capability {
    /// The action as a sentence without a subject: “run the command …”.
    fileprivate var sentence: String {
        switch kind {
        case .command: "run the command  \(subject)"
        case .environment: "read the environment variable \(subject)"
        case .file: "read the file \(subject)"
        case .clientKey: "use the client key \(subject)"
        case .download: "write downloads to \(subject)"
        case .cacheFolder: "store cached responses in \(subject)"
        case .insecure: "not verify the certificate of \(subject)"
        case .proxy: "send requests through the proxy \(Redaction.standard.maskedURL(subject))"
        case .proxyScript: "send requests through the proxies that the script \(subject) chooses"
        case .nameServer: "resolve names at \(subject)"
        case .description: "fetch the description of an API from \(Redaction.standard.maskedURL(subject))"
        case .address: "connect to \(subject) for \(destination)"
        case .authority: "accept certificates of the authority \(subject) for \(destination)"
        case .secret: "send {{\(subject)}} to \(destination)"
        case .token: "send access tokens of \(subject) to \(destination)"
        case .captured: "send captured values of \(subject) to \(destination)"
        case .ticket: "send your Kerberos ticket to \(subject)"
        case .storedSecret: "read the secret \(subject) that you stored"
        }
    }
}
