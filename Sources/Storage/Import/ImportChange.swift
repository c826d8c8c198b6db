internal import SortieBase

/// A change that the source of an import makes to a file since its last import.
package struct ImportChange: Hashable, Sendable {
    /// What the source did.
    package enum Kind: String, Hashable, Sendable {
        case added, changed, removed
    }

    /// The path relative to the workspace.
    package var file: String
    /// What the source did.
    package var kind: Kind
    /// The members that the source changed; empty where they are not known.
    package var source: [String] = []
    /// The members that the user changed, which stay.
    package var own: [String] = []
    /// The members that both changed, of which those of the user stay.
    package var conflicts: [String] = []
    /// Whether the user removed the file, which accepting the change adds again.
    var isRemoved = false
    /// Whether accepting the change leaves nothing to decide.
    package var isComplete: Bool { conflicts.isEmpty && (kind != .removed || own.isEmpty) }

    /// What happened, as a sentence.
    package var text: String {
        func list(_ names: [String]) -> String { names.joined(separator: ", ") }
        var parts: [String] = []
        switch kind {
        case .added: parts.append("the source added it")
        case .removed: parts.append("the source removed it")
        case .changed where source.isEmpty && !conflicts.isEmpty: break
        case .changed: parts.append(source.isEmpty ? "the source changed it" : "the source changed \(list(source))")
        }
        if !own.isEmpty { parts.append("you changed \(list(own)), which stays") }
        if isRemoved { parts.append("you removed it") }
        if !conflicts.isEmpty { parts.append("both changed \(list(conflicts)), of which yours stays") }
        return parts.joined(separator: "; ")
    }
}

/// What happens to a change of the source.
package enum ImportDecision: String, Hashable, Sendable {
    /// The file is changed.
    case accept
    /// The file stays, also in later imports, until the source changes it again.
    case skip
}

extension ImportChange {
    /// Creates the change of a file from the digests of its members.
    ///
    /// - Parameters:
    ///   - base: Those of what the earlier import wrote.
    ///   - ours: Those of the present file.
    ///   - theirs: Those of the source.
    init(of file: String, base: [String: String], ours: [String: String], theirs: [String: String], conflicts: [String]) {
        (self.file, kind, self.conflicts) = (file, .changed, conflicts)
        func changed(_ new: [String: String]) -> Set<String> {
            Set(base.keys).union(new.keys).filter { !$0.contains(MemberMerge.separator) && base[$0] != new[$0] }
        }
        guard !base.isEmpty else { return }
        let known = Set(conflicts.map { String($0.prefix { String($0) != MemberMerge.separator }) })
        let (own, source) = (changed(ours), changed(theirs))
        self.source = source.filter { !(known.contains($0)) && ours[$0] != theirs[$0] }.sorted()
        self.own = own.filter { !known.contains($0) }.sorted()
        self.conflicts = conflicts.map(MemberMerge.shown)
    }
}
