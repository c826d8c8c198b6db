internal import Synchronization

/// Paths with their symbolic links resolved, each when it is first needed; copies of a workspace share them.
///
/// Two of them are equal where all paths that either has resolved lead to the same places.
package final class RealPaths: Hashable, Sendable {
    private let resolve: @Sendable (String) -> String
    private let known = Mutex<[String: String]>([:])

    /// - Parameter resolve: returns the resolved path; without it, paths lead to themselves.
    package init(_ resolve: @escaping @Sendable (String) -> String = { $0 }) { self.resolve = resolve }

    package subscript(path: String) -> String {
        if let real = known.withLock({ $0[path] }) { return real }
        let real = resolve(path)
        // Of two threads, the first one decides.
        return known.withLock { known in
            if let earlier = known[path] { return earlier }
            known[path] = real
            return real
        }
    }

    private var paths: Set<String> { known.withLock { Set($0.keys) } }

    package static func == (one: RealPaths, other: RealPaths) -> Bool {
        one === other || one.paths.union(other.paths).allSatisfy { one[$0] == other[$0] }
    }

    package func hash(into hasher: inout Hasher) {}
}
