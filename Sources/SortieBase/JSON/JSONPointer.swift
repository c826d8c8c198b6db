/// The parts of a JSON Pointer (RFC 6901 §3), in which `~` is `~0` and `/` is `~1`.
package enum JSONPointer {
    /// The part of a pointer that names a member.
    package static func escaped(_ name: String) -> String { name.replacing("~", with: "~0").replacing("/", with: "~1") }

    /// The name of the member that a part of a pointer names.
    package static func unescaped(_ part: some StringProtocol) -> String {
        String(part).replacing("~1", with: "/").replacing("~0", with: "~")
    }
}
