package import SortieBase

/// One thing that a workspace wants to do on this machine and that requires permission (`Security.md` 2).
///
/// Capabilities are computed from the parsed files alone (``CapabilityScan``). Nothing is executed, read or looked up.
package struct Capability: Hashable, Sendable {
    /// The kind of access, in the order of a list, which begins with the most dangerous.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Runs a shell command; the subject is its text.
        case command
        /// Reads an environment variable; the subject is its name.
        case environment
        /// Reads a file outside the workspace; the subject is its real path, or the path's template.
        case file
        /// Reads a client key; the subject is its path.
        case clientKey
        /// Writes a download outside the workspace and the download directory; the subject is the path.
        case download
        /// Stores cached responses outside the workspace and the cache directory; the subject is the path.
        case cacheFolder
        /// Does not verify a server's certificate; the subject is the server's origin.
        case insecure
        /// Sends requests through a proxy; the subject is its URL.
        case proxy
        /// Resolves host names at a server that the workspace chooses; the subject is its URL.
        case nameServer
        /// Connects to fixed addresses instead of those of the name; the subject is the addresses, the destination the origin.
        case address
        /// Accepts certificates of a certificate authority that the workspace chooses; the subject is its file, the destination the origin.
        case authority
        /// Sends a secret; the subject is the secret's name, the destination the origin that receives it.
        case secret
        /// Sends an access token; the subject is the origin that issues it for a secret, the destination the origin that receives it.
        case token
        /// Sends values that an endpoint captured; the subject is its target, the destination an origin that did not send them.
        case captured
        /// Sends a Kerberos ticket of the user; the subject is the origin that receives it.
        case ticket
        /// Reads a secret that the user stored; the subject is its name in the store.
        case storedSecret
    }

    /// The kind of access.
    package let kind: Kind
    /// The resource that is accessed, such as a command, a path or the name of a secret.
    package let subject: String
    /// The origin that receives a secret, or to which an address or an authority applies; empty for the other kinds.
    package let destination: String

    /// Creates a capability.
    package init(_ kind: Kind, _ subject: String, to destination: String = "") {
        self.kind = kind
        self.subject = subject
        self.destination = destination
    }

    /// One line of JSON that identifies the capability, for the stored list and its digest.
    package var line: String {
        JSONValue.array([.string(kind.rawValue), .string(subject)] + (destination.isEmpty ? [] : [.string(destination)])).text
    }

    /// Creates a capability from a line; nil for a line with a kind that this version does not know.
    package init?(line: String) throws(BodyProblem) {
        guard case .array(let items) = try JSONValue(parsing: line), (2...3).contains(items.count) else { return nil }
        var texts: [String] = []
        for item in items {
            guard case .string(let text) = item else { return nil }
            texts.append(text)
        }
        guard let kind = Kind(rawValue: texts[0]) else { return nil }
        self.init(kind, texts[1], to: texts.count == 3 ? texts[2] : "")
    }
}

extension Capability: Comparable {
    /// Orders capabilities by kind, then by text.
    package static func < (left: Capability, right: Capability) -> Bool {
        (left.kind.rank, left.subject, left.destination) < (right.kind.rank, right.subject, right.destination)
    }
}

extension Capability.Kind {
    fileprivate var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
