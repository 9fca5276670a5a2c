# SPDX-License-Identifier: MIT
# fish: `pmuq complete` prints the candidates. fish itself quotes them, and adds no blank after = / , and :

# Prints the meaning of the beginning of a word. False if fish would expand a part of it (a variable, files), or if it ends in the
# middle of an escape: fish only appends to the existing text, and can no longer quote it.
function __pmuq_plain --argument-names typed
    set -l quote ''
    set -l escapes 0
    set -l plain ''
    set -l first 1
    for c in (string split '' -- "$typed")
        if test $escapes = 1
            # \n is a newline, not an n. For fish * and ? are patterns even if they are quoted.
            string match -qr '^[a-zA-Z0-9*?]$' -- $c; and test -z "$quote"; and return 1
            if test "$quote" = "'"; and not contains -- $c "'" '\\'
                set plain $plain'\\'
            else if test "$quote" = '"'; and not contains -- $c '"' '$' '\\'
                set plain $plain'\\'
            end
            set plain $plain$c
            set escapes 0
        else if test $c = '\\'
            set escapes 1
        else if test $c = "$quote"
            set quote ''
        else if test -z "$quote"; and contains -- $c '"' "'"
            set quote $c
        else if test "$quote" != "'"; and test $c = '$'
            return 1
        else if contains -- $c '*' '?'
            return 1
        else if test -z "$quote"; and contains -- $c '{' '}' '(' ')' '[' '#' '%' '^'
            return 1
        else if test $first = 1; and test $c = '~'; and not string match -q '~/*' -- "$typed"
            return 1
        else
            set plain $plain$c
        end
        set first 0
    end
    test $escapes = 0; and printf '%s\n' "$plain"
end

function __pmuq_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct | string collect)
    set -l word (__pmuq_plain "$typed"); or return
    # Fish does not quote a tilde at the start of a word.
    set -l unwanted '^$'
    test -z "$typed"; and set unwanted '^~'
    command $words[1] complete -- $words[2..-1] "$word" 2>/dev/null | string match -rv -- $unwanted
end

complete -c pmuq -f -k -a '(__pmuq_complete)'
