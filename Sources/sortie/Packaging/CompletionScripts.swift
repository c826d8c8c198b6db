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

    /// fish's `argparse` rejects the name `http1.1`, and with it the whole command line of a command that has this option.
    private static func fishScript(of program: any ParsableCommand.Type) -> String {
        program.completionScript(for: .fish).replacing(" 'http1.1'", with: "").replacing("\" http1.1' -l", with: "\"' -l")
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

        complete -o filenames -F _sortie_whole_words sortie

        """#
}
