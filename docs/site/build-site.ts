/** Builds the site of the documentation into a directory: no network, no server, and no address of another site is needed to read it. */
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import MiniSearch from 'minisearch';
import { build } from 'vite';
import { openapiDocument } from '../../server/http/openapi.ts';
import { operationsOf } from '../../server/pages/openapi-reading.ts';
import { contract } from '../../src/contract/index.ts';
import { root } from '../../test/support/modules.ts';
import { mentionsOf, shownCommands } from './laudio-lines.ts';
import { destinationOf, pageOf, pagePaths } from './pages.ts';
import { apiPages } from './api-pages.ts';
import { commandPages, listedCommands } from './command-pages.ts';
import type { Mentions } from './command-pages.ts';
import { homePage } from './home.ts';
import { framed } from './layout.ts';
import { searchOptions } from './look/search-options.ts';
import { markdownPage } from './markdown-page.ts';
import { urlOfCommand, urlOfMarkdown } from './site.ts';
import type { SectionName, SitePage } from './site.ts';

const look = join(import.meta.dirname, 'look');

export interface BuiltSite {
  readonly pages: readonly SitePage[];
  /** Passages that the search finds. */
  readonly passages: number;
}

/** Whatever the directory held is removed. */
export async function buildSite(directory: string): Promise<BuiltSite> {
  await rm(directory, { recursive: true, force: true });
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  const openapi = openapiDocument(contract, version);
  const files = new Map([['LICENSE', 'LICENSE']]);
  const pages = await sitePages(openapi, files);
  const names: readonly SectionName[] = ['Start', 'Guides', 'Commands', 'API', 'How it is built'];
  const sections = names.map((name) => ({ name, pages: pages.filter(({ section }) => section === name) }));

  const put = async (path: string, content: string) => {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), content);
  };
  for (const page of pages) await put(page.url, framed(page, { version, sections }));
  for (const [from, to] of files) {
    await mkdir(dirname(join(directory, to)), { recursive: true });
    await copyFile(join(root, from), join(directory, to));
  }
  await put('openapi.json', JSON.stringify(openapi, null, 2));
  const passages = pages.flatMap(({ found }) => found).map((passage, id) => ({ id, ...passage }));
  const index = new MiniSearch(searchOptions);
  index.addAll(passages);
  await put('assets/search-index.js', `window.laudioIndex = ${JSON.stringify(JSON.stringify(index))};\n`);
  await buildLook(directory);
  return { pages, passages: passages.length };
}

async function sitePages(openapi: Record<string, unknown>, files: Map<string, string>): Promise<SitePage[]> {
  const commands = await listedCommands();
  const known = new Set(commands.map(({ words }) => words));
  const commandOf = (words: readonly string[]): string | undefined =>
    [words.slice(0, 2).join(' '), words[0] ?? ''].find((name) => known.has(name));
  const deps = {
    files,
    commandUrl(text: string): string | undefined {
      const [mention, ...others] = mentionsOf(text, { page: '', line: 0 });
      const command = mention && others.length === 0 ? commandOf(mention.words) : undefined;
      return command === undefined ? undefined : urlOfCommand(command);
    },
  };
  const isGuide = (path: string): boolean => /^docs\/(guide-[^/]+|integrator\/[^/]+|reference)\.md$/.test(path);
  const guides = inOrderOf('docs/README.md', pagePaths.filter(isGuide));
  const others = inOrderOf(
    'docs/README.md',
    pagePaths.filter((path) => !isGuide(path) && !['README.md', 'docs/README.md'].includes(path)),
  );
  const mentions = mentionsIn(guides, commandOf);
  return [
    homePage(deps, { commands: commands.length, calls: operationsOf(openapi).length }),
    { ...markdownPage('README.md', { ...deps, section: 'Start' }), short: 'Overview' },
    ...guides.map((path) => markdownPage(path, { ...deps, section: 'Guides', ...parentOf(path) })),
    ...commandPages(commands, mentions),
    ...apiPages(openapi),
    ...others.map((path) => markdownPage(path, { ...deps, section: 'How it is built', ...parentOf(path) })),
  ];
}

/** A page of a folder stands below the folder's own page. */
function parentOf(path: string): { parent?: string } {
  const parent = join(dirname(path), 'README.md');
  return path !== parent && pagePaths.includes(parent) && dirname(path) !== 'docs' && dirname(path) !== '.'
    ? { parent: urlOfMarkdown(parent) }
    : {};
}

/** First those to which a page links, in its order; a folder's pages follow the folder's own page. */
function inOrderOf(page: string, paths: readonly string[]): string[] {
  const linked = pageOf(page).links.map((link) => destinationOf(link)?.path ?? '');
  const place = (path: string): number => {
    const at = linked.indexOf(path);
    const folder = linked.indexOf(join(dirname(path), 'README.md'));
    return at >= 0 ? at : folder >= 0 ? folder + 0.5 : linked.length;
  };
  return paths.toSorted((a, b) => place(a) - place(b));
}

/** Which guides tell of which command. */
function mentionsIn(guides: readonly string[], commandOf: (words: readonly string[]) => string | undefined): Mentions {
  const found = new Map<string, { url: string; title: string }[]>();
  for (const { page, words } of shownCommands()) {
    const command = commandOf(words);
    if (command === undefined || !guides.includes(page)) continue;
    const told = found.get(command) ?? [];
    const url = urlOfMarkdown(page);
    if (!told.some((each) => each.url === url))
      found.set(command, [...told, { url, title: /^# (.*)/.exec(pageOf(page).source)?.[1] ?? page }]);
  }
  return found;
}

/** Styles, fonts and scripts of the site, beside each other in `assets`. */
async function buildLook(directory: string): Promise<void> {
  const assets = join(directory, 'assets');
  await build({
    configFile: false,
    root: look,
    base: './',
    logLevel: 'warn',
    build: {
      outDir: assets,
      emptyOutDir: false,
      target: 'es2023',
      assetsInlineLimit: 0,
      cssCodeSplit: false,
      rolldownOptions: {
        input: join(look, 'site.ts'),
        output: { format: 'iife', entryFileNames: 'site.js', assetFileNames: 'site[extname]' },
      },
    },
  });
  await copyFile(join(look, 'theme.js'), join(assets, 'theme.js'));
  await copyFile(join(root, 'desktop/renderer/style/mark.svg'), join(assets, 'mark.svg'));
}
