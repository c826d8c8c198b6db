/// The formats that can be exported to.
package enum ExportFormats {
    /// All formats.
    package static let all: [any ExportFormat.Type] = [
        CurlExport.self, HTTPieExport.self, WgetExport.self, HTTPFileExport.self, HurlExport.self, HARExport.self, OpenAPIExport.self,
        PostmanExport.self, PythonExport.self, SwiftExport.self, LocustExport.self, JavaScriptExport.self, GoExport.self, RustExport.self,
        PHPExport.self, JavaExport.self, PowerShellExport.self,
    ]

    /// The format with a name for `--as`.
    package static func named(_ name: String) -> (any ExportFormat.Type)? { all.first { $0.name == name } }
}
