# SPDX-License-Identifier: MIT
# bash: `pmuq complete` knows what may follow; here is how bash splits, quotes and ends words.

_pmuq()
{
	# Bash takes words apart at = and : as well; blanks alone count.
	local line=${COMP_LINE:0:COMP_POINT} part raw='' words=() i
	for ((i = 0; i <= COMP_CWORD; i++)); do
		part=${COMP_WORDS[i]}
		if [[ $line == [[:space:]]* || -z $raw ]]; then
			line=${line#"${line%%[![:space:]]*}"}
			((i > 1)) && words+=("$(_pmuq_plain "$raw")")
			raw=
		fi
		[[ $line == "$part"* ]] || part=$line
		raw+=$part line=${line#"$part"}
	done

	# An open quote holds the word together; what stands before is not bash's to replace.
	local quote='' typed before
	typed=$(_pmuq_plain "$raw")
	before=${raw//[!\"\']/}
	if ((${#before} % 2)); then
		quote=${before: -1}
		before=$(_pmuq_plain "${raw%"$quote"*}")
	else
		before=${typed%"${typed##*[${COMP_WORDBREAKS//[[:space:]\"\']/}]}"}
		before=${before%@} # readline counts it to what follows
	fi

	local candidate IFS=$'\n'
	COMPREPLY=()
	for candidate in $(command "${COMP_WORDS[0]}" complete -- "${words[@]}" "$typed" 2>/dev/null); do
		candidate=${candidate%%$'\t'*}
		candidate=${candidate#"$before"}
		[[ ! $quote && $candidate == *[[:space:]\"\'\\\$\;\&\|\<\>\(\)\*\?]* ]] && printf -v candidate %q "$candidate"
		COMPREPLY+=("$candidate")
	done

	# No blank behind what goes on, nor the closing quote, which two candidates keep away.
	if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[=/,:] ]]; then
		compopt -o nospace
		[[ $quote ]] && COMPREPLY+=("${COMPREPLY[0]}...")
	fi
}

# A word without quotes and backslashes.
_pmuq_plain()
{
	local word=$1
	[[ $word == \~* ]] || word=${word//\\/}
	printf '%s' "${word//[\"\']/}"
}

complete -o nosort -F _pmuq pmuq 2>/dev/null || complete -F _pmuq pmuq
