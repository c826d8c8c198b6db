/// A sign-in of the user for which requests wait.
package struct PendingSignIn: Hashable, Sendable {
    /// The number of the sign-in.
    package var id: Int
    /// The ID of the client that needs the token.
    package var client: String
    /// The page to which the user goes.
    package var plainPage: String
    /// The page with the code, where the server has one; otherwise the same.
    package var page: String
    /// The code to enter; nil where none is needed.
    package var code: String?
    /// The maximum time of the sign-in, in minutes; 0 for less than one.
    package var minutes: Int

    /// Creates a pending sign-in.
    package init(id: Int, client: String, plainPage: String, page: String, code: String?, minutes: Int) {
        (self.id, self.client, self.plainPage, self.page, self.code, self.minutes) = (id, client, plainPage, page, code, minutes)
    }
}
