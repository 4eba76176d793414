/** The checks of the servers on this computer: whether they serve, their snapshots and the certificates of their channels. */
import { counted } from '../../../src/domain/counted.ts';
import { age, localTime } from '../../shell/time.ts';
import { bad, note, ok } from './finding.ts';
import type { Finding } from './finding.ts';
import type { AskedServer, Look } from './look.ts';

export async function checkServers({ chosen, servers, context: { version } }: Look): Promise<Finding[]> {
  const all = await servers();
  const found = all.flatMap(({ announced: { server, data_dir: directory }, fault, status }): Finding[] => {
    if (fault) return [{ ...fault, message: fault.message.replace(/\.$/, ` (${directory}).`) }];
    // A process that has got the number of a server that died.
    if (!server) return [];
    const isAnother = status !== undefined && status.version !== version;
    const serves = isAnother
      ? note(
          `${server.url} (${directory}) runs version ${status.version}, and this program is ${version}`,
          'Restart it if the program was upgraded.',
        )
      : ok(`${server.url} (${directory})`);
    return [serves, ...scrubFaults(status)];
  });
  if (found.length > 0) return found;
  return [note(chosen === undefined ? 'none runs' : `none runs on ${chosen}`, 'Start one with "laudio serve".')];
}

/** The result of the server's last reading of its files. */
function scrubFaults(status: AskedServer['status']): Finding[] {
  const { faults = 0, completed_at: at } = status?.scrub ?? {};
  if (faults === 0) return [];
  return [
    bad(
      'DATA_DAMAGED',
      `${counted(faults, 'fault')} on the disk of its data, found at ${at}`,
      'It has rewritten everything to new files. Have the disk checked and keep a backup ready; the log names the files.',
    ),
  ];
}

/** ms that a snapshot may seem to lie ahead. */
const clockTolerance = 60_000;

export async function checkSnapshots({ context: { clock }, servers }: Look): Promise<Finding[]> {
  return (await servers()).flatMap(({ announced, status }): Finding[] => {
    if (!status || status.store !== 'lowdb') return [];
    const { last_snapshot_at: at } = status;
    const where = announced.data_dir;
    if (at === null) return [ok(`none yet (${where})`)];
    return Date.parse(at) > clock.now() + clockTolerance
      ? [note(`${localTime(at)} is ahead of the clock (${where})`, 'The clock was set back: correct it.')]
      : [ok(`${localTime(at)}, ${age(at, clock.now())} (${where})`)];
  });
}

export async function checkBackups({ context: { clock }, servers }: Look): Promise<Finding[]> {
  return (await servers()).flatMap(({ announced, status }): Finding[] => {
    if (!status) return [];
    const { backup } = status;
    const where = announced.data_dir;
    if (!backup) return [note(`none by schedule (${where})`, 'Start the server with --backup-to, on another disk.')];
    const { last_at: last, failed_at: failed, overdue, failure } = backup;
    const latest =
      last === null ? 'there is none yet' : `the last one is of ${localTime(last)}, ${age(last, clock.now())}`;
    if (failed !== null)
      return [bad('PARTIAL', `failed at ${failed} with ${failure}; ${latest} (${where})`, 'See its log.')];
    return [
      overdue ? bad('PARTIAL', `${latest} (${where})`, 'It is overdue. See its log.') : ok(`${latest} (${where})`),
    ];
  });
}

/** Days before the end from which a certificate is reported. */
export const certificateDays = 21;

export async function checkChannelCertificates({ servers }: Look): Promise<Finding[]> {
  const all = (await servers()).flatMap(({ channels }) =>
    channels.flatMap(({ name, certificates }) => certificates.map((each) => ({ ...each, name }))),
  );
  return all.map(({ name, setting, until, days_left: days }) =>
    judgeCertificate(`${setting} of the channel ${name}`, until, days),
  );
}

export function judgeCertificate(name: string, until: string, days: number): Finding {
  if (days < 0) return bad('NETWORK', `${name} ended at ${until}`, 'Renew it: connections fail.');
  const left = `${name} ends in ${counted(days, 'day')}, at ${until}`;
  return days < certificateDays ? note(left, 'Renew it in time.') : ok(left);
}
