import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { constants, gunzip, gzip } from 'node:zlib';
import { decodeTrie, encodeTrieDataToBTrie } from 'cspell-trie-lib';
import { defineConfig } from 'vite';
import type { Plugin } from 'vite';

/**
 * Modules whose functions only build schemas and endpoints: unused results are removed from the page's scripts. Marked
 * where they are declared, because the bundler takes the name of a function in a list for that of any variable.
 */
const builders = /[/\\](src[/\\]contract[/\\](endpoint|schema|shared)|desktop[/\\]bridge[/\\]call)\.ts$/;
const markBuilders = (): Plugin => ({
  name: 'mark-builders',
  enforce: 'pre',
  transform: (code, id) =>
    builders.test(id)
      ? { code: code.replace(/^export (?:function |const \w+ = [(<])/gm, '/* @__NO_SIDE_EFFECTS__ */ $&'), map: null }
      : null,
});

/**
 * Modules that load together share a file: each file costs a request and a compilation. The exam and its report are
 * loaded while the list is read; the login, and the dialogs, when the first of them is opened.
 */
const groups = [
  { name: 'list', tags: ['$initial' as const], priority: 3 },
  { name: 'login', test: /[/\\]views[/\\](login|lock)[/\\]/, priority: 2 },
  {
    name: 'report',
    test: /[/\\](views[/\\](critical|report|exam|priors|recorder)|state[/\\]recorder)[/\\]/,
    priority: 1,
  },
  {
    name: 'sheets',
    test: /[/\\]views[/\\](jobs|macros|settings|shortcuts|statistics|vocabulary|wordbook|worklist)[/\\]/,
    priority: 0,
  },
];

/** `new URL('…/en_US.trie.gz', import.meta.url)`. */
const dictionaryUrl = /new URL\(\s*'([^']+\.trie\.gz)',\s*import\.meta\.url,?\s*\)/g;

/** Dictionaries in binary form, which takes 5 ms to open, instead of a text of 670 kB, which takes 230. */
const binaryDictionaries = (): Plugin => ({
  name: 'binary-dictionaries',
  enforce: 'pre',
  apply: 'build',
  async transform(code, id) {
    if (!id.endsWith('/dictionaries.ts')) return undefined;
    let made = code;
    for (const [expression, path = ''] of code.matchAll(dictionaryUrl)) {
      const text = await promisify(gunzip)(await readFile(new URL(path, pathToFileURL(id))));
      const binary = encodeTrieDataToBTrie(decodeTrie(new Uint8Array(text)).data, { optimize: true });
      const source = await promisify(gzip)(binary, { level: constants.Z_BEST_COMPRESSION });
      const asset = this.emitFile({ type: 'asset', name: 'dictionary.btrie.gz', source });
      made = made.replace(expression, `new URL(import.meta.ROLLUP_FILE_URL_${asset})`);
    }
    return { code: made, map: null };
  },
});

/** The page, built to dist/renderer; served by the embedded server and by Electron's own protocol. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  // The build is reproducible: no element contains the path of its source file.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
  worker: { format: 'es' },
  plugins: [markBuilders(), binaryDictionaries()],
  build: {
    outDir: '../../dist/renderer',
    emptyOutDir: true,
    target: 'es2023',
    // Without them, styles are joined to shorthands that only the newest browsers support.
    cssTarget: ['chrome125', 'firefox128', 'safari18'],
    // Nothing is inlined as data: the page's security policy allows only its own files.
    assetsInlineLimit: 0,
    modulePreload: false,
    rolldownOptions: {
      output: { codeSplitting: { groups } },
      treeshake: {
        manualPureFunctions: ['Object.entries', 'Object.fromEntries', 'Object.keys'],
        propertyReadSideEffects: false,
        moduleSideEffects: [{ test: /[/\\](src|desktop[/\\]bridge)[/\\]/, sideEffects: false }],
      },
    },
  },
});
