import type { HearingQueue } from '../../../src/contract/engine.ts';
import type { ServerStatus } from '../../../src/contract/system.ts';
import { isStorageFailure } from '../../../src/contract/errors.ts';
import { counted } from '../../../src/domain/counted.ts';
import { sizeText } from '../../../src/domain/size-text.ts';
import { readDiskSpace, findSpaceProblem } from '../../../src/node/disk-space.ts';
import { defineCommand } from '../../command.ts';
import { age, localTime } from '../../shell/time.ts';
import { detailView } from '../../shell/view.ts';
import type { DetailView } from '../../shell/view.ts';

export const command = defineCommand({
  async run({ io, localServer, operator, clock, signal }) {
    const { url, pid, data_dir: dataDir, setup_code: code } = await localServer();
    const { system } = await operator();
    const { data } = await system.status({}, { signal });
    const space = await readDiskSpace(dataDir);
    const problem = space && findSpaceProblem(dataDir, space);
    // A refusal is an answer to the question, so there is no retry.
    const storage = await system.ready({}, { signal, retries: 0 }).then(
      ({ data: { degraded = [] } }) => (degraded.length === 0 ? 'ok' : 'goes on without audio: its service refuses'),
      (error: unknown) => {
        if (!isStorageFailure(error)) throw error;
        io.notice([error.message, error.hint].filter(Boolean).join(' '), 'warn');
        return problem?.isFull ? 'refuses changes: the disk is full' : 'refuses changes';
      },
    );
    if (problem?.isFull) io.notice(`${problem.message}. ${problem.hint}`, 'warn');
    const { version, started_at: started, encrypted, retention, last_snapshot_at: snapshot } = data;
    const since = (at: string) => `${localTime(at)} (${age(at, clock.now())})`;
    const fields: DetailView['fields'] = [
      ['Address', url, 'strong'],
      ['Process', pid],
      ['Setup code', code],
      ['Version', version],
      ['Started', since(started)],
      ['Data', dataDir],
      ['Store', data.store],
      ['Audio store', data.blobs],
      ['Storage', storage, storage === 'ok' ? 'good' : 'bad'],
      ['Speech', data.recogniser ?? 'not recognised: audio waits as jobs, except that of test clients'],
      ['Dictations', queueText(data.queue, data.recogniser !== null), data.queue.available ? 'plain' : 'warn'],
      ['Waiting', `${counted(data.waiting.jobs, 'job')}, ${sizeText(data.waiting.audio_bytes)} of audio`],
      ['Encrypted', encrypted ? 'yes' : 'no'],
      ...backupFields(data.backup, since),
      ['Last snapshot', snapshot === null ? 'none yet' : since(snapshot)],
      ...(data.scrub
        ? [['Files read through', scrubText(data.scrub, since), data.scrub.faults > 0 ? 'bad' : 'plain'] as const]
        : []),
      ...(space
        ? [['Disk', `${sizeText(space.free)} of ${sizeText(space.total)} free`, problem ? 'warn' : 'plain'] as const]
        : []),
      ['Documents', `${sizeText(data.documents_bytes)} on disk`],
      [
        'Audio',
        data.audio_files === null || data.audio_bytes === null
          ? 'not counted: its service does not answer'
          : `${counted(data.audio_files, 'file')}, ${sizeText(data.audio_bytes)}`,
      ],
      ['Memory', `${sizeText(data.memory_bytes)} of ${sizeText(data.memory_limit_bytes)}`],
      ['Keep completed', keptText(retention.completed_s)],
      ['Keep audio', keptText(retention.audio_s)],
      ...goneText('Completed gone', retention.completed_s, retention.trash_s),
      ...goneText('Audio gone', retention.audio_s, retention.trash_s),
      ['Keep audit trail', keptText(retention.audit_s)],
      ...Object.entries(data.stored).map(([name, count]) => [name, count as number] as const),
    ];
    return detailView({ data: { url, pid, data_dir: dataDir, storage, ...data }, fields });
  },
});

function backupFields(backup: ServerStatus['backup'], since: (at: string) => string): DetailView['fields'] {
  if (!backup) return [['Backups', 'none by schedule (laudio serve --backup-to)', 'warn']];
  const { last_at: last, failed_at: failed, failure } = backup;
  return [
    ['Last backup', last === null ? 'none yet' : since(last), last === null ? 'warn' : 'plain'],
    ['Next backup', `${localTime(backup.next_at)}, to ${backup.to}`],
    ...(failed === null ? [] : [['Backup failed', `${since(failed)}: ${failure}; see the log`, 'bad'] as const]),
  ];
}

const scrubText = (
  { completed_at: at, faults }: NonNullable<ServerStatus['scrub']>,
  since: (at: string) => string,
): string => {
  if (at === null) return 'not yet';
  return faults === 0 ? since(at) : `${since(at)}: ${counted(faults, 'fault')} on the disk; see the log`;
};

/** The number of dictations in recognition and waiting, or why recognition is unavailable. */
function queueText({ at_once: atOnce, in_progress: heard, waiting, available, until }: HearingQueue, isThere: boolean) {
  const counts = `${heard} of ${atOnce} slots in use, ${waiting} waiting`;
  if (available) return counts;
  if (!isThere || until === undefined) return `${waiting} waiting for a recogniser`;
  return `${counts}; the recogniser is unavailable, next attempt at ${localTime(until)}`;
}

/** When items removed by retention are permanently deleted, if retention is on. */
const goneText = (title: string, kept: number | null, trash: number): DetailView['fields'] =>
  kept === null ? [] : [[title, `after ${keptText(kept + trash)}, the last ${keptText(trash)} in the trash`]];

const daySeconds = 24 * 3600;

const keptText = (seconds: number | null): string =>
  seconds === null
    ? 'for ever'
    : seconds % daySeconds === 0
      ? `${seconds / daySeconds} d`
      : `${Math.round(seconds / 360) / 10} h`;
