/**
 * `node .build/sbom.ts FILE`: writes the list of components of everything that is shipped, as CycloneDX. npm lists what the
 * package depends on; the page, the desktop app and the release binary hold packages that are only needed to build them.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { optionalPackages } from '../src/node/optional-packages.ts';
import { filesBelow, packageOf, readModules } from '../test/support/modules.ts';
import { npm } from '../test/support/process.ts';
import { closure } from './binary/lock.ts';
import type { LockedPackages } from './binary/lock.ts';

interface Component {
  readonly 'bom-ref': string;
  readonly type: string;
  readonly name: string;
  readonly version: string;
}

interface Bom {
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

/** In the installers, the page or the release binary, without an import in the sources. */
const others = [
  'electron',
  'electron-updater',
  ...optionalPackages,
  '@fontsource-variable/inter',
  '@cspell/dict-en_us',
];

/** The names of all packages that the sources import. */
const importedPackages = (root: string): string[] =>
  readModules(root, filesBelow(root, ['src', 'server', 'cli', 'desktop'], /(?<!\.config)\.[cm]?tsx?$/)).flatMap(
    ({ imports }) => imports.flatMap(({ specifier }) => packageOf(specifier) ?? []),
  );

export async function shippedComponents(root: string): Promise<Bom> {
  const { packages } = JSON.parse(readFileSync(`${root}/package-lock.json`, 'utf8')) as { packages: LockedPackages };
  const names = [...Object.keys(packages['']?.dependencies ?? {}), ...others, ...importedPackages(root)];
  const shipped = new Map(
    Array.from(closure(packages, names), (path) => {
      const place = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      const { name = place, version } = packages[path] ?? {};
      return [`${name}@${version}`, name];
    }),
  );
  const all = JSON.parse(await npm(['sbom', '--package-lock-only', '--sbom-format=cyclonedx'], { cwd: root })) as Bom;
  const node = { 'bom-ref': 'node', type: 'platform', name: 'node', version: process.versions.node };
  const isShipped = (ref: string): boolean => shipped.has(ref);
  return {
    ...all,
    components: [
      ...all.components
        .filter((each) => isShipped(each['bom-ref']))
        // npm names a package that is installed under another name by that one.
        .map((each) => ({ ...each, name: shipped.get(each['bom-ref']) ?? each.name })),
      node,
    ],
    dependencies: all.dependencies
      .filter(({ ref }) => isShipped(ref))
      .map((each) => ({ ...each, dependsOn: each.dependsOn?.filter(isShipped) ?? [] })),
  };
}

const [, script, file] = process.argv;
if (script === fileURLToPath(import.meta.url)) {
  if (file === undefined) throw new Error('name the file to write');
  const bom = await shippedComponents(fileURLToPath(new URL('..', import.meta.url)));
  writeFileSync(file, `${JSON.stringify(bom, undefined, 2)}\n`);
}
