# SPDX-License-Identifier: MIT
# fish: `pmuq complete` knows what may follow, and fish itself puts no blank behind = / , and :

function __pmuq_complete
    set -l words (commandline -opc)
    # A quote that is open is fish's affair.
    set -l word (commandline -ct | string replace -ra '["\'\\\\]' '')
    command $words[1] complete -- $words[2..-1] "$word" 2>/dev/null
end

complete -c pmuq -f -k -a '(__pmuq_complete)'
