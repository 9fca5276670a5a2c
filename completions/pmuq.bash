# SPDX-License-Identifier: MIT
# bash: `pmuq complete` prints the candidates; these functions split, quote and end words as bash does.

# $2 is the text that readline replaces: the end of the word, from a quote or a character of COMP_WORDBREAKS on.
_pmuq()
{
	# COMP_WORDS is split at = and : too, but only blanks separate words for pmuq: join the pieces.
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

	# No space after = / , and :. Inside a quote a second candidate keeps bash from closing the quote.
	if [[ ${#COMPREPLY[@]} -eq 1 && $only == *[=/,:] ]]; then
		compopt -o nospace
		[[ $quote ]] && COMPREPLY+=("${COMPREPLY[0]}...")
	fi

	# The common beginning of all candidates must not end inside an escape: another candidate shortens it.
	escape=${common##*[!\\]}
	[[ $quote != \' ]] && ((${#escape} % 2)) && COMPREPLY+=("${common%?}")
	return 0
}

# Parse a word of the command line ($1). Sets plain (the word without quotes), quote (the quote that is still open), shown
# (the word after its first $2 characters, as it must be written) and brace. bash would expand an unquoted brace to several
# words: it is quoted. If readline does not replace the brace (it is in the first $2 characters), brace is set, and the commas
# are quoted instead.
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
				c=\\ plain+=\\ # in double quotes a backslash quotes only these
			elif ((${#c} == 2)); then
				plain+=${c:1}
			else
				is_shown=0 # the quoted character is not typed yet
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

# Set quoted to $1, quoted for the end of the word. Names can contain any byte: they come from the kernel and from files.
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
		\"!) quoted+="\"'!'\"" ;; # history expansion also happens inside double quotes
		*) quoted+=$c ;;
		esac
	done
}

complete -o nosort -F _pmuq pmuq 2>/dev/null || complete -F _pmuq pmuq
