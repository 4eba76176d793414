/**
 * Bundles the modules of the library's doors, of threads and processes, and of the desktop app: each keeps its address and its
 * exports, and what they share is in few files, because Node takes longer to find hundreds of modules than to run them (decision
 * 76).
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, posix, relative, sep } from 'node:path';
import { rolldown } from 'rolldown';
import type { ChunkingContext, Plugin } from 'rolldown';
import { collectPackages, isBundled, isPackage, parts, undiciInParts } from './bundle.ts';

const folders = ['src', 'server', 'desktop'];

/** Modules by which others start the library, a process, or the app. */
const doors = ['src/client/library/index.js', 'server/testing/index.js'] as const;
const processes = [
  'server/speech/sound/decoder-process.js',
  'server/speech/local/recogniser-process.js',
  'server/worklists/ingest/bundling-thread.js',
  'src/node/login/keychain-process.js',
] as const;
const shell = 'desktop/main/main.js';

/** Modules that stay as they are: parts of packages, and the library for newer versions, each in one file already. */
const kept = [...parts, 'desktop/main/updater.js'];

/** Replaces the modules in `dist` that the compiler has made by a bundle of them. */
export async function bundleModules(dist: string, packages: Set<string>): Promise<void> {
  const made = (await Promise.all(folders.map((folder) => readdir(join(dist, folder), { recursive: true }))))
    .flatMap((names, index) => names.map((name) => posix.join(folders[index]!, name.split(sep).join('/'))))
    .filter((path) => path.endsWith('.js') && !kept.includes(path));
  const codes = await Promise.all(made.map((path) => readFile(join(dist, path), 'utf8')));
  const threads = made.filter((_, index) => /\bthreadTask\(\s*import\.meta\.url/.test(codes[index]!));
  const entries = [...doors, ...processes, ...threads, shell];
  const keptPaths = new Set(kept.map((path) => join(dist, path)));

  const bundle = await rolldown({
    input: Object.fromEntries(entries.map((path) => [path.replace(/\.js$/, ''), join(dist, path)])),
    platform: 'node',
    preserveEntrySignatures: 'allow-extension',
    external: (specifier, importer) =>
      isPackage(specifier)
        ? !isBundled(specifier, importer)
        : importer !== undefined && keptPaths.has(join(dirname(importer), specifier)),
    plugins: [keepAddresses(dist), withoutAddress, undiciInParts(dist), collectPackages(packages)],
  });
  const { output } = await bundle.generate({
    dir: dist,
    format: 'esm',
    comments: false,
    entryFileNames: '[name].js',
    chunkFileNames: ({ name }) => (name === 'shell' ? 'desktop/main' : 'chunks') + '/[name]-[hash].js',
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ debugName: 'pieces', name: createPieces(dist, entries, threads) }],
    },
  });
  await Promise.all(made.map((path) => rm(join(dist, path))));
  for (const file of output) {
    if (file.type !== 'chunk') throw new Error(`${file.fileName} is no module`);
    const [, foreign] = /\b__require\("(?!node:)([^"]+)"\)/.exec(file.code) ?? [];
    if (foreign !== undefined) throw new Error(`${file.fileName} requires ${foreign}`);
    const isOfShell = file.fileName.startsWith(dirname(shell));
    const strays = isOfShell ? [] : file.imports.filter((name) => name.startsWith(dirname(shell)));
    if (strays.length > 0) throw new Error(`${file.fileName} needs the shell`);
    await mkdir(dirname(join(dist, file.fileName)), { recursive: true });
    await writeFile(join(dist, file.fileName), file.code);
  }
}

/**
 * The files in which shared modules are: those that any process needs, then those of the library, of threads, and of a server that
 * starts; a module belongs to the first of them. What is loaded later has files of its own.
 */
function createPieces(dist: string, entries: readonly string[], threads: readonly string[]) {
  let members: Map<string, string> | undefined;
  return (id: string, graph: ChunkingContext): string | null => {
    if (!members) {
      const reach = (paths: readonly string[], isLate: boolean): Set<string> => {
        const found = new Set<string>();
        const waiting = paths.map((path) => join(dist, path));
        for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
          const module = graph.getModuleInfo(next);
          if (!module || found.has(next)) continue;
          found.add(next);
          waiting.push(...module.importedIds, ...(isLate ? module.dynamicallyImportedIds : []));
        }
        return found;
      };
      const server = reach([doors[1]], false);
      const pieces = {
        process: server.intersection(reach(processes, true)),
        library: reach([doors[0]], false),
        thread: server.intersection(reach(threads, true)),
        server,
        // The package is without it.
        shell: [...reach([shell], false)].filter((id) => id.startsWith(join(dist, dirname(shell)))),
      };
      members = new Map(
        Object.entries(pieces)
          .toReversed()
          .flatMap(([piece, ids]) => Array.from(ids, (each) => [each, piece] as const)),
      );
      for (const path of entries) members.delete(join(dist, path));
    }
    return members.get(id) ?? null;
  };
}

const address = '@dist/';

/**
 * Bundled packages require nothing but Node's own modules, which need no address: whoever bundles the library as CommonJS has none.
 */
const withoutAddress: Plugin = {
  name: 'without-address',
  renderChunk(code, { fileName, moduleIds }) {
    if (!moduleIds.some((id) => id.startsWith('\0rolldown'))) return null;
    const made =
      /= (?:\/\*.*?\*\/ )?\(\(\) => createRequire\(import\.meta\.url\)\)\(\)|= createRequire\(import\.meta\.url\)/;
    if (!made.test(code)) throw new Error(`${fileName} requires modules in another way than before`);
    return code
      .replace(made, '= (name) => process.getBuiltinModule(name)')
      .replace(/^import \{ createRequire \}.*\n/m, '');
  },
};

/** Modules find their neighbours by the addresses that they had before, whichever file they are in. */
const keepAddresses = (dist: string): Plugin => ({
  name: 'keep-addresses',
  transform(code, id) {
    if (id.startsWith('\0') || !code.includes('import.meta.url')) return null;
    const path = JSON.stringify(address + relative(dist, id).split(sep).join('/'));
    return code.replaceAll('import.meta.url', `new URL(${path}, import.meta.url).href`);
  },
  renderChunk: (code, { fileName }) =>
    code.replaceAll(`new URL("${address}`, `new URL("${posix.relative(posix.dirname(fileName), '.') || '.'}/`),
});
