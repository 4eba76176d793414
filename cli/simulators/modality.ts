/** A modality that starts and ends exams (MPPS, PS3.4 annex F): those of simulated orders, or of its worklist (PS3.4 K). */
import dicomParser from 'dicom-parser';
import { AppError } from '../../src/contract/errors.ts';
import { sopClasses } from '../../src/protocols/dimse/classes.ts';
import { commands, hex } from '../../src/protocols/dimse/command.ts';
import type { Command } from '../../src/protocols/dimse/command.ts';
import { explicitLittleEndian, implicitLittleEndian, writeDataSet } from '../../src/protocols/dimse/data-set.ts';
import type { Attribute, Syntax } from '../../src/protocols/dimse/data-set.ts';
import { agreementOn, associate, find, requestContext } from '../../src/protocols/dimse/request.ts';
import type { Peer } from '../../src/protocols/dimse/request.ts';
import type { Context } from '../context.ts';
import { itemsOf } from '../../src/client/pages.ts';
import { newUid } from './dicom-peer.ts';
import { calledAddress, channelAddress } from './peer-address.ts';
import type { SimulatedEvent, Simulation, Simulator } from './simulator.ts';
import { simulatedNumbers, formatTime } from './test-orders.ts';
import { calling, tlsOptions } from './tls.ts';
import { counted } from '../../src/domain/counted.ts';
import { elementAt } from '../../src/domain/elements.ts';

const defaultCount = 5;
const silentMs = 30_000;
const ours = 'SIMULATOR';

export const modality: Simulator = {
  options: ['channel', 'to', 'count', ...tlsOptions],
  faults: {
    discontinue: 'the exams are broken off',
    repeat: 'each step is said twice',
    unknown: 'an exam of an order that nobody knows comes first',
  },
  async run(context, wanted) {
    const peer = { ...findPeer(wanted), tls: await calling(wanted) };
    return makeExams(context, wanted, peer, await examsFor(context, wanted));
  },
};

/** A modality that takes its exams from the worklist of the channel, and makes them. */
export const worklistModality: Simulator = {
  options: ['channel', 'to', 'count', ...tlsOptions],
  faults: {
    discontinue: 'the exams are broken off',
    repeat: 'each step is said twice',
    cancel: 'the query is cancelled after the first exam',
  },
  async run(context, wanted) {
    const peer = { ...findPeer(wanted), tls: await calling(wanted) };
    const count = wanted.faults.has('cancel') ? 1 : (wanted.count ?? defaultCount);
    const found = await queryWorklist(peer, context.signal, count);
    const query = { number: 1, what: 'C-FIND', answer: '0000', isGood: true, more: counted(found.length, 'exam') };
    const steps = await makeExams(context, wanted, peer, found);
    return [query, ...steps.map((event) => ({ ...event, number: event.number + 1 }))];
  },
};

/** The accession numbers of the worklist, at most so many. */
async function queryWorklist(peer: Peer, signal: AbortSignal, count: number): Promise<string[]> {
  const association = await associate(peer, [requestContext(sopClasses.worklist)], signal);
  const agreed = agreementOn(association, sopClasses.worklist, 'worklists');
  const step: Attribute[] = [
    ['00080060', 'CS'],
    ['00400002', 'DA'],
    ['00400009', 'SH'],
  ];
  const keys: Attribute[] = [
    ['00080050', 'SH'],
    ['0020000D', 'UI'],
    ['00400100', 'SQ', [step]],
  ];
  const numbers: string[] = [];
  for await (const data of find(association, agreed, writeDataSet(keys, agreed.transferSyntax as Syntax))) {
    const { transferSyntax } = agreed;
    const number = dicomParser.parseDicom(data, { TransferSyntaxUID: transferSyntax }).string('x00080050')?.trim();
    if (number) numbers.push(number);
    if (numbers.length >= count) return numbers;
  }
  await association.release();
  return numbers;
}

/** Begins and ends each exam. */
async function makeExams(
  context: Context,
  { faults }: Simulation,
  peer: Peer,
  numbers: readonly string[],
): Promise<readonly SimulatedEvent[]> {
  const ending = faults.has('discontinue') ? 'DISCONTINUED' : 'COMPLETED';
  const events: SimulatedEvent[] = [];
  const say = async (accession: string, command: Command, attributes: readonly Attribute[]): Promise<void> => {
    const what = `${command.field === commands.createRequest ? 'N-CREATE' : 'N-SET'} ${String(elementAt(attributes, 0)[2])}`;
    for (const _ of faults.has('repeat') ? [1, 2] : [1]) {
      const status = await sendMessage(peer, context.signal, command, attributes);
      events.push({ number: events.length + 1, what, answer: hex(status), isGood: status === 0, more: accession });
    }
  };
  for (const accession of numbers) {
    const { day, time } = formatTime(context.clock.now());
    const instance = newUid();
    await say(accession, { ...created, affectedInstance: instance }, [
      ['00400252', 'CS', 'IN PROGRESS'],
      ['00400241', 'AE', ours],
      ['00400244', 'DA', day],
      ['00400245', 'TM', time],
      ['00400253', 'SH', accession.slice(0, 16)],
      ['00400270', 'SQ', [[['00080050', 'SH', accession]]]],
    ]);
    await say(accession, { ...changed, requestedInstance: instance }, [['00400252', 'CS', ending]]);
  }
  return events;
}

const created = { field: commands.createRequest, affectedClass: sopClasses.performedStep } as const;
const changed = { field: commands.setRequest, requestedClass: sopClasses.performedStep } as const;

/** `TITLE at HOST:PORT`, as in a channel, or `HOST:PORT`. */
function findPeer({ channel, to }: Simulation): Peer {
  const said = to ?? channelAddress(channel);
  const [, called = 'LAUDIO', address = said] = /^(.{1,16}) at (.+)$/.exec(said) ?? [];
  return { ...calledAddress(address), calling: ours, called, silentMs };
}

async function examsFor(context: Context, { count = defaultCount, faults }: Simulation): Promise<string[]> {
  const { signal } = context;
  const { worklists } = await context.client();
  const known: string[] = [];
  for await (const { accession_number: number } of itemsOf((paging) =>
    worklists.list({ query: { q: simulatedNumbers, ...paging } }, { signal }),
  )) {
    if (known.length >= count) break;
    if (number?.startsWith(simulatedNumbers)) known.push(number);
  }
  const numbers = [...(faults.has('unknown') ? [`${simulatedNumbers}0`] : []), ...known];
  if (numbers.length > 0) return numbers;
  throw new AppError('USAGE', {
    message: 'The worklist has no simulated order that could be examined.',
    hint: 'laudio channel simulate hl7-in makes some.',
  });
}

/** Sends one message over a separate association, as modalities do; resolves to the status of the answer. */
async function sendMessage(
  peer: Peer,
  signal: AbortSignal,
  command: Command,
  attributes: readonly Attribute[],
): Promise<number> {
  const abstractSyntax = sopClasses.performedStep;
  const transferSyntaxes = [explicitLittleEndian, implicitLittleEndian];
  const association = await associate(peer, [{ abstractSyntax, transferSyntaxes }], signal);
  try {
    const { id, transferSyntax } = agreementOn(association, abstractSyntax, 'performed procedure steps');
    const dataSet = writeDataSet(attributes, transferSyntax as Syntax);
    await association.send(id, { ...command, messageId: association.nextId() }, dataSet);
    const answer = await association.next();
    if (answer?.command.status === undefined)
      throw new AppError('NETWORK', { message: 'The channel ended the association.' });
    return answer.command.status;
  } finally {
    await association.release();
  }
}
