/**
 * `npm run build:decoders`: compiles `server/speech/sound/symphonia` to the module that is kept beside its sources, and writes the notices of
 * the crates in it to docs/licences. Needs Rust with `rustup target add wasm32-unknown-unknown`.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '../test/support/modules.ts';
import { decoders, hashSources, sourcesSection } from './decoder-sources.ts';

const target = 'wasm32-unknown-unknown';
/** Bytes of memory of one decoder: no file of speech needs a tenth of it. */
const maxMemory = 256 * 1024 * 1024;

interface Crate {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly repository: string | null;
  readonly source: string | null;
  readonly manifest_path: string;
}

const registry = join(process.env['CARGO_HOME'] ?? join(homedir(), '.cargo'), 'registry', 'src');
const flags = [
  process.env['RUSTFLAGS'] ?? '',
  '-C target-feature=+simd128',
  `-C link-arg=--max-memory=${maxMemory}`,
  // No path of the computer on which it is built.
  `--remap-path-prefix=${registry}=`,
  `--remap-path-prefix=${root}=`,
];
const cargo = (args: readonly string[], into: 'inherit' | 'pipe') =>
  execFileSync('cargo', args, {
    cwd: decoders,
    env: { ...process.env, RUSTFLAGS: flags.join(' ') },
    stdio: ['ignore', into, 'inherit'],
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });

const directory = mkdtempSync(join(tmpdir(), 'laudio-decoders-'));
try {
  cargo(['build', '--locked', '--release', '--target', target, '--target-dir', directory], 'inherit');
  const module = readFileSync(join(directory, target, 'release', 'laudio_decoders.wasm'));
  writeFileSync(join(decoders, 'decoders.wasm'), Buffer.concat([module, sectionOf(sourcesSection, hashSources())]));
} finally {
  rmSync(directory, { recursive: true, force: true });
}
const { packages } = JSON.parse(
  cargo(['metadata', '--locked', '--format-version', '1', '--filter-platform', target], 'pipe'),
) as { readonly packages: readonly Crate[] };
writeFileSync(
  join(root, 'docs', 'licences', 'decoders.txt'),
  packages
    .filter(({ source }) => source !== null)
    .map(noticeOf)
    .join(`\n${'-'.repeat(80)}\n\n`),
);

/** A custom section of a WebAssembly module, both texts shorter than 100 characters. */
function sectionOf(name: string, content: string): Buffer {
  const body = Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.from(content)]);
  return Buffer.concat([Buffer.from([0, body.length]), body]);
}

/** The licence of a crate with its text. The text of the MPL is in docs/licences already. */
function noticeOf({ name, version, license, repository, manifest_path: manifest }: Crate): string {
  const folder = dirname(manifest);
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|unlicense)/i.test(file));
  const file = files.find((each) => /mit/i.test(each)) ?? files[0];
  const text =
    license === 'MPL-2.0' ? 'See MPL-2.0.txt.' : file === undefined ? '' : readFileSync(join(folder, file), 'utf8');
  return `${name} ${version}, ${license}\n${repository ?? ''}\n\n${text.replaceAll('\r\n', '\n').trim()}\n`;
}
