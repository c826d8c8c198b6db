/// Where the user left a workspace in the workbench.
package struct WorkspacePlace: Hashable, Sendable {
    /// Sizes of panes, with the size of the terminal in which they were chosen.
    package struct Panes: Hashable, Sendable {
        /// The size of the terminal in cells.
        package var columns: Int
        package var rows: Int
        /// The width of Services in columns; nil for the automatic one.
        package var services: Int?
        /// The share of Request of the space that it shares with Response, in thousandths; nil for the automatic one.
        package var request: Int?
        /// The height of the bottom pane in rows; nil for the automatic one.
        package var bottom: Int?
        /// The number of the pane, from 0, that had the whole screen; nil for none.
        package var zoomed: Int?

        /// Creates a value.
        package init(columns: Int, rows: Int, services: Int? = nil, request: Int? = nil, bottom: Int? = nil, zoomed: Int? = nil) {
            (self.columns, self.rows) = (columns, rows)
            (self.services, self.request, self.bottom, self.zoomed) = (services, request, bottom, zoomed)
        }
    }

    /// The absolute path of the folder.
    package var folder: String
    /// The name for display.
    package var name: String
    /// The target of the open endpoint; nil for none.
    package var open: String?
    /// The selected environment; nil for none.
    package var environment: String?
    /// The sizes of the panes; nil where the user changed none.
    package var panes: Panes?
    /// The folded rows of the tree, as the program writes them.
    package var folded: [String] = []
    /// The selected row of the tree; nil for the open endpoint.
    package var selected: String?

    /// Creates a value.
    package init(folder: String, name: String, open: String? = nil, environment: String? = nil) {
        (self.folder, self.name, self.open, self.environment) = (folder, name, open, environment)
    }
}
