/** Servers that end with their process: in memory, on a free port, and not announced. */
import { AppError } from '../../src/contract/errors.ts';
import { makeEphemeralDirectory } from '../../src/node/files/ephemeral-directory.ts';
import type { Context } from '../context.ts';

/** The options for a server's data and address. */
interface ServerLocation {
  readonly port: number | undefined;
  readonly store: string | undefined;
  readonly blobs: string | undefined;
  readonly encrypt?: boolean;
}

/**
 * Runs `work` with the context and the input of such a server. Its directory is temporary: for `server.json`, by which
 * commands with `--data-dir` find it, and for the app's files. It uses none of the user's own files. USAGE if the input
 * asks for something permanent.
 */
export async function runEphemerally<I extends ServerLocation, T>(
  context: Context,
  input: I,
  work: (context: Context, input: I) => Promise<T>,
): Promise<T> {
  refuseLasting(context, input);
  await using directory = await makeEphemeralDirectory();
  const { path } = directory;
  return await work(
    {
      ...context,
      settings: { ...context.settings, data_dir: path, credential_store: 'file' },
      paths: { config: path, state: path, data: path, cache: path },
    },
    { ...input, port: input.port ?? 0, store: 'memory', blobs: 'memory' },
  );
}

function refuseLasting({ origins }: Context, input: ServerLocation): void {
  const lasting = [
    origins.data_dir.from === 'flag' && '--data-dir',
    input.store !== undefined && '--store',
    input.blobs !== undefined && '--blobs',
    input.encrypt === true && '--encrypt',
  ].find((flag) => flag !== false);
  if (lasting === undefined) return;
  throw new AppError('USAGE', {
    message: `${lasting} is for servers that store data; --ephemeral stores none.`,
    hint: 'Leave out one of the two.',
  });
}
