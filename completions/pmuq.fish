# SPDX-License-Identifier: MIT
# fish: `pmuq complete` prints the candidates; fish itself adds no space after = / , and :

function __pmuq_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    # fish expands an unquoted brace to several words, and it cannot be quoted here any more: offer nothing.
    string replace -ra '\\\\.|"(\\\\.|[^"])*"?|\'(\\\\.|[^\'])*\'?' '' -- "$typed" | string match -q '*{*'; and return
    # fish itself handles an open quote.
    set -l word (string replace -ra '["\'\\\\]' '' -- "$typed")
    command $words[1] complete -- $words[2..-1] "$word" 2>/dev/null
end

complete -c pmuq -f -k -a '(__pmuq_complete)'
