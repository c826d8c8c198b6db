internal import ArgumentParser

extension CompletionKind {
    /// Targets of endpoints.
    static var target: CompletionKind { of(\.targets) }
    /// Folders of services.
    static var service: CompletionKind { of(\.services) }
    /// Names of runs.
    static var run: CompletionKind { of(\.runs) }
    /// Names of environments.
    static var environment: CompletionKind { of(\.environments) }
    /// Tags.
    static var tag: CompletionKind { of(\.tags) }
    /// Names of variables with an equals sign.
    static var variable: CompletionKind { of(\.variables) }
    /// Steps of a run.
    static var step: CompletionKind { of(\.steps) }
    /// Numbers of exchanges of the history.
    static var exchange: CompletionKind { of { $0.exchanges() } }
    /// Names of stored secrets.
    static var storedSecret: CompletionKind { of(\.storedSecrets) }
    /// Endpoints, services, runs and exchanges.
    static var exported: CompletionKind { of(\.exportTargets) }

    private static func of(_ candidates: @escaping @Sendable (CompletionContext) -> [CompletionCandidate]) -> CompletionKind {
        .custom { words, _, _ in
            candidates(CompletionContext(words: words)).compactMap { $0.line(for: CompletionShell.requesting) }
        }
    }
}
