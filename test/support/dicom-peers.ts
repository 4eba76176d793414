/** DICOM systems that others made: dcmtk's worklist provider, and Orthanc. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { AppError } from '../../src/contract/errors.ts';
import { echo } from '../../src/node/dimse/request.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { orthancPlugins } from './orthanc.ts';
import { temporaryDirectory } from './temporary-directory.ts';

export interface WorklistProvider {
  readonly host: '127.0.0.1';
  readonly port: number;
  readonly title: string;
  /** Its worklist: files of this folder. */
  readonly folder: string;
}

/** The folder of a worklist database, in the way of dcmtk. */
async function database(title: string): Promise<{ root: string; folder: string }> {
  const root = await temporaryDirectory();
  const folder = join(root, title);
  await mkdir(folder);
  await writeFile(join(folder, 'lockfile'), '');
  return { root, folder };
}

async function untilItAnswers(peer: { port: number; title: string }, child: ChildProcess): Promise<void> {
  onTestFinished(async () => {
    if (child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  });
  const signal = new AbortController().signal;
  const asked = { host: '127.0.0.1', port: peer.port, calling: 'TEST', called: peer.title, silentMs: 5000 };
  await eventually(async () => {
    if (child.exitCode !== null) throw new AppError('CONFIGURATION', { message: 'The other side did not start.' });
    await echo(asked, signal);
  });
}

export async function startWlmscpfs(): Promise<WorklistProvider> {
  const title = 'OFFIS';
  const { root, folder } = await database(title);
  const port = await freePort();
  const child = spawn('wlmscpfs', ['-csk', '-dfp', root, String(port)], { stdio: 'ignore' });
  await untilItAnswers({ port, title }, child);
  return { host: '127.0.0.1', port, title, folder };
}

/** Orthanc with its worklist plugin; it also takes any object that is sent to it. */
export async function startOrthanc(): Promise<WorklistProvider & { readonly rest: string }> {
  const title = 'ORTHANC';
  const { root, folder } = await database(title);
  const [port, http] = [await freePort(), await freePort()];
  const file = join(root, 'orthanc.json');
  await writeFile(
    file,
    JSON.stringify({
      StorageDirectory: join(root, 'storage'),
      IndexDirectory: join(root, 'storage'),
      DicomAet: title,
      DicomPort: port,
      HttpPort: http,
      RemoteAccessAllowed: false,
      AuthenticationEnabled: false,
      DicomAlwaysAllowEcho: true,
      DicomAlwaysAllowStore: true,
      DicomAlwaysAllowFind: true,
      DicomAlwaysAllowFindWorklist: true,
      Plugins: [join(orthancPlugins, 'libModalityWorklists.so')],
      Worklists: { Enable: true, Database: folder },
    }),
  );
  const child = spawn('Orthanc', [file], { stdio: 'ignore' });
  await untilItAnswers({ port, title }, child);
  return { host: '127.0.0.1', port, title, folder, rest: `http://127.0.0.1:${http}` };
}
