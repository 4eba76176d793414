/** Asks a PACS by DIMSE: studies, series and objects by C-FIND, and objects by C-GET or C-MOVE. */
import { AppError } from '../../../../../src/contract/errors.ts';
import type { DataSet } from '../../../../../src/files/worklist/dicom/attributes.ts';
import { isTooMuch } from '../../../../../src/protocols/dimse/association.ts';
import type { AgreedContext, Association } from '../../../../../src/protocols/dimse/association.ts';
import { classNames, reportClasses, sopClasses } from '../../../../../src/protocols/dimse/classes.ts';
import { commands } from '../../../../../src/protocols/dimse/command.ts';
import { asFile, writeDataSet } from '../../../../../src/protocols/dimse/data-set.ts';
import type { Attribute, Syntax } from '../../../../../src/protocols/dimse/data-set.ts';
import { provide } from '../../../../../src/protocols/dimse/provide.ts';
import {
  agreementOn,
  associate,
  echoFor,
  find,
  get,
  isObjectFailure,
  move,
  receivedContext,
  requestContext,
} from '../../../../../src/protocols/dimse/request.ts';
import type { Peer } from '../../../../../src/protocols/dimse/request.ts';
import { statuses } from '../../../../../src/protocols/dimse/statuses.ts';
import type { ChannelConfig, InboundDeps, OpenChannel } from '../../channel.ts';
import { readDoorkeeper } from '../../listening.ts';
import { toPeer } from '../dicom/settings.ts';
import { openPacs } from '../pacs/open-pacs.ts';
import { isUid, maxObjects, maxSeries, mayHoldReports, readValue, studyTags } from '../pacs/pacs.ts';
import type { ObjectName, Pacs, PacsConversation, StudyQuery } from '../pacs/pacs.ts';
import type { DicomPacsSettings } from './settings.ts';

export async function openArchive(channel: ChannelConfig<DicomPacsSettings>, deps: InboundDeps): Promise<OpenChannel> {
  const { settings } = channel;
  const peer = await toPeer(settings);
  const receiver = settings.retrieve === 'move' ? await openReceiver(settings, peer, deps) : undefined;
  const retrieval = receiver ? sopClasses.moveStudies : sopClasses.getStudies;
  const at = receiver ? `, reports at port ${receiver.port}` : '';
  const pacs: Pacs = {
    address: `${peer.called} at ${peer.host}:${peer.port}${at}`,
    converse: (signal) => new Conversation(peer, retrieval, receiver, signal),
    async test(signal) {
      await echoFor(peer, [sopClasses.findStudies, retrieval], signal);
      return `${peer.called} answers.`;
    },
    close: async () => receiver?.close(),
  };
  return openPacs(channel, pacs, deps);
}

const loadReader = () => import('../../../../../src/files/worklist/dicom/dicom-file.ts');

/** Where the objects of a C-MOVE arrive. */
interface Receiver {
  readonly port: number;
  /** Resolves to the object that arrives while `ask` runs; `undefined`: it does not. */
  receive(instance: string, ask: () => Promise<void>): Promise<Buffer | undefined>;
  close(): Promise<void>;
}

async function openReceiver(
  { receive_port: port, receive_host: host = '127.0.0.1', peers, ...settings }: DicomPacsSettings,
  peer: Peer,
  { log }: InboundDeps,
): Promise<Receiver> {
  if (port === undefined)
    throw new AppError('CONFIGURATION', { message: 'C-MOVE needs receive_port, to which the PACS connects.' });
  const { tls_certificate, tls_key, tls_ca } = settings;
  const tls = { tls_certificate, tls_key, tls_client_ca: tls_certificate === undefined ? undefined : tls_ca };
  const doorkeeper = await readDoorkeeper({ host, ...(peers && { peers }), ...(peer.tls && tls) });
  /** Objects that were asked for, once they have arrived. */
  const awaited = new Map<string, Buffer | undefined>();
  const providing = await provide({
    ...doorkeeper,
    host,
    port,
    title: peer.calling,
    callers: [],
    services: reportClasses,
    maxAssociations: 10,
    silentMs: peer.silentMs,
    async answer({ command, data }, { transferSyntax }) {
      const { affectedInstance: instance = '' } = command;
      if (command.field !== commands.storeRequest) return { status: statuses.unknownOperation };
      if (!data || !awaited.has(instance)) return { status: statuses.invalidValue };
      awaited.set(instance, asFile(data, transferSyntax));
      return { status: statuses.success, affectedInstance: instance };
    },
    onFailure: (error, address) => log({ level: 'warn', event: 'pacs_connection_failed', address, code: error.code }),
  });
  return {
    port: providing.port,
    async receive(instance, ask) {
      awaited.set(instance, undefined);
      try {
        await ask();
        return awaited.get(instance);
      } finally {
        awaited.delete(instance);
      }
    },
    close: () => providing.close(),
  };
}

class Conversation implements PacsConversation {
  readonly #peer: Peer;
  readonly #retrieval: string;
  readonly #receiver: Receiver | undefined;
  readonly #signal: AbortSignal;
  #association: Association | undefined;

