/**
 * Passes messages about performed steps on to a RIS, before the modality is answered. If the RIS can't be reached the modality gets a
 * temporary failure, and repeats the message, which has no second effect here.
 */
import { AppError } from '../../../../../src/contract/errors.ts';
import { hex } from '../../../../../src/protocols/dimse/command.ts';
import type { Command } from '../../../../../src/protocols/dimse/command.ts';
import { sopClasses } from '../../../../../src/protocols/dimse/classes.ts';
import { agreementOn, ask, associate } from '../../../../../src/protocols/dimse/request.ts';
import { isDone, statuses, stepIsOver } from '../../../../../src/protocols/dimse/statuses.ts';
import { explainFailure } from '../../failures.ts';
import type { ModalitySettings } from '../dicom/modality-port.ts';

/** The status for the modality, and a problem for the operator. */
interface ForwardResult {
  readonly status: number;
  readonly problem?: string;
}

interface StepMessage {
  readonly command: Command;
  readonly data: Buffer;
  readonly transferSyntax: string;
  /** The modality sent it before: the RIS may have it from an attempt whose answer was lost. */
  readonly isRepeated: boolean;
}

type StepForwarder = (message: StepMessage) => Promise<ForwardResult | undefined>;

/** Throws CONFIGURATION if the RIS is named in part. */
export async function createStepForwarder(settings: ModalitySettings): Promise<StepForwarder> {
  const { forward_host: host, forward_port: port, forward_title: called, title = 'LAUDIO' } = settings;
  const named = [host, port, called].filter((each) => each !== undefined).length;
  if (named === 0) return async () => undefined;
  if (host === undefined || port === undefined || called === undefined) {
    throw new AppError('CONFIGURATION', {
      message: 'Passing steps on needs forward_host, forward_port and forward_title.',
    });
  }
  const peer = { host, port, called, calling: title, silentMs: forwardMs, tls: undefined };
  return async ({ command: { messageId: _, ...command }, data, transferSyntax, isRepeated }) => {
    const { performedStep: abstractSyntax } = sopClasses;
    try {
      const signal = AbortSignal.timeout(2 * forwardMs);
      const association = await associate(peer, [{ abstractSyntax, transferSyntaxes: [transferSyntax] }], signal);
      try {
        const { id } = agreementOn(association, abstractSyntax, 'performed procedure steps');
        const { status = 0, errorId } = await ask(association, id, command, data);
        // A RIS that has the end of a step refuses it the second time.
        const isKnown =
          status === statuses.duplicateInstance ||
          (isRepeated && status === statuses.processingFailure && errorId === stepIsOver);
        if (isDone(status) || isKnown) return { status: statuses.success };
        return { status, problem: `The RIS refused a performed step with status ${hex(status)}. Its log says why.` };
      } finally {
        await association.release();
      }
    } catch (error) {
      const problem = `A performed step could not be passed on. ${explainFailure(error)}`;
      return { status: statuses.noResources, problem };
    }
  };
}

/** Modalities wait for half a minute, mostly. */
const forwardMs = 10_000;
