/**
 * Shell completion scripts. They contain every fixed word, for which a key press starts no process; profiles and ids are
 * asked of the program. Each script finds the command in the words before the cursor and counts the arguments after it,
 * then offers the values of the next one, or files if there are none.
 */
import type { OptionWord, Place, Shell, Values, Word } from './places.ts';

export const generateScript = (shell: Shell, places: readonly Place[]): string => scripts[shell](places);

const scripts: Readonly<Record<Shell, (places: readonly Place[]) => string>> = { bash, zsh, fish, powershell };

/** Options with a value, so that the value is not mistaken for a word of the command; none that is a flag elsewhere. */
function withValue(places: readonly Place[]): string[] {
  const all = places.flatMap(({ options }) => options);
  const flags = new Set(all.filter(({ value }) => value === 'none').map(({ word }) => word));
  return [...new Set(all.filter(({ word }) => !flags.has(word)).map(({ word }) => word))];
}
const pathsOf = (places: readonly Place[]): string[] => places.map(({ path }) => path).filter((path) => path !== '');
/** The options with a value. */
const valued = ({ options }: Place): { readonly word: string; readonly value: Values }[] =>
  options.flatMap(({ word, value }: OptionWord) => (value === 'none' ? [] : [{ word, value }]));
const joinWords = (words: readonly Word[]): string => words.map(({ word }) => word).join(' ');

/** The assignments with which a case offers values; nothing for files. */
function inBash(values: Values): string {
  if (values.kind === 'files') return ':';
  return values.kind === 'asked' ? `source='${values.source}'` : `words='${joinWords(values.words)}'`;
}

function bash(places: readonly Place[]): string {
  const cases = places.map((place) => {
    const { path, positions, options } = place;
    const values = valued(place).map(({ word, value }) => `        ${word}) ${inBash(value)}; value=1 ;;`);
    const offered = positions.map((each, at) => `          ${at}) ${inBash(each)} ;;`);
    return `    '${path}')
      case "$before" in
${values.join('\n')}
        *) if [[ $now == -* ]]; then words='${joinWords(options)}'; else case "$count" in
${offered.join('\n')}
          esac; fi ;;
      esac ;;`;
  });
  return `# laudio in bash: put this into ~/.local/share/bash-completion/completions/laudio, or source it.
_laudio() {
  local now=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} path='' words='' source='' value=''
  local at=1 count=0 word
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
          *) (( count++ )) ;;
        esac ;;
    esac
    (( at++ ))
  done
  case "$path" in
${cases.join('\n')}
  esac
  [[ -n $source ]] && words=$("\${COMP_WORDS[0]}" completion --words "$source" 2>/dev/null)
  COMPREPLY=()
  if [[ -n $words ]]; then COMPREPLY=( $(compgen -W "$words" -- "$now") ); fi
  if [[ -z $source && ( -z $words || ( -z $value && \${#COMPREPLY[@]} -eq 0 && $now != -* ) ) ]]; then
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

/** The command of zsh that offers the values. */
function inZsh(values: Values): string {
  if (values.kind === 'files') return '_files';
  if (values.kind === 'words') return `compadd -- ${values.words.map(({ word }) => quoted(word)).join(' ')}`;
  return `compadd -- \${(f)"$("\${words[1]}" completion --words ${values.source} 2>/dev/null)"}`;
}

function zsh(places: readonly Place[]): string {
  const cases = places.map((place) => {
    const { path, positions, options } = place;
    const values = valued(place).map(({ word, value }) => `        ${word}) ${inZsh(value)}; return ;;`);
    const offered = positions.flatMap((each, at) =>
      each.kind === 'files'
        ? []
        : [
            each.kind === 'words' && each.words.some(({ summary }) => summary !== '')
              ? `        ${at}) plain=(${each.words.map(described).join(' ')}) ;;`
              : `        ${at}) [[ $now == -* ]] || { ${inZsh(each)}; return } ;;`,
          ],
    );
    return `    ${quoted(path)})
      case "$before" in
${values.join('\n')}
      esac
      case $count in
${offered.join('\n')}
      esac
      options=(${options.map(described).join(' ')}) ;;`;
  });
  return `#compdef laudio
# laudio in zsh: put this into a directory of $fpath as _laudio.
_laudio() {
  local now=\${words[CURRENT]} before=\${words[CURRENT-1]} found='' word
  local -a plain options
  local -i at=2 count=0
  while (( at < CURRENT )); do
    word=\${words[at]}
    case "$word" in
      ${withValue(places).join('|')}) (( at++ )) ;;
      -*) ;;
      *)
        case "\${found:+$found }$word" in
          ${pathsOf(places).map(quoted).join('|')}) found="\${found:+$found }$word" ;;
          *) (( count++ )) ;;
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

