/** The shared part of the checks of `laudio doctor`: each server and each connection is asked once, and only for a short time. */
import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Channel } from '../../../src/contract/channel.ts';
import { AppError } from '../../../src/contract/errors.ts';
import type { ServerStatus } from '../../../src/contract/system.ts';
import { findAnnouncements, readServer } from '../../../src/node/running-server.ts';
import type { AnnouncedServer } from '../../../src/node/running-server.ts';
import { isRunning } from '../../../src/node/files/processes.ts';
import type { Context } from '../../context.ts';
import { toFinding } from './finding.ts';
import type { Finding } from './finding.ts';

/** Seconds for an answer: a server that takes longer hangs, or is of no use to people. */
const patience = 5;

/** A server on this computer, and what it said of itself. */
export interface AskedServer {
  readonly announced: AnnouncedServer;
  /** Why it takes no changes, or doesn't answer; `undefined`: it serves. */
  readonly fault: Finding | undefined;
  /** `undefined` if it doesn't answer. */
  readonly status: ServerStatus | undefined;
  readonly channels: readonly Channel[];
}

/** The answer of the server that commands call. */
export interface ServerAnswer {
  readonly server: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** ms. */
  readonly took: number;
}

export interface Look {
  readonly context: Context;
  /** The directory of `--data-dir`, which alone is judged then. */
  readonly chosen: string | undefined;
  /** The data directories to judge. */
  directories(): Promise<readonly string[]>;
  servers(): Promise<readonly AskedServer[]>;
  /** Rejects with AppError if the server cannot be reached; `undefined`: there is none to call. */
  reached(): Promise<ServerAnswer | undefined>;
}

export function createLook(context: Context): Look {
  const { settings, origins, paths } = context;
  const chosen =
    origins.data_dir.from === 'flag' && settings.data_dir !== undefined ? resolve(settings.data_dir) : undefined;
  const servers = once(async () => Promise.all((await announcedOn(context, chosen)).map((each) => ask(context, each))));
  return {
    context,
    chosen,
    servers,
    directories: once(async () => {
      if (chosen !== undefined) return [chosen];
      const own = settings.data_dir ?? paths.data;
      return [...new Set([own, ...(await servers()).map(({ announced }) => announced.data_dir)])];
    }),
    reached: once(() => reach(context, chosen, servers)),
  };
}

/**
 * Servers that run, with that of the configured directory, which `laudio exec` names; or the one of the chosen
 * directory. Also if another user's settings announce it.
 */
async function announcedOn({ paths, settings }: Context, chosen: string | undefined): Promise<AnnouncedServer[]> {
  // Only root and the account of the computer's service can read what that announces.
  const service = paths.service === undefined ? [] : await findAnnouncements(paths.service).catch(() => []);
  const announced = [...(await findAnnouncements(paths.state)), ...service].filter((each) => each.isRunning);
  const found = chosen === undefined ? announced : announced.filter((each) => each.data_dir === chosen);
  const named = chosen ?? (settings.data_dir === undefined ? undefined : resolve(settings.data_dir));
  if (named === undefined || found.some((each) => each.data_dir === named)) return found;
  const server = await readServer(named).catch(() => undefined);
  return server && isRunning(server.pid) ? [...found, { data_dir: named, server, isRunning: true }] : found;
}

async function ask(context: Context, announced: AnnouncedServer): Promise<AskedServer> {
  const { server } = announced;
  const nothing = { announced, status: undefined, channels: [] };
  if (!server) return { ...nothing, fault: await findDisplaced(context, announced) };
  try {
    const { system, channels } = await context.operator(server);
    const fault = await within(context, server.url, (signal) => system.ready({}, { signal, retries: 0 })).then(
      ({ data: { degraded = [] } }) => (degraded.includes('blobs') ? describeLostAudio(server.url) : undefined),
      toFinding,
    );
    const calls = (signal: AbortSignal) =>
      Promise.all([
        system.status({}, { signal, retries: 0 }),
        channels.list({ query: { limit: 100 } }, { signal, retries: 0 }),
      ]);
    const answers = fault?.code === 'NETWORK' ? undefined : await within(context, server.url, calls);
    return { announced, fault, status: answers?.[0].data, channels: answers?.[1].data.items ?? [] };
  } catch (error) {
    return { ...nothing, fault: toFinding(error) };
  }
}

const describeLostAudio = (url: string): Finding => ({
  state: 'bad',
  code: 'STORAGE_UNAVAILABLE',
  message: `${url} goes on without audio: the service that keeps it refuses.`,
  hint: 'Check that service and its bucket, and that LAUDIO_BLOBS_KEY is still its key.',
});

/** A process without its data directory: the server, or another one that has got its number since. */
async function findDisplaced(
  context: Context,
  { url, data_dir: directory }: AnnouncedServer,
): Promise<Finding | undefined> {
  if (url === undefined) return undefined;
  try {
    await get(context, url, '/healthz');
  } catch (error) {
    if (toFinding(error).code === 'NETWORK') return undefined;
    throw error;
  }
  const isThere = await access(directory).then(
    () => true,
    () => false,
  );
  return {
    state: 'bad',
    code: 'STORAGE_UNAVAILABLE',
    message: `${url} runs without its data directory: ${directory} ${isThere ? 'is now another directory' : 'is gone'}`,
    hint: 'Put the same directory back, not a copy. Until then changes are refused. With a copy only, save what is in memory first: laudio server export.',
  };
}

async function reach(context: Context, chosen: string | undefined, servers: Look['servers']) {
  const server = await chooseServer(context, chosen, servers);
  return server === undefined ? undefined : get(context, server, '/readyz');
}

/** The server of `--data-dir`, of the settings, of the login, or the only one on this computer. */
async function chooseServer({ settings, paths, clock }: Context, chosen: string | undefined, servers: Look['servers']) {
  const here = (await servers()).flatMap(({ announced }) => announced.server?.url ?? []);
  if (chosen !== undefined) return here[0];
  if (settings.server !== undefined) return settings.server;
  const { createProfiles } = await import('../../../src/node/login/profiles.ts');
  const profile = await createProfiles(paths.config, clock).get(settings.profile);
  return profile ? profile.server : here.length === 1 ? here[0] : undefined;
}

/** Bytes of an answer: it is a few fields of JSON, or a page of a proxy that nobody needs whole. */
const answerLimit = 64 * 1024;

async function get(context: Context, server: string, path: string): Promise<ServerAnswer> {
  const { transport } = await context.deps();
  const begun = context.clock.elapsed();
  return within(context, server, async (signal) => {
    const { status, headers, text } = await transport({ method: 'GET', url: `${server}${path}`, headers: {}, signal });
    const body = await text(answerLimit);
    return { server, status, headers, body, took: Math.round(context.clock.elapsed() - begun) };
  });
}

/** Rejects with AppError NETWORK if the work takes too long. */
export async function within<T>(
  { clock, signal, settings }: Context,
  server: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const seconds = Math.min(patience, settings.timeout);
  const limit = new AbortController();
  const cancel = clock.schedule(clock.now() + seconds * 1000, () => limit.abort());
  try {
    return await work(AbortSignal.any([signal, limit.signal]));
  } catch (error) {
    if (!limit.signal.aborted || signal.aborted) throw error;
    throw new AppError('NETWORK', {
      message: `${server} takes connections, and does not answer within ${seconds} s.`,
      hint: 'It hangs or is overloaded. See its log; restart it if it stays so.',
    });
  } finally {
    cancel();
  }
}

/** Starts the work at the first call; every call returns the same promise. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => (result ??= work());
}
