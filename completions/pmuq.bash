# SPDX-License-Identifier: MIT
# bash: `pmuq complete` knows what may follow; here is how bash splits, quotes and ends words.

# $2 is what readline puts the choice in place of: the end of the word, from a quote or one of COMP_WORDBREAKS on.
_pmuq()
{
	# Bash takes words apart at = and : as well; blanks alone count.
	local line=${COMP_LINE:0:COMP_POINT} part raw='' words=() i plain quote brace shown quoted
	for ((i = 0; i <= COMP_CWORD; i++)); do
		part=${COMP_WORDS[i]}
		if [[ $line == [[:space:]]* || -z $raw ]]; then
			line=${line#"${line%%[![:space:]]*}"}
			((i > 1)) && _pmuq_read "$raw" 0 && words+=("$plain")
			raw=
		fi
		[[ $line == "$part"* ]] || part=$line
		raw+=$part line=${line#"$part"}
	done
	_pmuq_read "$raw" $((${#raw} - ${#2}))

	local candidate only reply common='' escape
	COMPREPLY=()
	while IFS= read -r candidate; do
		only=${candidate%%$'\t'*}
		_pmuq_quote "${only#"$plain"}"
		reply=$shown$quoted
		((${#COMPREPLY[@]})) || common=$reply
		while [[ $reply != "$common"* ]]; do common=${common%?}; done
		COMPREPLY+=("$reply")
	done < <(command "${COMP_WORDS[0]}" complete -- "${words[@]}" "$plain" 2>/dev/null)

	# No blank behind what goes on, nor the closing quote, which two candidates keep away.
	if [[ ${#COMPREPLY[@]} -eq 1 && $only == *[=/,:] ]]; then
		compopt -o nospace
		[[ $quote ]] && COMPREPLY+=("${COMPREPLY[0]}...")
	fi

	# What all have in common must not end within an escape.
	escape=${common##*[!\\]}
	[[ $quote != \' ]] && ((${#escape} % 2)) && COMPREPLY+=("${common%?}")
	return 0
}

# Of a word as it stands in the line: what it means (plain), the quote that is left open, and how what follows its first
# $2 characters may stand there (shown). An open brace would make two words of a group: it is quoted, or where it
# is out of reach (brace) the commas are.
_pmuq_read()
{
	local i c is_shown
	plain='' quote='' brace='' shown=''
	for ((i = 0; i < ${#1}; i += ${#c})); do
		c=${1:i:1}
		is_shown=$((i >= $2))
		case $quote$c in
		\'\' | \"\") quote= ;;
		\' | \") quote=$c ;;
		\\ | \"\\)
			c=${1:i:2}
			if [[ $quote && $c == \\[!\\\"\$\`] ]]; then
				c=\\ plain+=\\ # it quotes these alone
			elif ((${#c} == 2)); then
				plain+=${c:1}
			else
				is_shown=0 # what it quotes is still to come
			fi
			;;
		\{ | \})
			plain+=$c
			((is_shown)) && shown+=\\ || brace=1
			;;
		,)
			plain+=$c
			((is_shown)) && shown+=${brace:+\\}
			;;
		*) plain+=$c ;;
		esac
		((is_shown)) && shown+=$c
	done
	return 0
}

# Sets quoted to text that means $1 where the word goes on: names come from strangers.
_pmuq_quote()
{
	local i c
	quoted=
	if [[ ! $quote ]]; then
		[[ $1 ]] && printf -v quoted %q "$1"
		[[ $brace ]] || quoted=${quoted//\\,/,}
		return
	fi
	for ((i = 0; i < ${#1}; i++)); do
		c=${1:i:1}
		case $quote$c in
		\'\') quoted+="'\\''" ;;
		\"[\\\"\$\`]) quoted+=\\$c ;;
		\"!) quoted+="\"'!'\"" ;; # history is looked for inside of double quotes, too
		*) quoted+=$c ;;
		esac
	done
}

complete -o nosort -F _pmuq pmuq 2>/dev/null || complete -F _pmuq pmuq
