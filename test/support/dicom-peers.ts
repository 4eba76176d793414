/** DICOM systems that others made: dcmtk's worklist provider and archive, and Orthanc. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { AppError } from '../../src/contract/errors.ts';
import { echo } from '../../src/protocols/dimse/request.ts';
import type { CallingTls } from '../../src/node/tls/connect.ts';
import type { Authority, Certified } from './certificates.ts';
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

interface Asked {
  readonly port: number;
  readonly title: string;
  readonly tls?: CallingTls | undefined;
}

async function untilItAnswers({ port, title, tls }: Asked, child: ChildProcess): Promise<void> {
  onTestFinished(async () => {
    if (child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  });
  const signal = new AbortController().signal;
  const asked = { host: '127.0.0.1', port, calling: 'TEST', called: title, silentMs: 5000, tls };
  await eventually(async () => {
    if (child.exitCode !== null) throw new AppError('CONFIGURATION', { message: 'The other side did not start.' });
    await echo(asked, signal);
  });
}

/** A peer by TLS, which asks whoever calls for a certificate of the authority. */
export interface ByTls {
  readonly authority: Authority;
  readonly own: Certified;
}

/** The words by which dcmtk's programs speak TLS. */
export const tlsOptions = ({ authority, own }: ByTls): string[] => [
  '+tls',
  own.key,
  own.certificate,
  '+cf',
  authority.certificate,
];

/** What a caller shows and asks of such a peer. */
const callerOf = (byTls: ByTls | undefined): CallingTls | undefined =>
  byTls && {
    ca: Buffer.from(byTls.authority.cert),
    cert: Buffer.from(byTls.own.cert),
    key: Buffer.from(byTls.own.pem),
  };

/** dcmtk's storescp; what it gets are files of the folder. */
export async function startStorescp(byTls?: ByTls): Promise<WorklistProvider> {
  const title = 'STORE';
  const folder = await temporaryDirectory();
  const port = await freePort();
  const options = ['-aet', title, '-od', folder, ...(byTls ? tlsOptions(byTls) : [])];
  const child = spawn('storescp', [...options, String(port)], { stdio: 'ignore' });
  await untilItAnswers({ port, title, tls: callerOf(byTls) }, child);
  return { host: '127.0.0.1', port, title, folder };
}

export async function startWlmscpfs(): Promise<WorklistProvider> {
  const title = 'OFFIS';
  const { root, folder } = await database(title);
  const port = await freePort();
  const child = spawn('wlmscpfs', ['-csk', '-dfp', root, String(port)], {
    stdio: 'ignore',
  });
  await untilItAnswers({ port, title }, child);
  return { host: '127.0.0.1', port, title, folder };
}

/** Orthanc with its worklist plugin; it also takes any object that is sent to it. */
export async function startOrthanc(byTls?: ByTls): Promise<WorklistProvider & { readonly rest: string }> {
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
      DicomAlwaysAllowGet: true,
      DicomAlwaysAllowMove: true,
      // In seconds: the peers that it asks share a busy machine with it.
      DicomScuTimeout: 60,
      Plugins: ['libModalityWorklists.so', 'libOrthancDicomWeb.so'].map((name) => join(orthancPlugins, name)),
      Worklists: { Enable: true, Database: folder },
      ...(byTls && {
        DicomTlsEnabled: true,
        DicomTlsCertificate: byTls.own.certificate,
        DicomTlsPrivateKey: byTls.own.key,
        DicomTlsTrustedCertificates: byTls.authority.certificate,
        DicomTlsRemoteCertificateRequired: true,
      }),
    }),
  );
  const child = spawn('Orthanc', [file], { stdio: 'ignore' });
  await untilItAnswers({ port, title, tls: callerOf(byTls) }, child);
  // Orthanc begins to listen for DICOM before it does for HTTP.
  const rest = `http://127.0.0.1:${http}`;
  await eventually(async () => expect((await fetch(`${rest}/system`)).status).toBe(200));
  return { host: '127.0.0.1', port, title, folder, rest };
}
