/**
 * Bundles the command line: its hundreds of modules become some files in dist/cli, of which a command loads a handful.
 * They are CommonJS, which Node loads at once, and without asking every module of its own for all it exports (decision 28).
 */
import { existsSync } from 'node:fs';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { rolldown } from 'rolldown';
import type { ChunkingContext, Plugin } from 'rolldown';

/** Packages that go into the bundles: what most commands need at once, and large ones of which little is used (decision 76). */
const bundled = ['commander', 'diff', 'stream-json', 'string-width', 'tinyqueue', 'undici'];

/** Modules that only pass on a small part of a large package. They are all that the package is used for. */
export const parts = [
  'server/delivery/formats/pdf/library.js',
  'src/files/priors/pdf-library.js',
  'src/files/worklist/fhir/fhirpath-library.js',
  'src/files/worklist/xlsx/workbook-library.js',
  'src/node/jq-library.js',
];

/** Puts the part of the package into each of `parts`, so that nobody has to install the rest (decision 51). */
async function bundleParts(dist: string, packages: Set<string>): Promise<void> {
  for (const part of parts) {
    const file = join(dist, part);
    const bundle = await rolldown({ input: file, platform: 'node', plugins: [collectPackages(packages)] });
    const { output } = await bundle.generate({ format: 'esm', codeSplitting: false, minify: true });
    if (output.length !== 1 || output[0].imports.some((name) => !isBuiltin(name)))
      throw new Error(`${part} needs more than itself`);
    const { code } = output[0];
    await writeFile(file, code);
    for (const [, data] of code.matchAll(/new URL\(["'`]\.\/([\w./]+)["'`], ?import\.meta\.url\)/g)) {
      const from = [...packages].map((directory) => join(directory, 'js', data!)).find(existsSync);
      if (from === undefined) throw new Error(`${part} lacks ${data}`);
      await cp(from, join(dirname(file), data!));
    }
  }
}

/**
 * Replaces `dist/cli`, whose modules the compiler has made, by the bundle of `dist/cli/main.js`; and modules that pass on a part of
 * a package by that part.
 */
export async function bundleCommand(dist: string, packages: Set<string>): Promise<void> {
  const directory = join(dist, 'cli');
  await bundleParts(dist, packages);
  const partPaths = new Set(parts.map((part) => join(dist, part)));
  const bundle = await rolldown({
    input: join(directory, 'main.js'),
    platform: 'node',
    preserveEntrySignatures: false,
    external: (specifier, importer) =>
      isPackage(specifier)
        ? !isBundled(specifier, importer)
        : importer !== undefined && partPaths.has(join(dirname(importer), specifier)),
    plugins: [inPlace(directory), undiciInParts(dist), lateModules, collectPackages(packages)],
  });
  await bundle.write({
    dir: directory,
    cleanDir: true,
    format: 'cjs',
    exports: 'named',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    // Half of the characters, all of which are read at each start.
    comments: false,
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ debugName: 'pieces', name: (id, graph) => pieceOf(dist, id, graph) }],
    },
  });
  await writeFile(join(directory, 'package.json'), '{"type":"commonjs"}\n');
}

/** What is always loaded together, each with all that it needs; a module belongs to the first piece that needs it. */
const pieces = {
  version: ['cli/shell/version.js'],
  start: ['cli/run.js', 'cli/shell/compile-cache.js'],
  parse: ['cli/parse.js'],
  command: ['cli/create-context.js', 'cli/shell/render.js', 'cli/shell/view.js'],
  call: [
    'src/node/login/session.js',
    'src/node/http/http-call.js',
    'src/node/login/keychain.js',
    'src/client/pages.js',
    'undici-in-parts.cjs',
  ],
} as const;

let members: Map<string, string> | undefined;

function pieceOf(dist: string, id: string, graph: ChunkingContext): string | null {
  if (!members) {
    members = new Map();
    for (const [piece, paths] of Object.entries(pieces)) {
      const waiting: string[] = paths.map((path) => join(dist, path));
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        const module = graph.getModuleInfo(next);
        if (!module || members.has(next)) continue;
        members.set(next, piece);
        waiting.push(...module.importedIds);
      }
    }
  }
  return members.get(id) ?? null;
}

/** A package or a module of Node's; a path otherwise. */
export const isPackage = (specifier: string): boolean => /^[^./\0]/.test(specifier) && !/^[A-Z]:\\/i.test(specifier);

/** Whether the specifier names one of the packages, or comes from a package that is bundled itself. */
export const isBundled = (specifier: string, importer: string | undefined): boolean =>
  bundled.some((name) => specifier === name || specifier.startsWith(`${name}/`)) ||
  // What a bundled package needs of others, but for Node's own.
  (importer !== undefined && importer.includes(`node_modules${sep}`) && !specifier.startsWith('node:'));

