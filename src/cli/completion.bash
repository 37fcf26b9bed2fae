# Completion of otok in bash. Commands and options are asked of the program itself, so that they cannot grow old.
_otok() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} program=${COMP_WORDS[0]} words=
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ] || { [ "$COMP_CWORD" -eq 2 ] && [ "$before" = help ]; }; then
        words=$("$program" --help 2>/dev/null | sed -n 's/^  \([a-z]*\) .*/\1/p')
    elif [ "$before" = --backend ]; then
        words="auto cpu cuda"
    elif [ "$before" = --style ]; then
        words=$("$program" "${COMP_WORDS[1]}" --help 2>/dev/null | sed -n '/--style STYLE/,/--field/{/--field/d; s/.* STYLE//; s/([^)]*)//g; s/,/ /g; p}')
    elif [ "$before" = parameters ] && [[ $word != -* ]]; then
        words=$("$program" parameters 2>/dev/null | sed -n 's/^\([a-z_]*\)\..*/\1/p' | sort -u)
    elif [[ $word == -* ]]; then
        words=$("$program" "${COMP_WORDS[1]}" --help 2>/dev/null | grep -o -e '--[a-z][a-z-]*' | sort -u)
    fi
    if [ -n "$words" ]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    else
        compopt -o default
    fi
}
complete -F _otok otok
