/** Paths, symbols and options that the pages name, and whether the project has them. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Option } from '../../cli/command.ts';
import { kebab } from '../../cli/command.ts';
import { isNoun } from '../../cli/entry.ts';
import { globalOptions } from '../../cli/shell/global-options.ts';
import { program } from '../../cli/program.ts';
import { filesBelow, root } from '../support/modules.ts';
import type { Code } from '../../docs/site/pages.ts';

/** Folders and files of the project; what a build makes is not part of it. */
const folders = ['src', 'server', 'cli', 'desktop', 'test', 'docs', 'samples', '.build', '.ci', '.docker', '.github'];

/** Files of the project by their path from the root, `/` as separator. */
const projectFiles: readonly string[] = [
  ...readdirSync(root, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : [])),
  ...filesBelow(root, folders, /\/[^/]+$/),
];

/** The folders, and those directly in them: `server`, `worklists`. A path may leave out the first. */
const beginnings: ReadonlySet<string> = new Set(
  projectFiles.flatMap((path) => path.split('/').slice(0, -1).slice(0, 2)),
);

/** A path has one of these endings, or begins with one of those folders. */
const sourceEnding = /[\w>}*]\.(?:[cm]?tsx?)$/;

/** The path that a text between backticks is, if it is one. `undefined` for media types, calls of the API and words. */
export function pathIn(text: string): string | undefined {
  const path = text.replace(/\/$/, '');
  if (!/^[\w.@*<>{},-]+(?:\/[\w.@*<>{},-]+)*$/.test(path)) return undefined;
  if (sourceEnding.test(path)) return path;
  return path.includes('/') && beginnings.has(path.split('/')[0]!) ? path : undefined;
}

/**
 * Whether the project has the path: from its root, or the end of a path there (`renderer/views`). `NAME`, `<noun>` and `*` match
 * any part of a name, `{a,b}` each of both.
 */
export function isPath(path: string): boolean {
  return spelledOut(path).every((each) => {
    const pattern = each
      .replaceAll(/[.@-]/g, String.raw`\$&`)
      .replaceAll(/\*|<[\w-]+>|(?<=^|\/)[A-Z]+(?=$|\/|\\-)/g, '[^/]+');
    return new RegExp(`(?:^|\n|/)${pattern}(?:/|\n|$)`).test(allFiles);
  });
}

const allFiles = projectFiles.join('\n');

function spelledOut(path: string): string[] {
  const [, before, choices, after] = /^(.*?)\{([^}]+)\}(.*)$/.exec(path) ?? [];
  return choices === undefined
    ? [path]
    : choices.split(',').flatMap((choice) => spelledOut(`${before}${choice.trim()}${after}`));
}

/** The symbols that a text between backticks is: `createExamMatcher`, `store.watch()`, `EngineKind`, `NOT_FOUND`. */
export function symbolsIn(text: string): string[] {
  const [, dotted] = /^(\w+(?:\.\w+)*)(?:\(\))?$/.exec(text) ?? [];
  const isSymbol = (name: string) =>
    /^[a-z]+(?:[A-Z][a-z0-9]*)+$|^(?:[A-Z][a-z0-9]+){2,}$|^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(name);
  return (dotted ?? '').split('.').filter(isSymbol);
}

let words: ReadonlySet<string> | undefined;

/** Whether the sources have the symbol, outside of their comments. */
export function isSymbol(name: string): boolean {
  words ??= new Set(
    projectFiles
      .filter((path) => /\.(?:[cm]?[jt]sx?|ya?ml|json|sh)$|^\.ci\//.test(path) && path !== 'package-lock.json')
      .flatMap(
        (path) =>
          readFileSync(join(root, path), 'utf8')
            .replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '')
            .match(/\w+/g) ?? [],
      ),
  );
  return words.has(name);
}

/** The option, or the custom property of a style sheet, that a text between backticks begins with: `--keep-completed 90d`, `--ink-2`. */
export const optionIn = (text: string): string | undefined => /^--[a-z][a-z0-9-]*/.exec(text)?.[0];

/** All options of the program's commands, and the custom properties of the app's style. */
export async function knownOptions(): Promise<ReadonlySet<string>> {
  const entries = Object.values(program).flatMap((listed) => (isNoun(listed) ? Object.values(listed.verbs) : [listed]));
  const commands = await Promise.all(entries.map((entry) => entry.load()));
  const tables: Readonly<Record<string, Option>>[] = [globalOptions, ...commands.map(({ options }) => options ?? {})];
  const styles = projectFiles
    .filter((path) => path.endsWith('.css'))
    .map((path) => readFileSync(join(root, path), 'utf8'));
  return new Set([
    '--help',
    '--version',
    ...tables.flatMap((table) => Object.keys(table).map((name) => `--${kebab(name)}`)),
    ...styles.flatMap((style) => style.match(/--[a-z][a-z0-9-]*(?=:)/g) ?? []),
  ]);
}

/** Places of what is not there, one a line. */
export const missing = (
  code: readonly Code[],
  namesIn: (text: string) => readonly string[],
  isThere: (name: string) => boolean,
): string[] =>
  code.flatMap(({ page, line, text }) =>
    namesIn(text)
      .filter((name) => !isThere(name))
      .map((name) => `${page}:${line}: ${name}`),
  );
