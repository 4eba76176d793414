/**
 * Shell completion scripts. They contain every word: a key press starts no process. Each finds the command in the words
 * before the cursor, then offers the possible next words, or files if there are none.
 */
import type { OptionWord, Place, Shell, Word } from './places.ts';

export const generateScript = (shell: Shell, places: readonly Place[]): string => scripts[shell](places);

const scripts: Readonly<Record<Shell, (places: readonly Place[]) => string>> = { bash, zsh, fish, powershell };

/** Options with a value, so that the value is not mistaken for a word of the command. */
const withValue = (places: readonly Place[]): string[] => [
  ...new Set(places.flatMap(({ options }) => options.filter(({ value }) => value !== 'none').map(({ word }) => word))),
];
const pathsOf = (places: readonly Place[]): string[] => places.map(({ path }) => path).filter((path) => path !== '');
const choicesOf = ({ value }: OptionWord): readonly string[] => (typeof value === 'string' ? [] : value);

function bash(places: readonly Place[]): string {
  const cases = places.map(({ path, words, options }) => {
    const values = options
      .filter(({ value }) => value !== 'none')
      .map((option) => `        ${option.word}) words='${choicesOf(option).join(' ')}' value=1 ;;`);
    const all = [...words, ...options].map(({ word }) => word).join(' ');
    const plain = words.map(({ word }) => word).join(' ');
    return `    '${path}')
      case "$before" in
${values.join('\n')}
        *) if [[ $now == -* ]]; then words='${all}'; else words='${plain}'; fi ;;
      esac ;;`;
  });
  return `# laudio in bash: put this into ~/.local/share/bash-completion/completions/laudio, or source it.
_laudio() {
  local now=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} path='' words='' value='' at=1 word
  while (( at < COMP_CWORD )); do
    word=\${COMP_WORDS[at]}
    case "$word" in
      ${withValue(places).join('|')}) (( at++ )) ;;
      -*) ;;
      *)
        case "\${path:+$path }$word" in
          ${pathsOf(places)
            .map((path) => `'${path}'`)
            .join('|')}) path="\${path:+$path }$word" ;;
        esac ;;
    esac
    (( at++ ))
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=()
  if [[ -n $words ]]; then COMPREPLY=( $(compgen -W "$words" -- "$now") ); fi
  if [[ -z $words || ( -z $value && \${#COMPREPLY[@]} -eq 0 && $now != -* ) ]]; then
    compopt -o filenames 2>/dev/null
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$now")
  fi
}
complete -F _laudio laudio
`;
}

/** Single-quoted for POSIX shells and fish; a colon ends the word in zsh's descriptions. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const described = ({ word, summary }: Word): string => quoted(`${word.replaceAll(':', '\\:')}:${summary}`);

function zsh(places: readonly Place[]): string {
  const cases = places.map(({ path, words, options }) => {
    const values = options
      .filter(({ value }) => value !== 'none')
      .map((option) => {
        const choices = choicesOf(option);
        const action = choices.length > 0 ? `compadd -- ${choices.map(quoted).join(' ')}` : '_files';
        return `        ${option.word}) ${action}; return ;;`;
      });
    return `    ${quoted(path)})
      case "$before" in
${values.join('\n')}
      esac
      plain=(${words.map(described).join(' ')})
      options=(${options.map(described).join(' ')}) ;;`;
  });
  return `#compdef laudio
# laudio in zsh: put this into a directory of $fpath as _laudio.
_laudio() {
  local now=\${words[CURRENT]} before=\${words[CURRENT-1]} found='' word
  local -a plain options
  local -i at=2
  while (( at < CURRENT )); do
    word=\${words[at]}
    case "$word" in
      ${withValue(places).join('|')}) (( at++ )) ;;
      -*) ;;
      *)
        case "\${found:+$found }$word" in
          ${pathsOf(places).map(quoted).join('|')}) found="\${found:+$found }$word" ;;
        esac ;;
    esac
    (( at++ ))
  done
  case "$found" in
${cases.join('\n')}
  esac
  if [[ $now == -* ]]; then
    _describe -o option options
  elif (( \${#plain} )); then
    _describe command plain
  else
    _files
  fi
}
if [ "$funcstack[1]" = "_laudio" ]; then _laudio "$@"; else compdef _laudio laudio; fi
`;
}

/** In fish, a backslash is special within single quotes. */
const inFish = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

