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
  # Bash makes three words of --status=new.
  if [[ $now == '=' ]]; then now=''; elif [[ $before == '=' ]]; then before=\${COMP_WORDS[COMP_CWORD-2]}; fi
  while (( at < COMP_CWORD )); do
    word=\${COMP_WORDS[at]}
    case "$word" in
      ${withValue(places).join('|')}) [[ \${COMP_WORDS[at+1]} == '=' ]] && (( at++ )); (( at++ )) ;;
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
  if [[ $now == --*=* ]]; then
    before=\${now%%=*} now=\${now#*=}
    compset -P '*='
  fi
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

/** PowerShell takes typographic quotes for quotes, and its older versions read a profile in the encoding of Windows: ASCII alone. */
const inPowershell = (text: string): string => `'${text.replaceAll('…', '...').replaceAll(/['‘’]/g, "''")}'`;

/** A list of words, alone or in pairs with their meanings; or the source that the program knows. */
function forPowershell(values: Values): string {
  if (values.kind === 'files') return '@()';
  if (values.kind === 'asked') return `@{ ask = ${inPowershell(values.source)} }`;
  const items = values.words.map(({ word, summary }) =>
    summary === '' ? inPowershell(word) : `@(${inPowershell(word)}, ${inPowershell(summary)})`,
  );
  return listInPowershell(items);
}

/** The comma keeps a list of one list from becoming that list. */
const listInPowershell = (items: readonly string[]): string => `@(${items.length === 1 ? ',' : ''}${items.join(', ')})`;

function powershell(places: readonly Place[]): string {
  const entry = ({ path, positions, options }: Place): string => {
    const listed = options.map(({ word, summary, value }) => {
      const values = value === 'none' ? '' : `, ${forPowershell(value)}`;
      return `@(${inPowershell(word)}, ${inPowershell(summary)}${values})`;
    });
    return `    ${inPowershell(path)} = @{
      positions = @{ ${positions.map((each, at) => `${at} = ${forPowershell(each)}`).join('; ')} }
      options = ${listInPowershell(listed)}
    }`;
  };
  return `# laudio in PowerShell: put this into the file that $PROFILE names.
Register-ArgumentCompleter -Native -CommandName laudio -ScriptBlock {
  param($typed, $line, $cursor)
  $places = @{
${places.map(entry).join('\n')}
  }
  $withValue = ${listInPowershell(withValue(places).map(inPowershell))}
  $now = ''
  $before = ''
  $path = ''
  $skip = $false
  $count = 0
  foreach ($element in @($line.CommandElements | Select-Object -Skip 1)) {
    $start = $element.Extent.StartOffset
    $word = $element.Extent.Text
    if ($start -ge $cursor) { break }
    if ($element.Extent.EndOffset -ge $cursor) { $now = $word.Substring(0, $cursor - $start) -replace '^["'']', ''; break }
    $word = $word -replace '^["'']|["'']$', ''
    $before = $word
    if ($skip) { $skip = $false; continue }
    if ($withValue -ccontains $word) { $skip = $true; continue }
    if ($word.StartsWith('-')) { continue }
    $longer = "$path $word".Trim()
    if ($places.ContainsKey($longer)) { $path = $longer } else { $count++ }
  }
  $lead = ''
  if ($now -cmatch '^(--[^=]+)=(.*)$') {
    $before = $Matches[1]
    $now = $Matches[2]
    $lead = "$before="
  }
  $place = $places[$path]
  $found = $place.positions[$count]
  if ($now.StartsWith('-')) { $found = $place.options }
  foreach ($option in $place.options) {
    if ($option.Count -gt 2 -and $option[0] -ceq $before) { $found = $option[2] }
  }
  if ($found -is [hashtable]) {
    $program = $line.GetCommandName()
    $found = @(& $program completion --words $found.ask 2>$null)
  }
  foreach ($each in $found) {
    $pair = @($each)
    $word = $pair[0]
    if (-not $word.StartsWith($now, [StringComparison]::OrdinalIgnoreCase)) { continue }
    $meaning = if ($pair.Count -gt 1) { $pair[1] } else { $word }
    $text = if ($word -match '^[\\w./:+-]+$') { $word } else { "'" + ($word -replace "'", "''") + "'" }
    [System.Management.Automation.CompletionResult]::new("$lead$text", $word, 'ParameterValue', $meaning)
  }
}
`;
}