/** The words of an option or an argument, for `-a`. */
const offeredInFish = (values: Values): string =>
  values.kind === 'asked' ? `(__laudio_ask ${values.source})` : values.kind === 'words' ? joinWords(values.words) : '';

function fish(places: readonly Place[]): string {
  const lines = places.flatMap(({ path, positions, options }) => {
    const at = (count?: number): string =>
      `complete -c laudio -n ${inFish(`__laudio_at ${inFish(path)}${count === undefined ? '' : ` ${count}`}`)}`;
    return [
      ...positions.flatMap((values, count) => {
        if (values.kind === 'files') return [];
        if (values.kind === 'asked') return [`${at(count)} -f -a ${inFish(offeredInFish(values))}`];
        return values.words.map(
          ({ word, summary }) => `${at(count)} -f -a ${inFish(word)}${summary === '' ? '' : ` -d ${inFish(summary)}`}`,
        );
      }),
      ...options.map(({ word, summary, value }) => {
        const name = word.startsWith('--') ? `-l ${word.slice(2)}` : `-s ${word.slice(1)}`;
        const offered =
          value === 'none' ? '' : value.kind === 'files' ? ' -r -F' : ` -x -a ${inFish(offeredInFish(value))}`;
        return `${at()} ${name}${offered} -d ${inFish(summary)}`;
      }),
    ];
  });
  return `# laudio in fish: put this into ~/.config/fish/completions/laudio.fish.
function __laudio_at
  set -l found ''
  set -l skip 0
  set -l count 0
  for word in (commandline -opc)[2..-1]
    if test $skip = 1
      set skip 0
      continue
    end
    if contains -- $word ${withValue(places).join(' ')}
      set skip 1
      continue
    end
    string match -q -- '-*' $word; and continue
    set -l longer (string trim "$found $word")
    if contains -- $longer ${pathsOf(places).map(inFish).join(' ')}
      set found $longer
    else
      set count (math $count + 1)
    end
  end
  test "$found" = "$argv[1]"; and begin
    test (count $argv) -lt 2; or test $count = $argv[2]
  end
end
function __laudio_ask
  set -l program (commandline -opc)[1]
  $program completion --words $argv[1] 2>/dev/null
end
${lines.join('\n')}
`;
}

const inPowershell = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** A list of words, alone or in pairs with their meanings; or the source that the program knows. */
function forPowershell(values: Values): string {
  if (values.kind === 'files') return '@()';
  if (values.kind === 'asked') return `@{ ask = ${inPowershell(values.source)} }`;
  return values.words.some(({ summary }) => summary !== '')
    ? pairsInPowershell(values.words)
    : `@(${values.words.map(({ word }) => inPowershell(word)).join(', ')})`;
}

const pairsInPowershell = (list: readonly Word[]): string =>
  `@(${list.length === 1 ? ',' : ''}${list.map(({ word, summary }) => `@(${inPowershell(word)}, ${inPowershell(summary || word)})`).join(', ')})`;

function powershell(places: readonly Place[]): string {
  const entry = (place: Place): string => {
    const values = valued(place).map(({ word, value }) => `${inPowershell(word)} = ${forPowershell(value)}`);
    const positions = place.positions.map((each, at) => `${at} = ${forPowershell(each)}`);
    return `    ${inPowershell(place.path)} = @{
      positions = @{ ${positions.join('; ')} }
      options = ${pairsInPowershell(place.options)}
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
  $count = 0
  foreach ($word in $said) {
    if ($skip) { $skip = $false; continue }
    if ($withValue -ccontains $word) { $skip = $true; continue }
    if ($word.StartsWith('-')) { continue }
    $longer = "$path $word".Trim()
    if ($places.ContainsKey($longer)) { $path = $longer } else { $count++ }
  }
  $place = $places[$path]
  $before = if ($said.Count -gt 0) { $said[-1] } else { '' }
  $found = if ($place.values.ContainsKey($before)) { $place.values[$before] }
    elseif ($now.StartsWith('-')) { $place.options }
    else { $place.positions[$count] }
  if ($found -is [hashtable]) { $found = @(& $line.CommandElements[0].ToString() completion --words $found.ask 2>$null) }
  $pairs = foreach ($each in $found) { if ($each -is [string]) { , @($each, $each) } else { , $each } }
  $pairs | Where-Object { $_ -and $_[0].StartsWith($now) } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_[0], $_[0], 'ParameterValue', $_[1])
  }
}
`;
}
