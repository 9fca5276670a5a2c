# SPDX-License-Identifier: MIT
# bash: `pmuq complete` knows what may follow; here is how bash splits, quotes and ends words.

# $2 is what readline puts the choice in place of: the end of the word, from a quote or one of COMP_WORDBREAKS on.
_pmuq()
{
	# Bash takes words apart at = and : as well; blanks alone count.
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
		# Readline takes a quote here for the one before the word, and puts it in its place.
		[[ $quote && ${reply:0:1} == "$quote" ]] && reply=$quote$reply
		((${#COMPREPLY[@]})) || common=$reply
		while [[ $reply != "$common"* ]]; do common=${common%?}; done
		COMPREPLY+=("$reply")
	done < <(command "${COMP_WORDS[0]}" complete -- "${words[@]}" "$plain" 2>/dev/null)

	# No blank behind what goes on, nor the closing quote, which two candidates keep away. A quote that is the end of the word
	# would pass for the closing one.
	if ((${#COMPREPLY[@]} == 1)); then
		if [[ $common == *[=/,:] ]]; then
			compopt -o nospace
			[[ $quote ]] && COMPREPLY+=("$common...")
		elif [[ $quote && $common == *"$quote" ]]; then
			COMPREPLY=("$common$quote")
		fi
	fi

	# What all have in common must not end within an escape.
	escape=${common##*[!\\]}
	[[ $quote != \' ]] && ((${#escape} % 2)) && COMPREPLY+=("${common%?}")
	return 0
}

# Of a word as it stands in the line: what it means (plain), the quote that is left open, whether the shell would put something
# else in place of a part of it (is_code), and how what follows its first $2 characters may stand there (shown): each
# character is quoted anew, for what it is beside may change what it means. An open brace would make two words of a group: it is
# quoted, or where it is out of reach (brace) the commas are.
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
			# In double quotes it quotes these alone.
			[[ $quote && $c != \\[\\\"\$\`] ]] && c=\\ value=\\
			((${#c} == 2)) || [[ $quote ]] || continue # what it quotes is still to come
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

# Whether a dollar before $1 is more than a dollar; a last one (is_shown: $2) will be quoted.
_pmuq_is_code()
{
	case $1 in
	'') ((!$2)) ;;
	[\"\']) [[ ! $quote ]] ;;
	[a-zA-Z0-9_\(\{\[\@*#?\$!-]) true ;;
	*) false ;;
	esac
}

# Sets quoted to text that means $1 where the word goes on: names come from strangers.
_pmuq_quote()
{
	local i c
	quoted=
	for ((i = 0; i < ${#1}; i++)); do
		c=${1:i:1}
		case $quote$c in
		\'\') quoted+="'\\''" ;;
		\"[\\\"\$\`]) quoted+=\\$c ;;
		\"!) quoted+="\"'!'\"" ;; # history is looked for inside of double quotes, too
		,) quoted+=${brace:+\\}, ;;
		[][\ \!\"\#\$\&\'\(\)\*\;\<\>\?\\^\`\{\|\}\~]) quoted+=\\$c ;;
		*) quoted+=$c ;;
		esac
	done
}

complete -o nosort -F _pmuq pmuq 2>/dev/null || complete -F _pmuq pmuq
