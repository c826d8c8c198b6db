internal import Synchronization

/// Limits the text that templates insert, so that a few bytes of variables that refer to each other cannot become gigabytes of text.
///
/// One budget covers one request. References are counted as well as bytes, because empty values take time, too.
final class TemplateBudget: Sendable {
    private struct State {
        package var bytes = 0
        var references = 0
    }

    private let state = Mutex(State())

    /// Counts one reference, before its value is looked up.
    ///
    /// - Parameters:
    ///   - template: the reference, for the message.
    ///   - depth: the number of enclosing variables that are being resolved.
    func follow(_ template: Template.Segment, depth: Int) throws(TemplateError) {
        guard depth < WorkspaceLimits.templateDepth else {
            throw TemplateError("\(template) is nested in more than \(WorkspaceLimits.templateDepth) variables; reduce the nesting of variables")
        }
        let count = state.withLock { state in
            state.references += 1
            return state.references
        }
        guard count <= WorkspaceLimits.templateReferences else {
            throw TemplateError(
                "the templates of one request refer to more than \(WorkspaceLimits.templateReferences) values, which \(template) exceeds; "
                    + "reduce the references of variables")
        }
    }

    /// Counts the bytes that `template` inserts.
    package func insert(_ text: String, for template: Template.Segment) throws(TemplateError) {
        let bytes = state.withLock { state in
            state.bytes += text.utf8.count
            return state.bytes
        }
        guard bytes <= WorkspaceLimits.templateBytes else {
            throw TemplateError(
                "the templates of one request insert more than \(WorkspaceLimits.templateBytes >> 20) MiB, which \(template) exceeds; "
                    + "send a large text as body: {file: …}")
        }
    }
}
