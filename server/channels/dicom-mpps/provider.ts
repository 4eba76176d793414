/**
 * Answers modalities that make a performed procedure step (N-CREATE) and change it (N-SET). What they say of an exam is a fact
 * of the exam, and changes nothing about its report. A step of an exam that nobody knows is kept, for somebody to look at.
 */
import type { MessageError } from '../../../src/contract/channel.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { explain, isSystemError } from '../../../src/node/system-error.ts';
import type { Agreed, Message } from '../../../src/node/dimse/association.ts';
import { sopClasses } from '../../../src/node/dimse/classes.ts';
import { commands } from '../../../src/node/dimse/command.ts';
import { provide } from '../../../src/node/dimse/provide.ts';
import type { Answer } from '../../../src/node/dimse/provide.ts';
import { anatomyOf } from '../../plugins/errors.ts';
import type { InboundDeps, OpenedChannel, Running } from '../channel.ts';
import { reasonOf } from '../failures.ts';
import { readDoor, usualHost } from '../listening.ts';
import type { ExamName, Step } from './step.ts';
import type { DicomMppsSettings } from './settings.ts';

/** PS3.7 annex C. */
const statuses = {
  done: 0x0000,
  noSuchInstance: 0x0112,
  invalidValue: 0x0106,
  missing: 0x0120,
  unknownOperation: 0x0211,
  noResources: 0x0213,
} as const;

export async function openProvider(
  { settings, name, id }: OpenedChannel<DicomMppsSettings>,
  deps: InboundDeps,
): Promise<Running> {
  const {
    host = usualHost,
    port,
    title = 'LAUDIO',
    callers = [],
    max_connections = 50,
    timeout_seconds = 60,
  } = settings;
  const { log, intake, readers, tell } = deps;
  const door = await readDoor(settings);
  const answer = async ({ command, data }: Message, { transferSyntax }: Agreed): Promise<Answer> => {
    const isNew = command.field === commands.createRequest;
    const instance = isNew ? command.affectedInstance : command.requestedInstance;
    if (!isNew && command.field !== commands.setRequest) return { status: statuses.unknownOperation };
    if (instance === undefined || !data) return { status: statuses.missing };
    const step = await readers.step(data, transferSyntax, id);
    if (!step) return { status: statuses.invalidValue };
    try {
      const status = await takeStep(intake, instance, isNew, step);
      tell(null);
      return { status, affectedInstance: instance };
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'STORAGE_UNAVAILABLE') throw error;
      return { status: statuses.noResources };
    }
  };
  try {
    const providing = await provide({
      ...door,
      host,
      port,
      title,
      callers,
      services: [sopClasses.performedStep],
      most: max_connections,
      silentMs: timeout_seconds * 1000,
      answer,
      onFailure(error, address) {
        const reason = error.details?.['reason'];
        const more = { ...(address && { address }), ...(reason !== undefined && { reason }) };
        log({ level: 'warn', event: 'modality_failed', channel: name, ...more, ...anatomyOf(error) });
        // Only somebody who sees both settings mends it.
        if (reason !== undefined) tell(`Somebody calls in vain; see the log for the address. ${reasonOf(error)}`);
      },
    });
    return { address: `${title} at ${host}:${providing.port}`, close: () => providing.close() };
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const { message, hint } = explain(error);
    throw new AppError('CONFIGURATION', { message: `Nobody can be heard on ${host}:${port}. ${message}`, hint });
  }
}

/** Takes over what a step says of its exams. Resolves to the status that the modality gets. */
async function takeStep(
  intake: InboundDeps['intake'],
  instance: string,
  isNew: boolean,
  { status = 'in_progress', exams: named }: Step,
): Promise<number> {
  const exams = isNew ? named : await examsOf(intake, instance);
  const raw = Buffer.from(JSON.stringify({ items: (exams ?? []).map((exam) => ({ ...exam, exam_status: status })) }));
  const problem = exams === undefined ? unknownStep : exams.length === 0 ? unordered : undefined;
  // A second step of the same words is one message: its name has the state that it tells.
  const key = isNew ? instance : `${instance} ${status}`;
  await intake.take({ raw, key, format: 'json', ...(problem && { read: { ...nothing, problems: [problem] } }) });
  return exams === undefined ? statuses.noSuchInstance : statuses.done;
}

const nothing = { format: 'json', exams: [], patients: [], warnings: [] } as const;
const unknownStep: MessageError = {
  code: 'UNKNOWN_STEP',
  message: 'A modality changed a step that it never told us of.',
  hint: 'Have it send its steps here from the beginning on.',
};
const unordered: MessageError = {
  code: 'FIELD_REQUIRED',
  message: 'A modality began an exam without an accession number or a study UID.',
  hint: 'Is it an exam that nobody ordered? Have the modality take exams from the worklist.',
};

/** The exams that the step named when it was made; `undefined`: it never was. */
async function examsOf(intake: InboundDeps['intake'], instance: string): Promise<readonly ExamName[] | undefined> {
  const content = await intake.contentOf(instance);
  if (!content) return undefined;
  const { items } = JSON.parse(Buffer.from(content).toString()) as { items: (ExamName & { exam_status: string })[] };
  return items.map(({ exam_status: _then, ...exam }) => exam);
}
