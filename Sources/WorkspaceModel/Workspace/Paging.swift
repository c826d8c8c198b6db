/// The parameters and the parts of the response that define pages.
package struct Paging: Hashable, Sendable {
    /// The parameter for the number of the page, for numbered pages.
    package var number: String?
    /// The parameter for the number of items per page.
    package var size: String?
    /// The parameter for the cursor, for pages by cursor.
    package var cursor: String?
    /// The JSON path of the next cursor in the response.
    package var next: String?
    /// The JSON path of the items.
    package var items: String?
    /// The JSON path of the total number of items.
    package var total: String?

    /// Creates settings without paging.
    package init() {}
}
