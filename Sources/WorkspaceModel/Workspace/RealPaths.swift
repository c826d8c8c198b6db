internal import Synchronization

/// The paths of a workspace's files with their symbolic links resolved; copies of a workspace share them.
///
/// A path is resolved when the list of capabilities of files that were read needs it (``CapabilityScan``). Who made that list calls ``close()``: lists of
/// edits, which the workbench computes where it may do no I/O, use what is known then, and other paths lead to themselves. Two of them are equal where their
/// paths lead to the same places.
package final class RealPaths: Hashable, Sendable {
    private struct State {
        var known: [String: String] = [:]
        var resolve: (@Sendable (String) -> String)?
    }

    private let state: Mutex<State>

    /// - Parameter resolve: returns the resolved path; without it, paths lead to themselves.
    package init(_ resolve: (@Sendable (String) -> String)? = nil) { state = Mutex(State(resolve: resolve)) }

    package subscript(path: String) -> String {
        let (known, resolve) = state.withLock { ($0.known[path], $0.resolve) }
        if let known { return known }
        guard let real = resolve?(path) else { return path }
        state.withLock { $0.known[path] = real }
        return real
    }

    /// Resolves no further paths.
    package func close() { state.withLock { $0.resolve = nil } }

    private var paths: Set<String> { state.withLock { Set($0.known.keys) } }

    package static func == (one: RealPaths, other: RealPaths) -> Bool {
        one === other || one.paths.union(other.paths).allSatisfy { one[$0] == other[$0] }
    }

    package func hash(into hasher: inout Hasher) {}
}
