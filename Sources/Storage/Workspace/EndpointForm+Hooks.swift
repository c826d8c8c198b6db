internal import SortieBase
internal import WorkspaceModel

extension EndpointForm {
    /// An entry of `hooks:`.
    func hook(_ hook: HookSetting) -> YAMLValue {
        let environment = hook.environment.sorted { $0.key < $1.key }.map { YAMLValue.Member($0.key, .text($0.value)) }
        return .mapping(optional: [
            ("stage", .text(hook.stage.rawValue)), ("run", .sequence(hook.command.map(YAMLValue.text))),
            ("env", environment.isEmpty ? nil : .mapping(environment)),
            ("timeout", hook.timeout == HookSetting.standardTimeout ? nil : .text(DurationText.text(hook.timeout))),
            ("keepRunning", hook.keepsRunning ? .token("true") : nil),
        ])
    }
}
