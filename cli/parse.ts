/**
 * Parses a command line into a command and its input, by the command table. commander does the parsing and the help.
 */
import { Command as Parser, CommanderError, Option as ParserOption } from 'commander';
import { AppError } from '../src/contract/errors.ts';
import { kebab } from './command.ts';
import type { AnyCommand, Option } from './command.ts';
import { wrappedCommand, wrappedHelp, wrappedText } from './shell/help-layout.ts';
import { globalOptions } from './shell/global-options.ts';
import type { GlobalInput } from './shell/global-options.ts';
import { isNoun } from './entry.ts';
import { program } from './program.ts';
import { formatFlags, ownFlags, rootHelp } from './shell/root-help.ts';
import type { Entry } from './entry.ts';
import { lastElement } from '../src/domain/elements.ts';
import { nearestWord } from '../src/domain/nearest-word.ts';
import { unknownWord } from '../src/domain/unknown-word.ts';

/** Commander's result: arguments and options by name, with global options separate. */
export interface ParsedCommand {
  readonly command: AnyCommand;
  readonly input: Readonly<Record<string, unknown>>;
  readonly globals: GlobalInput;
}

/** Output and width of the help. */
export interface HelpOutput {
  readonly write: (text: string) => void;
  readonly width: number;
}

/**
 * Parses the words after `laudio`. Returns `undefined` after printing help. Throws AppError USAGE with a suggestion.
 */
export async function parse(
  words: readonly string[],
  version: string,
  help: HelpOutput,
): Promise<ParsedCommand | undefined> {
  let chosen: CommandMatch | undefined;
  try {
    chosen = choose(helpAsked(words), version, help);
    return chosen && (await parseCommand(chosen, help));
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return undefined;
    throw usage(error, words, chosen ? 'Add --help to see what the command takes.' : ownOptionsFollow);
  }
}

/** `help WORDS…` and `NOUN help` are synonyms of `WORDS… --help`; so is an empty command line. `-V` is `-v`. */
function helpAsked(words: readonly string[]): readonly string[] {
  const [first, second] = words;
  if (first === '-V') return ['--version'];
  if (first === undefined) return ['--help'];
  if (first === 'help' && (second === undefined || Object.hasOwn(program, second))) return withHelp(words.slice(1));
  if (second === 'help' && Object.hasOwn(program, first)) return withHelp([first, ...words.slice(2)]);
  return words;
}

/** Asks for the help of a command. A mistyped verb stays alone: with the flag, commander shows the help of its noun. */
function withHelp(words: readonly string[]): readonly string[] {
  const [noun = '', verb] = words;
  const listed = program[noun];
  const isMistyped = listed && isNoun(listed) && verb?.startsWith('-') === false && !Object.hasOwn(listed.verbs, verb);
  return isMistyped ? words : [...words, '--help'];
}

const ownOptionsFollow = 'Options of one command come after it, as in laudio worklist list --status new.';

