/** The documentation says what is there: links lead somewhere, commands are understood, tables list what the code has. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from '../cli/parse.ts';
import { detailCodes, errors, exitCodes } from '../src/contract/errors.ts';
import { otherVariables, settings } from '../src/node/settings.ts';
import { filesBelow, root } from './support/modules.ts';

const pages = ['README.md', 'CHANGELOG.md', ...filesBelow(root, ['docs', '.github', 'samples'], /\.md$/)];
const read = (page: string): string => readFileSync(join(root, page), 'utf8');
const fence = /^```(\w*)\n([\s\S]*?)^```$/gm;
const prose = (page: string): string => read(page).replace(fence, '');

/** As the headings of a page are linked to. */
const anchorsOf = (page: string): string[] =>
  Array.from(prose(page).matchAll(/^#+ (.+)$/gm), ([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

/** Links and pictures to files of the project, `from` the page that has them. */
function linksOf(page: string): { from: string; target: string; anchor: string | undefined }[] {
  const found = prose(page).matchAll(/\]\(([^)\s]+)\)|\bsrc="([^"]+)"/g);
  return Array.from(found, ([, link, source]) => link ?? source!)
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => {
      const [path, anchor] = link.split('#', 2);
      return { from: page, target: path === '' ? page : join(dirname(page), path!), anchor };
    });
}

const links = pages.flatMap(linksOf);

describe('links', () => {
  test('lead to files of the project', () => {
    expect(links.length).toBeGreaterThan(40);
    expect(links.filter(({ target }) => !existsSync(join(root, target)))).toEqual([]);
  });

  test('lead to headings that exist', () => {
    const anchored = links.filter(({ anchor }) => anchor !== undefined);
    expect(anchored.length).toBeGreaterThan(4);
    expect(anchored.filter(({ target, anchor }) => !anchorsOf(target).includes(anchor!))).toEqual([]);
  });

  test('reach every page of the documentation', () => {
    const reached = new Set(links.filter(({ from, target }) => from !== target).map(({ target }) => target));
    expect(pages.filter((page) => page.startsWith('docs/') && !reached.has(page))).toEqual([]);
  });
});

/** The words of each `laudio` call in a page's `sh` blocks, as a shell would split them. */
function commandsOf(page: string): string[][] {
  const blocks = Array.from(read(page).matchAll(fence)).filter(([, language]) => language === 'sh');
  return blocks.flatMap(([, , block]) =>
    block!
      .split('\n')
      .map((line) => words(line.replace(/^.*?\| (?=laudio )/, '')))
      .filter(([program]) => program === 'laudio')
      .map(([, ...rest]) => rest),
  );
}

/** Quotes are taken off; a comment and a redirection end the words. */
const words = (line: string): string[] =>
  Array.from(line.split(/\s(?:#|[<>])/)[0]!.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g), ([word]) =>
    word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'),
  );

describe('commands shown', () => {
  const commands = pages.flatMap((page) => commandsOf(page).map((shown) => ({ page, shown })));

  test('are many', () => expect(commands.length).toBeGreaterThan(50));

  test.each(commands)('$page: laudio $shown', async ({ shown }) => {
    // Placeholders stand for ids, and ids of the right form are all that a parser can ask for.
    expect(await parse(shown, '0', { write: () => {}, width: 80 })).toBeDefined();
  });

  test('a command that is not there would be found', async () => {
    const help = { write: () => {}, width: 80 };
    await expect(parse(['worklist', 'ingest', 'x.json', '--colour'], '0', help)).rejects.toThrow('--colour');
    await expect(parse(['worklists'], '0', help)).rejects.toThrow('worklists');
  });
});

describe('the reference', () => {
  const page = read('docs/reference.md');
  /** First cells of the table below a heading, in order. */
  const rows = (heading: string): string[][] =>
    page
      .split(/^## /m)
      .find((part) => part.startsWith(`${heading}\n`))!
      .split('\n')
      .filter((line) => /^\| [`\d]/.test(line))
      .map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim().replaceAll('`', '')),
      );

  test('has every setting with its variable, its default, and who may set it', () => {
    const expected = Object.entries(settings).map(([name, setting]) => ({
      name,
      variable: setting.env,
      project: setting.project ? 'yes' : 'no',
      ...('default' in setting && { default: String(setting.default) }),
    }));
    const told = rows('Settings').map(([name, , variable, value, project], at) => ({
      name,
      variable,
      project,
      ...('default' in (expected[at] ?? {}) && { default: value }),
    }));
    expect(told).toEqual(expected);
  });

  test('has every other variable of ours', () => {
    const told = rows('Other variables').map(([name]) => name!);
    expect(told.filter((name) => name.startsWith('LAUDIO_'))).toEqual(Object.keys(otherVariables));
  });

  test('has every exit code', () => {
    expect(rows('Exit codes').map(([code]) => Number(code))).toEqual(Object.values(exitCodes));
  });

  test('has every error code with its status', () => {
    const told = rows('Error codes').flatMap(([status, codes]) =>
      Array.from(codes!.matchAll(/[A-Z_]{4,}/g), ([code]) => [code, Number(status)]),
    );
    const expected = Object.entries(errors).flatMap(([code, { status }]) => (status === null ? [] : [[code, status]]));
    expect(Object.fromEntries(told)).toEqual(Object.fromEntries(expected));
    const others = Object.entries(errors).filter(([, { status }]) => status === null);
    for (const code of [...others.map(([name]) => name), ...detailCodes]) expect(page).toContain(`\`${code}\``);
  });
});
