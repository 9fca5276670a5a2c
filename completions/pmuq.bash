# SPDX-License-Identifier: MIT
# bash: `pmuq complete` prints the candidates; this file handles how bash splits, quotes and ends words.

# $2 is the text that readline replaces: the end of the word, from a quote or one of COMP_WORDBREAKS on.
_pmuq()
{
	# Bash also splits words at = and :; here only blanks separate words.
	local line=${COMP_LINE:0:COMP_POINT} part raw='' words=() i plain quote brace shown quoted is_code
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
	COMPREPLY=()
	_pmuq_read "$raw" $((${#raw} - ${#2}))
	[[ $is_code ]] && return 0

	local candidate only reply common='' escape
	while IFS= read -r candidate; do
		only=${candidate%%$'\t'*}
		[[ ${only:0:${#plain}} == "$plain" ]] || continue
		_pmuq_quote "${only:${#plain}}"
		reply=$shown$quoted
		# Readline takes a quote here for the one before the word, and replaces that one.
		[[ $quote && ${reply:0:1} == "$quote" ]] && reply=$quote$reply
		((${#COMPREPLY[@]})) || common=$reply
		while [[ $reply != "$common"* ]]; do common=${common%?}; done
		COMPREPLY+=("$reply")
	done < <(command "${COMP_WORDS[0]}" complete -- "${words[@]}" "$plain" 2>/dev/null)

	# A word that can be continued gets no blank after it, and no closing quote: a second candidate prevents the quote.
	# Readline would take a quote at the end of the word for the closing one.
	if ((${#COMPREPLY[@]} == 1)); then
		if [[ $common == *[=/,:] ]]; then
			compopt -o nospace
			[[ $quote ]] && COMPREPLY+=("$common...")
		elif [[ $quote && $common == *"$quote" ]]; then
			COMPREPLY=("$common$quote")
		fi
	fi

	# The common beginning of all candidates must not end within an escape.
	escape=${common##*[!\\]}
	[[ $quote != \' ]] && ((${#escape} % 2)) && COMPREPLY+=("${common%?}")
	return 0
}

# Reads a word of the line, $1. Sets plain (its meaning), quote (the quote that is open), is_code (whether the shell would expand
# a part of it) and shown (the text after its first $2 characters, quoted again: the meaning of a character can depend on the
# characters around it). The shell would split a group at an open brace: the brace is quoted, or, if it is before $2 (brace), the
# commas are.
_pmuq_read()
{
	local i c is_shown value quoted
	plain='' quote='' brace='' shown='' is_code=''
	for ((i = 0; i < ${#1}; i += ${#c})); do
		c=${1:i:1} value=${1:i:1}
		is_shown=$((i >= $2))
		case $quote$c in
		\'\' | \"\" | \' | \")
			[[ $quote ]] && quote= || quote=$c
			((is_shown)) && shown+=$c
			continue
			;;
		\\ | \"\\)
			c=${1:i:2} value=${c:1}
			# In double quotes a backslash quotes only these.
			[[ $quote && $c != \\[\\\"\$\`] ]] && c=\\ value=\\
			((${#c} == 2)) || [[ $quote ]] || continue # the quoted character is not typed yet
			;;
		\$ | \"\$) _pmuq_is_code "${1:i+1:1}" "$is_shown" && is_code=1 ;;
		\` | \"\`) ((i + 1 < ${#1} || !is_shown)) && is_code=1 ;;
		[\<\>\;\|\&\(\)]) is_code=1 ;; # the word ends there
		\{ | \}) ((is_shown)) || brace=1 ;;
		esac
		plain+=$value
		((is_shown)) || continue
		if [[ $c == \~ && ! $quote && ${1:i+1:1} == / && ($i -eq 0 || ${1:i-1:1} == =) ]]; then
			shown+=$c # the home directory, as the user wants
		else
			_pmuq_quote "$value"
			shown+=$quoted
		fi
	done
	return 0
}

# Whether a dollar before $1 is an expansion; a dollar at the end (is_shown: $2) will be quoted.
_pmuq_is_code()
{
	case $1 in
	'') ((!$2)) ;;
	[\"\']) [[ ! $quote ]] ;;
	[a-zA-Z0-9_\(\{\[\@*#?\$!-]) true ;;
	*) false ;;
	esac
}

# Sets quoted to a text that means $1 at the end of the word. Names are untrusted.
_pmuq_quote()
{
	local i c
	quoted=
	for ((i = 0; i < ${#1}; i++)); do
		c=${1:i:1}
		case $quote$c in
		\'\') quoted+="'\\''" ;;
		\"[\\\"\$\`]) quoted+=\\$c ;;
		\"!) quoted+="\"'!'\"" ;; # history is also expanded in double quotes
		,) quoted+=${brace:+\\}, ;;
		[][\ \!\"\#\$\&\'\(\)\*\;\<\>\?\\^\`\{\|\}\~]) quoted+=\\$c ;;
		*) quoted+=$c ;;
		esac
	done
}

complete -o nosort -F _pmuq pmuq 2>/dev/null || complete -F _pmuq pmuq