/** Modules find what lies beside them where they lay before: in the bundle, all have the address of one file. */
const inPlace = (directory: string): Plugin => ({
  name: 'in-place',
  transform(code, id) {
    if (!code.includes('import.meta.url') || id.includes('node_modules')) return null;
    const path = JSON.stringify(`/${relative(directory, id).split(sep).join('/')}`);
    return code.replaceAll(
      'import.meta.url',
      `process.getBuiltinModule('node:url').pathToFileURL(__dirname + ${path}).href`,
    );
  },
});

/** Modules of Node's that take milliseconds to load, and that most modules name for a function which is seldom called. */
const late = ['node:child_process', 'node:crypto', 'node:readline', 'node:worker_threads'];

/** Loads them when they are first used. `process` is at hand anyway. */
const lateModules: Plugin = {
  name: 'late-modules',
  renderChunk(code) {
    let changed = code;
    for (const { statement, name, specifier, isDefault } of requiredIn(code)) {
      const by = specifier === 'node:process' ? 'process' : late.includes(specifier) && `(require("${specifier}"))`;
      if (by === false) continue;
      const used = new RegExp(`\\b${name}\\.${isDefault ? 'default\\.' : ''}`, 'g');
      changed = changed.replace(statement, '').replaceAll(used, `${by}.`);
    }
    return changed;
  },
};

/** What a chunk requires at its top, as rolldown writes it. */
const requiredIn = (code: string) =>
  Array.from(
    code.matchAll(/^let (\w+) = require\("([^".][^"]*)"\);\n(?:\1 = \w+(?:\.__toESM|)\(\1(?:, 1)?\);\n)?/gm),
    ([statement, name, specifier]) => ({
      statement,
      name: name!,
      specifier: specifier!,
      isDefault: statement.includes('__toESM'),
    }),
  );

/** What Laudio uses of undici, besides requests. The index of undici loads 110 modules, whatever is asked of it. */
const undiciParts = {
  Agent: 'lib/dispatcher/agent.js',
  EnvHttpProxyAgent: 'lib/dispatcher/env-http-proxy-agent.js',
  buildConnector: 'lib/core/connect.js',
} as const;

export const undiciInParts = (dist: string): Plugin => ({
  name: 'undici-in-parts',
  resolveId: (specifier) => (specifier === 'undici' ? join(dist, 'undici-in-parts.cjs') : null),
  load(id) {
    if (!id.endsWith('undici-in-parts.cjs')) return null;
    const getters = Object.entries(undiciParts).map(
      ([name, path]) => `get ${name}() { return require('undici/${path}') }`,
    );
    return `const { prototype } = require('undici/lib/dispatcher/dispatcher.js');
      prototype.request = require('undici/lib/api/api-request.js');
      exports.request = (address, { dispatcher, ...options }) => {
        const { origin, pathname, search } = new URL(address);
        return dispatcher.request({ ...options, origin, path: pathname + search });
      };
      Object.defineProperties(exports, Object.getOwnPropertyDescriptors({ ${getters.join(', ')} }));`;
  },
  transform(code, id) {
    if (!id.endsWith(join('undici', 'lib', 'dispatcher', 'client.js'))) return null;
    // HTTP/2 takes Node's TLS with it, which most calls of a command line to its own computer have no use for.
    const eager = "const connectH2 = require('./client-h2.js')";
    if (!code.includes(eager)) throw new Error('undici loads HTTP/2 in another way than before: see .build/bundle.ts');
    return code.replace(eager, "const connectH2 = (...all) => require('./client-h2.js')(...all)");
  },
});

/** Notes the directory of every package of which something is bundled. */
export const collectPackages = (packages: Set<string>): Plugin => ({
  name: 'collect-packages',
  transform(_code, id) {
    const directory = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0];
    if (directory !== undefined) packages.add(directory);
    return null;
  },
});

/** The licences of the packages, as they want to be told with a copy. */
export async function writeNotices(file: string, packages: Iterable<string>): Promise<void> {
  const notices = await Promise.all(
    [...packages].toSorted().map(async (directory) => {
      const { name, version, license } = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8')) as {
        name: string;
        version: string;
        license?: string;
      };
      const notice = ['LICENSE', 'license', 'LICENSE.md', 'LICENSE.txt']
        .map((each) => join(directory, each))
        .find(existsSync);
      if (notice === undefined && license === undefined) throw new Error(`${name} says no licence`);
      const text = notice === undefined ? `Licence: ${license}` : (await readFile(notice, 'utf8')).trim();
      return `${name} ${version}\n\n${text}\n`;
    }),
  );
  await writeFile(file, notices.join(`\n${'-'.repeat(80)}\n\n`));
}
