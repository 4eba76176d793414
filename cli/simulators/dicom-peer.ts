/** Shared parts of the DICOM simulators: the called side, and values for both sides. */
import { randomUUID } from 'node:crypto';
import dicomParser from 'dicom-parser';
import type { DataSet } from 'dicom-parser';
import type { AgreedContext, Message } from '../../src/protocols/dimse/association.ts';
import { hex } from '../../src/protocols/dimse/command.ts';
import { provide } from '../../src/protocols/dimse/provide.ts';
import type { Answer, Provider } from '../../src/protocols/dimse/provide.ts';
import { uidOfUuid } from '../../src/protocols/dimse/uid.ts';
import type { Context } from '../context.ts';
import { serveCalls } from './called-peer.ts';
import type { PlaceWords } from './called-peer.ts';
import { written } from './peer-address.ts';
import type { SimulatedEvent } from './simulator.ts';

/** The answer of a simulator, and what it reports. */
export interface PeerAnswer {
  readonly answer: Answer;
  readonly event: Pick<SimulatedEvent, 'what' | 'more'>;
  /** Replaces the answer. */
  readonly fault?: 'silent' | undefined;
}

/** Statuses that simulators return (PS3.7 C). */
export const statuses = { done: 0x0000, outOfResources: 0xa700, refused: 0xa900 } as const;

const silentMs = 60_000;
const maxAssociations = 50;

/** Answers under any AE title until `isDone` when an association ends, or Ctrl-C. */
export function answerDicom(
  context: Context,
  { services, sentClasses, ...words }: PlaceWords & Pick<Provider, 'services' | 'sentClasses'>,
  answer: (message: Message, agreed: AgreedContext) => PeerAnswer,
  isDone: (events: readonly SimulatedEvent[]) => boolean,
): Promise<readonly SimulatedEvent[]> {
  return serveCalls(context, words, async ({ host, port, tls }, { events, add, end }) => {
    const endIfDone = (): void => {
      if (isDone(events)) end();
    };
    const providing = await provide({
      host,
      port,
      tls,
      title: '',
      callers: [],
      services,
      ...(sentClasses && { sentClasses }),
      maxAssociations,
      silentMs,
      async answer(message, agreed) {
        const { answer: said, event, fault } = answer(message, agreed);
        add({ ...event, answer: fault ? 'none' : hex(said.status ?? 0), isGood: !fault && said.status === 0 });
        if (fault) return new Promise<never>(() => {});
        return said;
      },
      onRelease: endIfDone,
      onFailure: ({ message }) => {
        context.io.notice(message, 'faint');
        endIfDone();
      },
    });
    const at = `${written({ host, port: providing.port })}, under any title`;
    return { at, close: () => providing.close() };
  });
}

/** A new, globally unique identifier (PS3.5 B.2). */
export const newUid = (): string => uidOfUuid(randomUUID().replaceAll('-', ''));

/** The data set of a message; `undefined`: there is none, or it is invalid. */
export function parseDataSet({ data }: Message, { transferSyntax }: AgreedContext): DataSet | undefined {
  if (!data) return undefined;
  try {
    return dicomParser.parseDicom(data, { TransferSyntaxUID: transferSyntax });
  } catch {
    return undefined;
  }
}
