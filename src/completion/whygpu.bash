# bash completion for whygpu
_whygpu_files() {
	mapfile -t COMPREPLY < <(compgen -d -- "$1"; compgen -f -X "!*.$2" -- "$1")
	compopt -o filenames
}

_whygpu() {
	local commands='init report check explain catalog network inventory
	    pdfcheck validate'
	local options='--out --lang --catalog --templates --fonts --dump --depfile
	    --format --set --unset --coverage --input --batch --rows --by --model
	    --folds --calibrate --help --version'
	local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
	local words=() command='' i

	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		--coverage | --help | --version) ;;
		--*) ((i++)) ;;
		*) words+=("${COMP_WORDS[i]}") ;;
		esac
	done
	command=${words[0]:-}
	case $before in
	--out | --catalog | --templates | --fonts)
		mapfile -t COMPREPLY < <(compgen -d -- "$word")
		compopt -o filenames
		return ;;
	--depfile | --rows)
		mapfile -t COMPREPLY < <(compgen -f -- "$word")
		compopt -o filenames
		return ;;
	--lang)
		mapfile -t COMPREPLY < <(compgen -W 'zh-CN en zh-CN,en' -- "$word")
		return ;;
	--dump)
		mapfile -t COMPREPLY < <(compgen -W \
		    'needs results doc plan pages shapes' -- "$word")
		return ;;
	--by)
		mapfile -t COMPREPLY < <(compgen -W \
		    'gpu network source batch runtime precision chip' -- "$word")
		return ;;
	--format)
		mapfile -t COMPREPLY < <(compgen -W 'text tsv' -- "$word")
		return ;;
	--model)
		mapfile -t COMPREPLY < <(compgen -W 'layers totals' -- "$word")
		return ;;
	--input | --batch | --set | --unset)
		COMPREPLY=()
		return ;;
	esac
	if [[ $word == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
		return
	fi
	case $command.${#words[@]} in
	.0) mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$word") ;;
	init.1)
		mapfile -t COMPREPLY < <(compgen -d -- "$word")
		compopt -o filenames ;;
	report.* | check.1 | explain.1) _whygpu_files "$word" yaml ;;
	catalog.1)
		mapfile -t COMPREPLY < <(compgen -W 'list show find check' -- "$word") ;;
	network.1) _whygpu_files "$word" onnx ;;
	inventory.1) _whygpu_files "$word" xml ;;
	pdfcheck.1) _whygpu_files "$word" pdf ;;
	validate.1) _whygpu_files "$word" csv ;;
	*) COMPREPLY=() ;;
	esac
}
complete -F _whygpu whygpu
