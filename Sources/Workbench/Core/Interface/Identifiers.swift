/// Identifies a call and all its events.
package struct CallID: Hashable, Sendable, CustomStringConvertible {
    /// The number, starting at 1.
    package let number: Int

    /// Creates an ID.
    ///
    /// Only ``AppState`` creates them.
    package init(_ number: Int) {
        self.number = number
    }

    /// A text such as `call 7`, for messages about a programming error.
    package var description: String { "call \(number)" }
}

/// Identifies a job other than a call, such as a save, an edit, a copy or a search.
package struct JobID: Hashable, Sendable, CustomStringConvertible {
    /// The number, starting at 1.
    package let number: Int

    /// Creates an ID.
    ///
    /// Only ``AppState`` creates them.
    package init(_ number: Int) {
        self.number = number
    }

    /// A text such as `job 7`, for messages about a programming error.
    package var description: String { "job \(number)" }
}
