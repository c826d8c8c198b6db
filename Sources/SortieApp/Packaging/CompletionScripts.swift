internal import ArgumentParser

/// The completion scripts that `make install` installs.
enum CompletionScripts {
    /// The scripts of a program by the names of their files.
    static func files(of program: any ParsableCommand.Type) -> [(name: String, text: String)] {
        [
            ("sortie.bash", program.completionScript(for: .bash) + "\n" + bashWords),
            ("_sortie", program.completionScript(for: .zsh) + "\n"),
            ("sortie.fish", fishScript(of: program) + "\n"),
        ]
    }

    /// fish's `argparse` rejects the name `http1.1`, and with it the whole command line of a command that has this option, or in which it is typed.
    private static func fishScript(of program: any ParsableCommand.Type) -> String {
        let lines = program.completionScript(for: .fish).split(separator: "\n", omittingEmptySubsequences: false).map { line in
            if line.contains("__sortie_parse_subcommand ") { return line.replacing(" 'http1.1'", with: "") }
            return line.replacing("\" http1.1' -l", with: "\"' -l").replacing(
                "set -l unparsed_tokens (__sortie_tokens -pc)",
                with: "set -l unparsed_tokens (__sortie_tokens -pc | string match --invert --regex -- '^--[a-z0-9-]+\\.[a-z0-9.-]*$')")
        }
        return lines.joined(separator: "\n")
    }

    /// bash splits words at the characters of COMP_WORDBREAKS, so that it would not complete `history:12`.
    ///
    /// The function passes whole words to the generated one, and removes from the results what readline does not replace. A line with quotes is passed
    /// unchanged, because it would have to be split like the shell does.
    private static let bashWords = #"""

        _sortie_whole_words() {
            local before=${COMP_LINE:0:COMP_POINT} breaks=
            [[ ${COMP_WORDBREAKS} != *:* ]] || breaks+=:
            [[ ${COMP_WORDBREAKS} != *=* ]] || breaks+='='
            if [[ -z ${breaks} || ${before##*[[:space:]]} != *["${breaks}"]* || ${before} == *[\"\'\\]* ]]; then
                _sortie "${@}"
                return
            fi
            local -a COMP_WORDS
            read -ra COMP_WORDS <<<"${before}"
            local COMP_LINE=${before} COMP_POINT=${#before} COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            local whole=${COMP_WORDS[COMP_CWORD]}
            _sortie "${1}" "${whole}" "${COMP_WORDS[COMP_CWORD - 1]}"
            local kept=${whole%"${whole##*["${breaks}"]}"}
            COMPREPLY=("${COMPREPLY[@]#"${kept}"}")
        }

        # The name of a variable is followed by its value, and not by a space.
        _sortie_words() {
            _sortie_whole_words "${@}"
            [[ ${#COMPREPLY[@]} -eq 0 || ${COMPREPLY[0]} != *= ]] || compopt +o filenames -o nospace
        }

        complete -o filenames -F _sortie_words sortie

        """#
}
