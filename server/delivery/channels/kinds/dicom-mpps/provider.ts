/**
 * Answers modalities that create a performed procedure step (N-CREATE) and update it (N-SET). A step changes the exam's status,
 * never its report. A step of an unknown exam is stored for a person to look at.
 */
import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { MessageError } from '../../../../../src/contract/channel-message.ts';
import { isStorageFailure } from '../../../../../src/contract/errors.ts';
import { createOrder, createOrders } from '../../../../../src/domain/in-order.ts';
import type { AgreedContext, Message } from '../../../../../src/protocols/dimse/association.ts';
import { sopClasses } from '../../../../../src/protocols/dimse/classes.ts';
import { commands } from '../../../../../src/protocols/dimse/command.ts';
import type { Answer } from '../../../../../src/protocols/dimse/provide.ts';
import { statuses, stepIsOver } from '../../../../../src/protocols/dimse/statuses.ts';
import { examNames } from '../../../../storage/collections.ts';
import type { PerformedStep } from '../../../../storage/collections.ts';
import type { InboundDeps, ChannelConfig, OpenChannel } from '../../channel.ts';
import { isOver } from '../../receiving/performed-steps.ts';
import { separateProblems } from '../../separate-problems.ts';
import type { Step } from './step.ts';
import { openModalityPort } from '../dicom/modality-port.ts';
import type { ModalitySettings } from '../dicom/modality-port.ts';
import { createStepForwarder } from './forward.ts';
import type { DicomMppsSettings } from './settings.ts';
import { lastElement } from '../../../../../src/domain/elements.ts';

export async function openProvider(channel: ChannelConfig<DicomMppsSettings>, deps: InboundDeps): Promise<OpenChannel> {
  const partDeps = separateProblems(deps);
  return openModalityPort(channel, partDeps(), {
    services: [sopClasses.performedStep],
    answer: await createStepAnswer(channel, partDeps()),
  });
}

/** Answers messages about performed steps, and passes them on if the channel says so. */
export async function createStepAnswer(
  { id, settings }: ChannelConfig<ModalitySettings>,
  { intake, readers, reportProblem, log }: Pick<InboundDeps, 'intake' | 'readers' | 'reportProblem' | 'log'>,
): Promise<(message: Message, agreed: AgreedContext) => Promise<Answer>> {
  const passOn = await createStepForwarder(settings);
  // A step's messages are handled one at a time: the allowed transitions depend on the earlier ones.
  const inTurnOfStep = createOrders<string>();
  // The status of an exam depends on all of its steps. The RIS, which may be slow, holds up only the step that it is asked about.
  const inTurn = createOrder();
  return async ({ command, data }, { transferSyntax }) => {
    const isNew = command.field === commands.createRequest;
    const instance = isNew ? command.affectedInstance : command.requestedInstance;
    const stepClass = isNew ? command.affectedClass : command.requestedClass;
    if (!isNew && command.field !== commands.setRequest) return { status: statuses.unknownOperation };
    if (stepClass !== undefined && stepClass !== sopClasses.performedStep) return { status: statuses.noSuchClass };
    if (instance === undefined || !data) return { status: statuses.missingAttribute };
    const step = await readers.step(data, transferSyntax, id);
    if (!step) return { status: statuses.invalidValue };
    const received = { ...step, instance, digest: hash('sha256', data) };
    try {
      return await inTurnOfStep(instance, async () => {
        const { isRepeated = false, ...answered } = await inTurn(() =>
          isNew ? createStep(intake, received) : setStep(intake, received),
        );
        const isTaken = answered.status === statuses.success;
        const passed = isTaken ? await passOn({ command, data, transferSyntax, isRepeated }) : undefined;
        if (passed) reportProblem(passed.problem ?? null);
        if (passed?.problem !== undefined) log({ level: 'warn', event: 'step_not_passed_on', status: passed.status });
        return { ...answered, ...(passed && { status: passed.status }), affectedInstance: instance };
      });
    } catch (error) {
      if (!isStorageFailure(error)) throw error;
      return { status: statuses.noResources };
    }
  };
}

/** A step as a message describes it. */
type ReceivedStep = Step & Pick<PerformedStep, 'instance' | 'digest'>;

interface StepAnswer extends Pick<Answer, 'status' | 'errorId' | 'comment'> {
  /** The message was taken before. */
  readonly isRepeated?: true;
}
const repeated: StepAnswer = { status: statuses.success, isRepeated: true };

/** Statuses of answers to a status that a step cannot begin with. */
const faults: Readonly<Record<Exclude<Step['status'], 'in_progress'>, number>> = {
  absent: statuses.missingAttribute,
  empty: statuses.missingValue,
  unknown: statuses.invalidValue,
  completed: statuses.invalidValue,
  discontinued: statuses.invalidValue,
};

/** N-CREATE: a step begins in progress (PS3.4 F.7.2.1). A repetition with the same exams has no effect. */
async function createStep(intake: InboundDeps['intake'], received: ReceivedStep): Promise<StepAnswer> {
  const { status, ...step } = received;
  if (status !== 'in_progress') return { status: faults[status] };
  const first = (await intake.findSteps(step.instance)).at(-1);
  if (first) {
    const isSame = isDeepStrictEqual(namesOf(first), namesOf(step));
    return isSame ? repeated : { status: statuses.duplicateInstance };
  }
  const isTaken = await takeStep(intake, { ...step, status }, step.instance);
  return isTaken ? { status: statuses.success } : createStep(intake, received);
}

/** N-SET: a step that has ended cannot change (PS3.4 F.7.2.2). An identical repetition of its last message is accepted. */
async function setStep(intake: InboundDeps['intake'], received: ReceivedStep): Promise<StepAnswer> {
  const { status, ...step } = received;
  if (status === 'empty' || status === 'unknown') return { status: faults[status] };
  const messages = await intake.findSteps(step.instance);
  const [latest] = messages;
  if (!latest) {
    const problem = { format: 'json', exams: [], patients: [], warnings: [], problems: [unknownStep] } as const;
    const key = `${step.instance} ${status}`;
    await intake.take({ raw: Buffer.from('{"items":[]}'), key, format: 'json', read: problem });
    return { status: statuses.noSuchInstance };
  }
  if (isOver(latest.status)) {
    if (status === latest.status && step.digest === latest.digest) return repeated;
    const comment = 'The step has ended, and may no longer be updated.';
    return { status: statuses.processingFailure, errorId: stepIsOver, comment };
  }
  // Other updates of a step in progress are of no use here.
  if (status === 'absent' || !isOver(status)) return { status: statuses.success };
  const exams = lastElement(messages).exams;
  const isTaken = await takeStep(intake, { ...step, status, exams }, `${step.instance} ${status}`);
  return isTaken ? { status: statuses.success } : setStep(intake, received);
}

/** The exams of a step, sorted for comparison. */
const namesOf = ({ exams }: Pick<PerformedStep, 'exams'>): string[] => exams.flatMap(examNames).toSorted();

/** Resolves to `false` if another message of the step came first, at another process of Laudio. */
async function takeStep(intake: InboundDeps['intake'], step: PerformedStep, key: string): Promise<boolean> {
  const items = step.exams.map((exam) => ({ ...exam, exam_status: step.status }));
  const { repeated } = await intake.take({ raw: Buffer.from(JSON.stringify({ items })), key, format: 'json', step });
  return !repeated;
}

const unknownStep: MessageError = {
  code: 'UNKNOWN_STEP',
  message: 'A modality updated a step that it never created here.',
  hint: 'Configure it to send every step here from its creation.',
};