/** `hint` is for what commander has no suggestion for. */
function usage(error: CommanderError, words: readonly string[], hint: string): AppError {
  if (error.code === 'commander.help') {
    const name = words.find((word) => Object.hasOwn(program, word));
    const named = name === undefined ? undefined : program[name];
    return named && isNoun(named)
      ? new AppError('USAGE', {
          message: `Choose a command for ${name}: ${sentenceList(Object.keys(named.verbs))}.`,
          hint: `See laudio ${name} --help.`,
        })
      : new AppError('USAGE', { message: 'No command was given.', hint: 'List the commands with laudio --help.' });
  }
  const [message = '', ...suggestions] = error.message.replace(/^error: /, '').split('\n');
  const suggestion =
    error.code === 'commander.unknownCommand'
      ? meant(words, suggestions)
      : suggestions.join(' ').replace(/[()]/g, '').trim() || meantOption(message);
  const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}.`.replace(/\.\.$/, '.');
  return new AppError('USAGE', { message: sentence, hint: suggestion || hint });
}

/** Commander suggests the options that the help lists; those of every command are not listed. */
function meantOption(message: string): string {
  const [, typed] = /'--([^'=]+)/.exec(message) ?? [];
  const nearest = typed === undefined ? undefined : nearestWord(typed, Object.keys(globalOptions).map(kebab));
  return nearest === undefined ? '' : `Did you mean --${nearest}?`;
}

/** Guesses the intended command: a noun, a verb of the noun, or a verb without its noun. */
function meant(words: readonly string[], suggestions: readonly string[]): string {
  const [first = '', second] = words.filter((word) => !word.startsWith('-'));
  const spelled = suggestions.join(' ').replace(/[()]/g, '').trim();
  const named = Object.hasOwn(program, first) ? program[first] : undefined;
  if (named)
    return spelled || (isNoun(named) ? `Commands for ${first} are ${Object.keys(named.verbs).join(', ')}.` : '');
  const verbs = Object.entries(program).flatMap(([noun, listed]) =>
    isNoun(listed) ? Object.keys(listed.verbs).map((verb) => ({ noun, verb })) : [],
  );
  const verb = nearestWord(first, [...Object.keys(program), ...verbs.map(({ verb }) => verb)]);
  const lines = verbs.filter((each) => each.verb === verb).map(({ noun }) => `${noun} ${verb}`);
  const said = lines.find((line) => line === `${second} ${verb}`);
  if (Object.hasOwn(program, verb ?? '') || lines.length === 0) return spelled;
  return `Did you mean ${said ?? sentenceList(lines)}?`;
}

/** `a, b or c`. */
const sentenceList = (words: readonly string[]): string =>
  [words.slice(0, -1).join(', '), words.at(-1)].filter(Boolean).join(' or ');

interface CommandMatch {
  readonly path: readonly string[];
  readonly entry: Entry;
  readonly rest: readonly string[];
  readonly globals: GlobalInput;
}

/** Finds the noun and the verb; the words after them belong to the command. */
function choose(words: readonly string[], version: string, help: HelpOutput): CommandMatch | undefined {
  let chosen: CommandMatch | undefined;
  const root = createParser('laudio', help)
    .version(version, ...ownFlags.version)
    .enablePositionalOptions()
    .helpCommand(false);
  for (const option of globalParserOptions()) root.addOption(option);
  root.helpInformation = () => rootHelp(help.width);

  const leaf = (parents: readonly Parser[], path: readonly string[], entry: Entry) => {
    lastElement(parents)
      .command(lastElement(path))
      .summary(entry.summary)
      .helpOption(false)
      .allowUnknownOption()
      .allowExcessArguments()
      .passThroughOptions()
      .argument('[words...]')
      .action((rest: string[]) => {
        const globals = Object.assign({}, ...parents.map(readGlobals)) as GlobalInput;
        chosen = { path, entry, rest: withEnd(words, rest), globals };
      });
  };

  for (const [name, listed] of Object.entries(program)) {
    if (!isNoun(listed)) {
      leaf([root], [name], listed);
      continue;
    }
    const noun = root
      .command(name)
      .summary(listed.summary)
      .description(listed.summary)
      .usage('VERB [options]')
      .enablePositionalOptions();
    noun.helpCommand(false);
    // Building a hundred parsers, of which one is used, would take as long as the rest.
    if (!words.includes(name)) continue;
    for (const option of globalParserOptions()) noun.addOption(option.hideHelp());
    for (const [verb, entry] of Object.entries(listed.verbs)) leaf([root, noun], [name, verb], entry);
  }
  root.parse([...words], { from: 'user' });
  return chosen;
}

/** The rest of the words, with the `--` that commander has dropped: no options follow. */
function withEnd(words: readonly string[], rest: readonly string[]): readonly string[] {
  return words[words.length - rest.length - 1] === '--' ? ['--', ...rest] : rest;
}

async function parseCommand({ path, entry, rest, globals }: CommandMatch, help: HelpOutput): Promise<ParsedCommand> {
  const command = await entry.load();
  const parser = createParser(`laudio ${path.join(' ')}`, help).description(
    [entry.summary, command.description].filter(Boolean).join('\n\n'),
  );
  const names = Object.keys(command.arguments ?? {});
  for (const [name, { summary, required, variadic }] of Object.entries(command.arguments ?? {})) {
    const word = `${kebab(name).toUpperCase()}${variadic ? '...' : ''}`;
    parser.argument(required ? `<${word}>` : `[${word}]`, summary);
  }
  for (const [name, option] of Object.entries(command.options ?? {})) parser.addOption(parserOption(name, option));
  for (const option of globalParserOptions()) parser.addOption(option.hideHelp());
  if (command.examples) {
    const lines = command.examples.flatMap(([line, meaning]) => [
      wrappedCommand(line, help.width),
      wrappedText(meaning, help.width, { first: 6, rest: 6 }),
    ]);
    parser.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
  }
  parser.addHelpText(
    'after',
    wrappedText(
      '\nEvery command also takes --json, --jq EXPR, --verbose and others: List the commands with laudio --help.',
      help.width,
    ),
  );
  if (command.passesThrough) parser.passThroughOptions();
  parser.action(() => {});
  parser.parse([...rest], { from: 'user' });

  const input: Record<string, unknown> = collectValues(parser, command.options ?? {});
  names.forEach((name, at) => (input[name] = parser.processedArgs[at]));
  return { command, input, globals: { ...globals, ...readGlobals(parser) } };
}

/** The value of each option. Commander initialises `--no-color` as `true`. */
function collectValues(parser: Parser, options: Readonly<Record<string, Option>>): Record<string, unknown> {
  const values = parser.opts();
  return Object.fromEntries(
    Object.entries(options).map(([name, option]) => {
      const value: unknown = values[name];
      if (option.kind === 'flag') return [name, parserOption(name, option).negate ? value === false : value === true];
      return [name, value ?? (option.kind === 'list' || option.kind === 'choices' ? [] : undefined)];
    }),
  );
}

/** Keeps only specified options, so that options before and after the command combine. */
const specified = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== false));

const readGlobals = (parser: Parser): GlobalInput => specified(collectValues(parser, globalOptions));

function createParser(name: string, help: HelpOutput): Parser {
  return new Parser(name)
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: help.write,
      writeErr: () => {},
      outputError: () => {},
      getOutHelpWidth: () => help.width,
    })
    .configureHelp({
      sortSubcommands: false,
      showGlobalOptions: false,
      subcommandTerm: (command) => command.name(),
      ...wrappedHelp,
    })
    .helpOption(...ownFlags.help);
}

/** USAGE for a word that is none of the option's choices. */
function refuseOthers(long: string, words: readonly string[], known: readonly string[]): void {
  const other = words.find((word) => !known.includes(word));
  if (other !== undefined) throw unknownWord(`${long} takes ${sentenceList(known)}.`, other, known);
}

const globalParserOptions = (): ParserOption[] =>
  Object.entries(globalOptions).map(([name, option]) => parserOption(name, option));

function parserOption(name: string, option: Option): ParserOption {
  const long = `--${kebab(name)}`;
  const built = new ParserOption(formatFlags(name, option), option.summary);
  // Commander would store `--no-input`, which disables questions, and the `--input FILE` of a command under one name.
  built.attributeName = () => name;
  switch (option.kind) {
    case 'choice':
      return built.argParser((value: string) => {
        refuseOthers(long, [value], option.choices);
        return value;
      });
    case 'choices':
      return built.argParser((value: string, previous: string[] | undefined) => {
        const words = value.split(',').map((word) => word.trim());
        refuseOthers(long, words, option.choices);
        return [...(previous ?? []), ...words];
      });
    case 'integer':
      return built.argParser((value: string) => {
        if (!/^\d{1,15}$/.test(value)) throw new AppError('USAGE', { message: `${long} takes a whole number.` });
        return Number(value);
      });
    case 'list':
      return built.argParser((value: string, previous: string[] | undefined) => [...(previous ?? []), value]);
    default:
      return built;
  }
}