function fish(places: readonly Place[]): string {
  const lines = places.flatMap(({ path, words, options }) => {
    const here = `complete -c laudio -n ${inFish(`__laudio_at ${inFish(path)}`)}`;
    return [
      ...words.map(({ word, summary }) => `${here} -f -a ${inFish(word)} -d ${inFish(summary)}`),
      ...options.map((option) => {
        const name = option.word.startsWith('--') ? `-l ${option.word.slice(2)}` : `-s ${option.word.slice(1)}`;
        const choices = choicesOf(option);
        const value =
          option.value === 'none' ? '' : choices.length > 0 ? ` -x -a ${inFish(choices.join(' '))}` : ' -r -F';
        return `${here} ${name}${value} -d ${inFish(option.summary)}`;
      }),
    ];
  });
  return `# laudio in fish: put this into ~/.config/fish/completions/laudio.fish.
function __laudio_at
  set -l found ''
  set -l skip 0
  for word in (commandline -opc)[2..-1]
    if test $skip = 1
      set skip 0
      continue
    end
    if contains -- $word ${withValue(places).join(' ')}
      set skip 1
      continue
    end
    set -l longer (string trim "$found $word")
    if contains -- $longer ${pathsOf(places).map(inFish).join(' ')}
      set found $longer
    end
  end
  test "$found" = "$argv[1]"
end
${lines.join('\n')}
`;
}

const inPowershell = (text: string): string => `'${text.replaceAll("'", "''")}'`;

function powershell(places: readonly Place[]): string {
  const entry = ({ path, words, options }: Place): string => {
    const values = options
      .filter(({ value }) => value !== 'none')
      .map((option) => `${inPowershell(option.word)} = @(${choicesOf(option).map(inPowershell).join(', ')})`);
    const pairs = (list: readonly Word[]): string =>
      list.map(({ word, summary }) => `@(${inPowershell(word)}, ${inPowershell(summary || word)})`).join(', ');
    return `    ${inPowershell(path)} = @{
      words = @(${words.length === 1 ? ',' : ''}${pairs(words)})
      options = @(${options.length === 1 ? ',' : ''}${pairs(options)})
      values = @{ ${values.join('; ')} }
    }`;
  };
  return `# laudio in PowerShell: put this into the file that $PROFILE names.
Register-ArgumentCompleter -Native -CommandName laudio -ScriptBlock {
  param($now, $line, $cursor)
  $places = @{
${places.map(entry).join('\n')}
  }
  $withValue = @(${withValue(places).map(inPowershell).join(', ')})
  $said = @($line.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { $_.ToString() })
  $path = ''
  $skip = $false
  foreach ($word in $said) {
    if ($skip) { $skip = $false; continue }
    if ($withValue -ccontains $word) { $skip = $true; continue }
    $longer = "$path $word".Trim()
    if ($places.ContainsKey($longer)) { $path = $longer }
  }
  $place = $places[$path]
  $before = if ($said.Count -gt 0) { $said[-1] } else { '' }
  $found = if ($place.values.ContainsKey($before)) { $place.values[$before] | ForEach-Object { , @($_, $_) } }
    elseif ($now.StartsWith('-')) { $place.options }
    else { $place.words }
  $found | Where-Object { $_ -and $_[0].StartsWith($now) } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_[0], $_[0], 'ParameterValue', $_[1])
  }
}
`;
}
