import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { AppError } from '../../src/contract/errors.ts';
import { array, integer, object, string } from '../../src/contract/schema.ts';
import type { TypeOf } from '../../src/contract/schema.ts';
import { conforms } from '../../src/client/conforms.ts';
import { isLoopback } from '../../src/client/address.ts';
import { compareVersions } from '../../src/domain/version-order.ts';
import { findServers } from '../../src/node/running-server.ts';
import { defineCommand, flag, text } from '../command.ts';
import type { Context } from '../context.ts';
import { detailView } from '../shell/view.ts';
import type { DetailView, View } from '../shell/view.ts';

const indexName = 'laudio-release.json';
/** Bytes of an index: a few lines a file. */
const indexLimit = 256 * 1024;

const ReleaseIndex = object({
  version: string(),
  files: array(object({ file: string(), bytes: integer(), sha256: string() })),
});
type ReleaseIndex = TypeOf<typeof ReleaseIndex>;

export const command = defineCommand({
  description: `Compares this program with the servers that run here, and with a release whose ${indexName} you name: a file, a directory, or an address such as that of your own mirror. Nobody else is asked, and nothing is changed: Laudio is replaced by the means that installed it. The guide for operators has the steps, and the way back.`,
  options: {
    check: flag('Look only; without it nothing else happens either'),
    from: text(`${indexName} of a release, or the directory or address that has it`, { placeholder: 'PLACE' }),
  },
  examples: [
    ['laudio upgrade --check', 'whether a server here runs an older program'],
    ['laudio upgrade --check --from /media/laudio-0.2.0', 'a release on a disk'],
    ['laudio upgrade --check --from https://mirror.hospital.example/laudio/', 'or on a server of your own'],
  ],
  async run(context, { check, from }): Promise<View> {
    if (!check) {
      throw new AppError('USAGE', {
        message: 'Laudio doesn’t replace itself: --check is needed.',
        hint: 'Upgrade by the means that installed it; see laudio help guide-upgrade.',
      });
    }
    const { version } = context;
    const servers = await listServers(context);
    const release = from === undefined ? undefined : await readRelease(context, from);
    const order = release && compareVersions(release.version, version);
    const available = release !== undefined && (order === undefined ? release.version !== version : order > 0);
    const files = release ? release.files.filter(({ file }) => isForHere(file)) : [];
    return detailView({
      data: {
        version,
        servers,
        ...(release && { release: release.version, available, files }),
      },
      fields: [
        ['This program', version],
        ...servers.map(({ url, version: other, outdated }): DetailView['fields'][number] => [
          'Server',
          `${url}: ${outdated ? `${other}, restart it` : other}`,
          outdated ? 'warn' : 'good',
        ]),
        ...(release
          ? ([
              ['Release', release.version, available ? 'strong' : 'plain'],
              ['Newer', available ? 'yes' : 'no'],
              ...files.map(({ file, sha256 }) => ['SHA-256', `${sha256}  ${file}`] as const),
            ] as const)
          : ([['Release', `not looked for: name one by --from`, 'faint']] as const)),
      ],
    });
  },
});

/** The running servers, and whether each is another program than this one. */
async function listServers({ paths, operator, version, signal }: Context) {
  const announced = await Promise.all(
    [paths.state, paths.service].map((state) => (state === undefined ? [] : findServers(state).catch(() => []))),
  );
  return Promise.all(
    announced.flat().map(async (server) => {
      const { system } = await operator(server);
      const status = await system.status({}, { signal, retries: 0 }).catch(() => undefined);
      const other = status?.data.version ?? 'it does not answer';
      return { url: server.url, version: other, outdated: status !== undefined && other !== version };
    }),
  );
}

/** CONFIGURATION if the place has no index of a release. */
async function readRelease(context: Context, from: string): Promise<ReleaseIndex> {
  const content = /^[a-z][a-z0-9+.-]+:\/\//i.test(from)
    ? await fetchIndex(context, from)
    : await readIndex(context, from);
  try {
    const index: unknown = JSON.parse(content);
    if (conforms(ReleaseIndex, index)) return index as ReleaseIndex;
  } catch {
    // Not JSON.
  }
  throw new AppError('CONFIGURATION', {
    message: `That is no ${indexName} of a release.`,
    hint: 'Every release has one beside its archives.',
  });
}

async function readIndex({ cwd }: Context, from: string): Promise<string> {
  const path = resolve(cwd, from);
  const isDirectory = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return readFile(isDirectory ? join(path, indexName) : path, 'utf8').catch((cause: unknown) => {
    throw new AppError('CONFIGURATION', { message: `There is no ${indexName} at ${from}.`, cause });
  });
}

async function fetchIndex({ deps, signal }: Context, from: string): Promise<string> {
  const url = URL.parse(from);
  if (!url || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname)))) {
    throw new AppError('USAGE', {
      message: '--from takes https, or http on this computer: others could change the answer.',
    });
  }
  if (!url.pathname.endsWith('.json')) url.pathname = `${url.pathname.replace(/\/$/, '')}/${indexName}`;
  const { transport } = await deps();
  const { status, text: readText } = await transport({ method: 'GET', url: url.href, headers: {}, signal });
  if (status !== 200) {
    throw new AppError('NETWORK', {
      message: `${url.origin} has no ${indexName} there (status ${status}).`,
      hint: 'Give the address of the directory of a release.',
    });
  }
  return readText(indexLimit);
}

const debianNames: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/** A package for this kind of machine. */
const isForHere = (file: string): boolean =>
  file.includes(`-${process.platform}-${process.arch}.`) ||
  (process.platform === 'linux' && file.endsWith(`_${debianNames[process.arch]}.deb`));
