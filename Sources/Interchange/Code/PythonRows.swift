internal import SortieBase
internal import WorkspaceModel

/// The rows of data and the variables of a run as Python.
enum PythonRows {
    /// `VARIABLES`, and `ROWS` where the run has data.
    ///
    /// Columns and variables with the name of a credential come from the environment.
    static func text(of source: ExportSource) -> String {
        var text = "# Variables; an environment variable replaces the value.\nVARIABLES = {"
        let variables = source.variables.sorted { $0.key < $1.key }.map { name, value in
            let variable = PythonText.string("SORTIE_" + SecretExtraction.environmentName(name))
            let isHidden = CredentialNames.contains(name) || source.hiddenVariables.contains(name)
            let value = isHidden ? "os.environ[\(variable)]" : "os.environ.get(\(variable), \(PythonText.string(value)))"
            return "    \(PythonText.string(name)): \(value),\n"
        }
        text += variables.isEmpty ? "}\n" : "\n" + variables.joined() + "}\n"
        guard let rows = source.run?.rows else { return text }
        text += "# A row for each repetition. SORTIE_DATA names a CSV file with other rows.\nROWS = [\n"
        for row in rows {
            let members = row.sorted { $0.key < $1.key }.map { name, value in
                let isSecret = CredentialNames.contains(name)
                let text =
                    isSecret
                    ? "os.environ.get(\(PythonText.string("SORTIE_" + SecretExtraction.environmentName(name))), \"\")" : PythonText.string(value)
                return "\(PythonText.string(name)): \(text)"
            }
            text += "    {\(members.joined(separator: ", "))},\n"
        }
        return text + """
            ]
            if "SORTIE_DATA" in os.environ:
                with open(os.environ["SORTIE_DATA"], newline="", encoding="utf-8-sig") as rows:
                    ROWS = list(csv.DictReader(rows))

            """
    }

    /// The columns whose values are not written.
    static func hiddenColumns(of source: ExportSource) -> [String] {
        Set((source.run?.rows ?? []).flatMap(\.keys)).filter(CredentialNames.contains).sorted()
    }
}
