/** The `laudio` commands that the documentation shows, and whether the program takes them. */
import { forEachChild, parse as parseShell } from 'unbash';
import type { SyntaxNode } from 'unbash';
import type { AnyCommand, Option } from '../../cli/command.ts';
import { kebab } from '../../cli/command.ts';
import { isNoun } from '../../cli/entry.ts';
import { globalOptions } from '../../cli/shell/global-options.ts';
import { parse } from '../../cli/parse.ts';
import { program } from '../../cli/program.ts';
import { endpoints } from '../../src/contract/index.ts';
import { AppError } from '../../src/contract/errors.ts';
import type { Place } from './pages.ts';
import { pageOf, pagePaths, placeText } from './pages.ts';

export interface ShownCommand extends Place {
  /** Words after `laudio`, without quotes. */
  readonly words: readonly string[];
  /** `line`: of a block, as somebody types it. `mention`: of a sentence, where values and arguments may be missing. */
  readonly kind: 'line' | 'mention';
}

/** Languages of blocks that a shell runs. */
export const shells: ReadonlySet<string> = new Set(['sh', 'bash', 'console']);

/** Commands of a shell script: each `laudio` in pipes, substitutions and loops too. Throws where it is no shell script. */
export function laudioLinesOf(script: string, place: Place): ShownCommand[] {
  const found: ShownCommand[] = [];
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'Command' && node.name?.value === 'laudio') {
      const line = place.line + 1 + script.slice(0, node.pos).split('\n').length - 1;
      const words = node.suffix.flatMap((word) => (word.type === 'Word' ? [word.value] : []));
      found.push({ page: place.page, line, words, kind: 'line' });
    }
    forEachChild(node, visit);
  };
  const parsed = parseShell(script);
  const [wrong] = parsed.errors ?? [];
  if (wrong) throw new Error(`${placeText(place)} is no shell script: ${wrong.message}`);
  visit(parsed);
  return found;
}

/** Commands that sentences name. `profile list|use` are two; brackets stand around what may be left out. */
export function mentionsOf(text: string, place: Place): ShownCommand[] {
  if (!/^laudio( |$)/.test(text)) return [];
  const words = Array.from(text.replaceAll(/[[\]]/g, ' ').matchAll(/"[^"]*"|'[^']*'|\S+/g), ([word]) =>
    word.replaceAll(/^["']|["']$/g, ''),
  ).slice(1);
  const commandWords = words.slice(0, 2);
  const at = commandWords.findIndex((word) => /^[a-z-]+(\|[a-z-]+)+$/.test(word));
  const variants = at === -1 ? [words] : commandWords[at]!.split('|').map((word) => words.with(at, word));
  return variants.map((variant) => ({ ...place, words: variant, kind: 'mention' }));
}

/** Every command that a page shows. */
export function shownCommands(): ShownCommand[] {
  return pagePaths
    .map(pageOf)
    .flatMap(({ blocks, code }) => [
      ...blocks
        .filter(({ language }) => shells.has(language))
        .flatMap((block) => laudioLinesOf(language(block.language, block.text), block)),
      ...code.flatMap((each) => mentionsOf(each.text, each)),
    ]);
}

/** The commands that the help of every command gives as examples, in the file of the command. */
export async function exampleCommands(): Promise<ShownCommand[]> {
  const commands = Object.entries(program).flatMap(([name, listed]) =>
    isNoun(listed)
      ? Object.entries(listed.verbs).map(([verb, entry]) => ({ page: `laudio ${name} ${verb} --help`, entry }))
      : [{ page: `laudio ${name} --help`, entry: listed }],
  );
  const found = await Promise.all(
    commands.map(async ({ page, entry }) =>
      ((await entry.load()).examples ?? []).flatMap(([line], at) => laudioLinesOf(line, { page, line: at })),
    ),
  );
  return found.flat();
}

/** Of a `console` block what is typed stands behind `$ `; its lines keep their places. */
const language = (name: string, text: string): string =>
  name === 'console' ? text.replaceAll(/^(?!\$ ).*$/gm, '').replaceAll(/^\$ /gm, '') : text;

/** Calls of the API: each method with its address, in a page or as words of `laudio api`. */
export function callsIn(text: string, place: Place): (Place & { readonly method: string; readonly path: string })[] {
  const methods = endpoints.map(({ method }) => method).join('|');
  return Array.from(
    text.matchAll(new RegExp(`\\b(${methods})\\s+(/(?:api|v1|healthz|readyz|metrics)[^\\s\`?"',;]*)`, 'g')),
    (found) => ({
      page: place.page,
      line: place.line + text.slice(0, found.index).split('\n').length - 1,
      method: found[1]!,
      path: found[2]!,
    }),
  );
}

/** Whether the contract has the call. Any word stands for a parameter, such as `{id}` or `rec_…`. */
export const isInContract = ({ method, path }: { readonly method: string; readonly path: string }): boolean =>
  endpoints.some(
    (endpoint) =>
      endpoint.method === method && new RegExp(`^${endpoint.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );

const help = { write: () => {}, width: 80 };

/** Why the program would not take what is shown; `undefined` where it would. */
export async function refusalOf({ words, kind }: Pick<ShownCommand, 'words' | 'kind'>): Promise<string | undefined> {
  try {
    if (kind === 'mention') return await unknownOf(words.filter((word) => word !== '…'));
    await parse(words, '0', help);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [error.message, error.hint].filter(Boolean).join(' ');
  }
}

/** What a mention names that is not there: a noun, a verb, an option; or one argument too many. */
async function unknownOf(words: readonly string[]): Promise<string | undefined> {
  const [first, second] = words.filter((word) => !word.startsWith('-') && !isPlaceholder(word));
  if (first === undefined || words.includes('--help')) return undefined;
  const listed = Object.hasOwn(program, first) ? program[first] : undefined;
  if (!listed) return `There is no command ${first}.`;
  if (!isNoun(listed)) return unknownIn(await listed.load(), words.slice(words.indexOf(first) + 1));
  if (second === undefined) return undefined;
  const verb = Object.hasOwn(listed.verbs, second) ? listed.verbs[second] : undefined;
  if (!verb) return `${first} has no verb ${second}; it has ${Object.keys(listed.verbs).join(', ')}.`;
  return unknownIn(await verb.load(), words.slice(words.indexOf(second) + 1));
}

function unknownIn(command: AnyCommand, words: readonly string[]): string | undefined {
  const options = { ...globalOptions, ...command.options };
  const named = new Map<string, Option>(
    Object.entries(options).flatMap(([name, option]) => [
      [`--${kebab(name)}`, option] as const,
      ...(option.short ? [[`-${option.short}`, option] as const] : []),
    ]),
  );
  let given = 0;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]!;
    if (word === '--') break;
    const option = named.get(word);
    if (option && option.kind !== 'flag') at += 1;
    else if (!option && /^--?[a-z]/.test(word)) return `There is no option ${word}; --help of the command lists them.`;
    else if (!option) given += 1;
  }
  const takes = Object.values(command.arguments ?? {});
  return given > takes.length && !takes.some(({ variadic }) => variadic)
    ? `It takes ${takes.length} arguments, and here are ${given}.`
    : undefined;
}

/** `COMMAND`, `NAME…` and the like stand for a word. */
const isPlaceholder = (word: string): boolean => /^[A-Z]+(…|\.\.\.)?$|^…$/.test(word);
