internal import Model

/// The contexts in which keys are interpreted.
extension AppState {
    /// The contexts of keys, the innermost first.
    var contexts: [Context] {
        switch popup {
        case .list(let list): return list.filter == nil ? [.popup, .menu, .always] : [.popup, .field, .always]
        case .dryRun, .transfer, .diff: return [.reading, .always]
        case .compare: return [.comparing, .always]
        case .prompt: return [.prompt, .field, .always]
        case .files: return [.files, .field, .always]
        case .cookies(let list): return list.isFiltering ? [.entry, .field, .always] : [.cookies, .always]
        case .form(let form): return form.isTyping ? [.form, .field, .always] : [.form, .choice, .always]
        case nil: break
        }
        if searchEntry != nil || services.isFiltering || history.entry != nil { return [.entry, .field, .everywhere, .always] }
        switch editing {
        case .url, .row: return [.row, .field, .everywhere, .always]
        case .body: return [.area, .field, .everywhere, .always]
        case nil where focus == .response && !refusedChain.isEmpty: return [.untrusted, .response, .panes, .everywhere, .always]
        case nil: return [paneContext, .panes, .everywhere, .always]
        }
    }

    /// Whether a popup is open or text is being typed.
    ///
    /// The result of a job must neither cover nor change that.
    var isOccupied: Bool { popup != nil || contexts.contains(.field) }

    /// Whether the result of a job may open its popup.
    ///
    /// Otherwise a message is shown in the footer.
    mutating func mayOpen(_ what: String) -> Bool {
        guard isOccupied else { return true }
        toast = Toast("\(what) finished in the background; request it again to see it", .warning)
        return false
    }

    /// The field that is being edited in the request pane.
    var editing: RequestState.Editing? { focus == .request ? requestState.editing : nil }

    /// The context of the focused pane.
    var paneContext: Context {
        switch focus {
        case .services: .services
        case .request: .request
        case .response: .response
        case .bottom:
            switch bottom.tab {
            case .transfers: .transfers
            case .runs: .runs
            case .log: .log
            case .history: .history
            case .monitor: .monitor
            }
        }
    }

    /// The current label of a binding, which may depend on the state.
    func label(of binding: Binding) -> String {
        switch binding.command {
        case .back where hasSearchOrFilter: focus == .services || isHistoryFocused ? "Clear filter" : "Clear search"
        case .back where isAwaitingPopup: "Cancel"
        case .back where focus == .response && past != nil && focusedCall == nil: "Close past"
        case .back where focusedCall == nil: isZoomed ? "Unzoom" : "Clear"
        case .accept where services.isFiltering || history.entry != nil: "Keep filter"
        case .search where focus == .services || isHistoryFocused: "Filter"
        case .send where isReplay: "Replay"
        case .pinRows where chosenItems.allSatisfy(\.isPinned): "Unpin"
        case .deleteRow where selectedRequestRow?.option != nil: "Reset"
        case .toggle where focus == .request && selectedRequestRow?.listIndex == nil: "Change"
        case .pauseTransfer where isSelectedTransferPaused: "Resume"
        case .pauseAllTransfers where transfers.underWay == 0: "Resume all"
        case .cancelTransfer(keepsPart: true) where focusedCall == nil: "Forget"
        case .open where isComparing: isComparisonUnfolded ? "Only differences" : "Same fields"
        case .open where paneContext == .log: logPlace.flatMap { bottom.log.unfolded[$0.item] } == nil ? "Unfold" : "Fold"
        default: binding.label
        }
    }
}
