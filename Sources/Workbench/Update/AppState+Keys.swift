internal import Model
internal import Terminal

/// The commands of keys.
extension AppState {
    mutating func pressed(_ key: Key) -> [Effect] {
        let contexts = contexts
        if let binding = keymap.binding(for: key, in: contexts) {
            if let reason = binding.reason(self) {
                if binding.command != .back { toast = Toast(reason, .warning) }
                return []
            }
            return perform(binding.command)
        }
        guard case .character(let character) = key.code, key.modifiers.isEmpty else { return [] }
        return typed(String(character), in: contexts)
    }

    mutating func pasted(_ text: String) -> [Effect] {
        if contexts.first == .request, cannotAddReason == nil {
            let rows = PastedRows.rows(in: text, areHeaders: requestState.tab == .headers)
            if !rows.isEmpty {
                addRows(rows)
                return []
            }
        }
        guard contexts.contains(.field) else {
            toast = Toast("Nothing is being edited here; press Enter on a field first, then paste", .warning)
            return []
        }
        return typed(text, in: contexts)
    }

    private mutating func typed(_ text: String, in contexts: [Context]) -> [Effect] {
        guard contexts.contains(.field) else { return [] }
        return changeText(.insert(text))
    }

    /// Performs a command of a key, the palette or the mouse.
    mutating func perform(_ command: Command) -> [Effect] {
        switch command {
        case .focus(let pane): focus(pane)
        case .focusNext: focus(focus.next)
        case .focusPrevious: focus(focus.previous)
        case .nextTab where isCookiesOpen: return turnCookies(by: 1)
        case .previousTab where isCookiesOpen: return turnCookies(by: -1)
        case .nextTab: moveTab(by: 1)
        case .previousTab: moveTab(by: -1)
        case .show(let tab):
            bottom.tab = tab
            focus(.bottom)
        case .zoom: isZoomed.toggle()
        case .move(let movement): return move(movement)
        case .nextMatch where isCookiesOpen: return move(.down)
        case .previousMatch where isCookiesOpen: return move(.up)
        case .nextMatch where isComparing: goToDifference(forward: true)
        case .previousMatch where isComparing: goToDifference(forward: false)
        case .open where isComparing: foldComparison()
        case .fold where isComparing: scrollComparison(-1)
        case .unfold where isComparing: scrollComparison(1)
        case .fold where isFormOpen: turnChoice(by: -1)
        case .toggle where isFormOpen: turnChoice(by: 1)
        case .addRow where isCookiesOpen: editCookie(isNew: true)
        case .editRow where isCookiesOpen: editCookie(isNew: false)
        case .deleteRow where isCookiesOpen: return removeCookies { $0 == $1 }
        case .undo where isCookiesOpen: return bringCookiesBack()
        case .search where isCookiesOpen: filterCookies(true)
        case .cookies: return showCookies()
        case .capture: return toggleCapture()
        case .conditions: askForConditions()
        case .clearConditions: return clearConditions()
        case .deleteDomain: return removeCookies { $0.domain == $1.domain }
        case .clearCookies: return removeCookies { _, _ in true }
        case .importCookies: askForCookieFile(imports: true)
        case .exportCookies: askForCookieFile(imports: false)
        case .fold: sideways(-1)
        case .unfold: sideways(1)
        case .open: return open()
        case .restartRun: return restartRun()
        case .cancelRun: return cancelRun()
        case .loadMore: return loadMore()
        case .back: return back()
        case .send: return send()
        case .save: return save()
        case .discard: discard()
        case .chooseEnvironment: chooseEnvironment()
        case .editOutside: return editOutside()
        case .reload: return [.reloadWorkspace]
        case .toggle: toggle()
        case .addRow: addRow()
        case .deleteRow: deleteRow()
        case .editRow: return editRow()
        case .editText: editText()
        case .duplicateRow: duplicateRow()
        case .moveRow(let distance): moveRow(by: distance)
        case .formatBody: formatBody()
        case .pickFile: return pickFile()
        case .folderUp: return goUp()
        case .completeName: return completeName()
        case .toggleHidden: toggleHidden()
        case .undo: undo()
        case .redo: redo()
        case .showChanges: return openTarget.map { compareWithFile($0) } ?? []
        case .editURL: editURL()
        case .chooseMethod: chooseMethod()
        case .search: startSearch()
        case .nextMatch: return nextMatch(forward: true)
        case .previousMatch: return nextMatch(forward: false)
        case .copy: return copy()
        case .switchMode: return switchMode()
        case .saveBody: askForBodyPath()
        case .copyPin: return copyPin()
        case .dryRun: return showDryRun()
        case .chooseLogService: chooseLogService()
        case .changeLogLevel: changeLogLevel()
        case .saveLog: askForLogPath()
        case .pauseTransfer: return pauseTransfer()
        case .pauseAllTransfers: return pauseAllTransfers()
        case .cancelTransfer(let keepsPart): return cancelTransfer(keepsPart: keepsPart)
        case .restartTransfer: return restartTransfer()
        case .moveTransfer(let distance): return moveTransfer(by: distance)
        case .openTransferFolder: return openTransferFolder()
        case .showTransferResponse: showTransferResponse()
        case .chooseTransferLimit: chooseTransferLimit()
        case .downloadTo: askForDownloadPath()
        case .stopRow: return stopRow()
        case .markRow: markRow()
        case .compareRows: return compareRows()
        case .pinRows: return pinRows()
        case .tagRows: askForTags()
        case .noteRow: askForNote()
        case .deleteRows: askToDelete()
        case .filterToEndpoint: filterToEndpoint()
        case .openAsDraft: return selectedItem.map { [load($0.number, for: .draft)] } ?? []
        case .saveAsEndpoint: return selectedItem.map { [load($0.number, for: .save)] } ?? []
        case .text(.deleteBefore) where isPickerTextEmpty: return goUp()
        case .text(let edit):
            return changeText(.edit(edit))
        case .newLine: return changeText(.newLine)
        case .accept: return accept()
        case .leave: return leave()
        case .nextField: return moveField(by: 1)
        case .previousField: return moveField(by: -1)
        case .lineUp: return moveLine(by: -1)
        case .lineDown: return moveLine(by: 1)
        case .pageUp: return moveLine(by: -max(1, layout.request.height - 4))
        case .pageDown: return moveLine(by: max(1, layout.request.height - 4))
        case .choose: return choose()
        case .close: return closePopup()
        case .palette: showPalette()
        case .help: showHelp()
        case .problems: showProblems()
        case .toggleSecrets: toggleSecrets()
        case .redraw: return [.redraw]
        case .suspend: return [.suspend]
        case .quit: return quit()
        }
        return []
    }
}