  constructor(peer: Peer, retrieval: string, receiver: Receiver | undefined, signal: AbortSignal) {
    this.#peer = peer;
    this.#retrieval = retrieval;
    this.#receiver = receiver;
    this.#signal = signal;
  }

  async *findStudies(query: StudyQuery): AsyncGenerator<DataSet> {
    const isByAccession = 'accession' in query;
    yield* this.#find([
      ['00080052', 'CS', 'STUDY'],
      [studyTags.date, 'DA', isByAccession ? '' : `${query.from}-${query.to}`],
      [studyTags.time, 'TM'],
      [studyTags.accession, 'SH', isByAccession ? query.accession : ''],
      [studyTags.modalities, 'CS'],
      [studyTags.description, 'LO'],
      [studyTags.patientName, 'PN'],
      [studyTags.patientId, 'LO', isByAccession ? '' : query.patient],
      [studyTags.patientIdIssuer, 'LO'],
      [studyTags.birthDate, 'DA'],
      [studyTags.study, 'UI'],
    ]);
  }

  async findReports(study: string): Promise<readonly ObjectName[]> {
    const series: string[] = [];
    let looked = 0;
    const ofStudy: Attribute[] = [[studyTags.study, 'UI', study]];
    const wanted: Attribute[] = [
      ['00080052', 'CS', 'SERIES'],
      ['00080060', 'CS'],
      ['0020000E', 'UI'],
    ];
    for await (const each of this.#find([...ofStudy, ...wanted])) {
      const uid = readValue(each, '0020000E');
      if (mayHoldReports(readValue(each, '00080060')) && isUid(uid)) series.push(uid);
      if (++looked >= maxSeries) break;
    }
    const objects: ObjectName[] = [];
    for (const uid of series) {
      const keys: Attribute[] = [
        ['00080052', 'CS', 'IMAGE'],
        ['0020000E', 'UI', uid],
        ['00080016', 'UI'],
        ['00080018', 'UI'],
      ];
      for await (const each of this.#find([...ofStudy, ...keys])) {
        const [sopClass, instance] = [readValue(each, '00080016'), readValue(each, '00080018')];
        if (reportClasses.includes(sopClass) && isUid(instance))
          objects.push({ study, series: uid, instance, sopClass });
        if (objects.length >= maxObjects) return objects;
      }
    }
    return objects;
  }

  async read({ study, series, instance }: ObjectName): Promise<Uint8Array | undefined> {
    const association = await this.#open();
    const agreed = this.#agreementOn(association, this.#retrieval);
    const keys: Attribute[] = [
      ['00080052', 'CS', 'IMAGE'],
      [studyTags.study, 'UI', study],
      ['0020000E', 'UI', series],
      ['00080018', 'UI', instance],
    ];
    const query = writeDataSet(keys, agreed.transferSyntax as Syntax);
    return this.#fetch(async () => {
      if (this.#receiver)
        return this.#receiver.receive(instance, () => move(association, agreed, this.#peer.calling, query));
      let file: Buffer | undefined;
      for await (const object of get(association, agreed, query)) {
        if (object.instance === instance) file = asFile(object.dataSet, object.transferSyntax);
      }
      return file;
    });
  }

  async close(): Promise<void> {
    const association = this.#association;
    this.#association = undefined;
    await association?.release();
  }

  async *#find(keys: readonly Attribute[]): AsyncGenerator<DataSet> {
    const association = await this.#open();
    const agreed = this.#agreementOn(association, sopClasses.findStudies);
    const isAscii = keys.every(([, , value]) => typeof value !== 'string' || /^[\x20-\x7e]*$/.test(value));
    const charset: Attribute[] = isAscii ? [] : [['00080005', 'CS', 'ISO_IR 192']];
    const syntax = agreed.transferSyntax as Syntax;
    let isOver = false;
    try {
      for await (const data of find(association, agreed, writeDataSet([...charset, ...keys], syntax)))
        yield (await loadReader()).openDataSet(data, syntax).dataSet;
      isOver = true;
    } finally {
      // A query that ends early ends the association.
      if (!isOver && this.#association === association) this.#association = undefined;
    }
  }

  /** Fetches an object over the association, which is given up if that fails. `undefined`: only this object can't be had. */
  async #fetch(work: () => Promise<Buffer | undefined>): Promise<Buffer | undefined> {
    try {
      return await work();
    } catch (error) {
      if (isObjectFailure(error)) return undefined;
      const association = this.#association;
      this.#association = undefined;
      await association?.abort();
      if (isTooMuch(error)) return undefined;
      throw error;
    }
  }

  async #open(): Promise<Association> {
    const received = this.#receiver ? [] : reportClasses.map(receivedContext);
    const services = [sopClasses.findStudies, this.#retrieval].map(requestContext);
    return (this.#association ??= await associate(this.#peer, [...services, ...received], this.#signal));
  }

  #agreementOn(association: Association, service: string): AgreedContext {
    return agreementOn(association, service, classNames[service] ?? service);
  }
}
