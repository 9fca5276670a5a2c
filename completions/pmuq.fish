# SPDX-License-Identifier: MIT
# fish: `pmuq complete` knows what may follow, and fish itself puts no blank behind = / , and :

function __pmuq_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    # A brace that nobody quoted makes two words of a group, and here it cannot be quoted any more.
    string replace -ra '\\\\.|"(\\\\.|[^"])*"?|\'(\\\\.|[^\'])*\'?' '' -- "$typed" | string match -q '*{*'; and return
    # A quote that is open is fish's affair.
    set -l word (string replace -ra '["\'\\\\]' '' -- "$typed")
    command $words[1] complete -- $words[2..-1] "$word" 2>/dev/null
end

complete -c pmuq -f -k -a '(__pmuq_complete)'
