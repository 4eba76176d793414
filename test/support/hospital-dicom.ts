/** The DICOM systems of a simulated hospital: a PACS that stores, and is asked, and a modality that takes its exams from a worklist. */
import dicomParser from 'dicom-parser';
import { onTestFinished } from 'vitest';
import { reportAttributes, reportNames, studyAttributes } from '../../cli/simulators/simulated-studies.ts';
import type { SimulatedStudy } from '../../cli/simulators/simulated-studies.ts';
import { sopClasses } from '../../src/protocols/dimse/classes.ts';
import { commands } from '../../src/protocols/dimse/command.ts';
import { explicitLittleEndian, writeDataSet } from '../../src/protocols/dimse/data-set.ts';
import type { Attribute, Syntax } from '../../src/protocols/dimse/data-set.ts';
import { provide } from '../../src/protocols/dimse/provide.ts';
import type { RunningProvider } from '../../src/protocols/dimse/provide.ts';
import { agreementOn, ask, associate, find, requestContext } from '../../src/protocols/dimse/request.ts';

/** An object that the PACS was sent. */
export interface StoredObject {
  readonly sopClass: string;
  readonly accession: string;
  readonly study: string;
}

type PacsMode = 'well' | 'full' | 'away';

export interface HospitalPacs {
  readonly port: number;
  /** By instance UID. */
  readonly stored: ReadonlyMap<string, StoredObject>;
  /** Studies of exams that were made: UID by accession number. */
  readonly studies: Map<string, string>;
  /** `full`: it refuses whatever is asked; `away`: nothing listens at its port. */
  be(mode: PacsMode): Promise<void>;
}

/** Accession number of the former study of a patient, whose id is a letter and a number; `undefined`: it has none. */
export const formerNumber = (patient: string): string | undefined =>
  /^P\d+$/.test(patient) && Number(patient.slice(1)) % 20 === 0 ? `OLD-${patient}` : undefined;
const formerRoot = '1.2.826.8.';

/** `findPatient`: whose exam that is now. Some patients have a former study with a report. */
export async function startHospitalPacs(findPatient: (accession: string) => string): Promise<HospitalPacs> {
  const stored = new Map<string, StoredObject>();
  const studies = new Map<string, string>();
  const person = (id: string): SimulatedStudy['patient'] => ({ id, family: 'TESTE', given: 'PACIENTE' });
  const formerOf = (id: string): SimulatedStudy => ({
    study: `${formerRoot}${Number(id.slice(1))}`,
    accession: `OLD-${id}`,
    patient: person(id),
    day: '20240302',
    description: 'TC',
    modalities: ['CT', 'SR'],
  });
  const findMatches = (query: dicomParser.DataSet): Attribute[][] => {
    const read = (tag: string): string => query.string(tag)?.trim() ?? '';
    const [accession, patient, study] = [read('x00080050'), read('x00100020'), read('x0020000d')];
    const names: Attribute[] = [
      ['0020000D', 'UI', study],
      ['0020000E', 'UI', reportNames(study).series],
    ];
    if (read('x00080052') === 'SERIES') return [[...names, ['00080060', 'CS', 'SR']]];
    if (read('x00080052') === 'IMAGE')
      return [[...names, ['00080016', 'UI', sopClasses.basicTextSr], ['00080018', 'UI', reportNames(study).instance]]];
    if (accession === '') return formerNumber(patient) !== undefined ? [studyAttributes(formerOf(patient))] : [];
    const made = studies.get(accession);
    if (made === undefined) return [];
    const own = { study: made, accession, day: '20260302', description: 'TC', modalities: ['CT'] };
    return [studyAttributes({ ...own, patient: person(findPatient(accession)) })];
  };
  let mode: PacsMode = 'well';
  const listen = (port: number) =>
    provide({
      host: '127.0.0.1',
      port,
      title: 'PACS',
      callers: [],
      services: [sopClasses.findStudies, sopClasses.getStudies, sopClasses.basicTextSr, sopClasses.enhancedSr],
      sentClasses: [sopClasses.basicTextSr],
      maxAssociations: 20,
      silentMs: 20_000,
      async answer({ command, data }, { transferSyntax }) {
        if (mode === 'full') return { status: 0xa700 };
        const read = dicomParser.parseDicom(data!, { TransferSyntaxUID: transferSyntax });
        const text = (tag: string): string => read.string(tag)?.trim() ?? '';
        if (command.field === commands.storeRequest) {
          const object = { sopClass: text('x00080016'), accession: text('x00080050'), study: text('x0020000d') };
          stored.set(text('x00080018'), object);
          return { status: 0 };
        }
        if (command.field === commands.getRequest) {
          const former = formerOf(`P${text('x0020000d').slice(formerRoot.length)}`);
          const { instance } = reportNames(former.study);
          const write = (syntax: Syntax): Uint8Array => writeDataSet(reportAttributes(former), syntax);
          return { status: 0, sent: [{ affectedClass: sopClasses.basicTextSr, affectedInstance: instance, write }] };
        }
        return { status: 0, found: findMatches(read).map((each) => writeDataSet(each, transferSyntax as Syntax)) };
      },
      onFailure: () => undefined,
    });
  let provider: RunningProvider | undefined = await listen(0);
  const { port } = provider;
  onTestFinished(async () => provider?.close());
  return {
    port,
    stored,
    studies,
    async be(next) {
      mode = next;
      if (next === 'away') await provider?.close();
      if (next === 'away') provider = undefined;
      else provider ??= await listen(port);
    },
  };
}

/** An exam as a worklist lists it. */
export interface ListedExam {
  readonly accession: string;
  readonly patient: string;
  readonly study: string;
}

/** A modality at a channel that gives its worklist and takes its steps. */
export function createModality(port: number) {
  const peer = { host: '127.0.0.1', port, calling: 'CT1', called: 'LAUDIO', silentMs: 20_000, tls: undefined };
  const open = (service: string) => associate(peer, [requestContext(service)], new AbortController().signal);
  const say = async (field: number, instance: string, attributes: readonly Attribute[]): Promise<number> => {
    const association = await open(sopClasses.performedStep);
    const { id } = agreementOn(association, sopClasses.performedStep, 'steps');
    const [affectedClass, affectedInstance] = [sopClasses.performedStep, instance];
    const isNew = field === commands.createRequest;
    const names = isNew
      ? { affectedClass, affectedInstance }
      : { requestedClass: affectedClass, requestedInstance: instance };
    const { status } = await ask(association, id, { field, ...names }, writeDataSet(attributes, explicitLittleEndian));
    await association.release();
    return status!;
  };
  return {
    /** The exams of today; of one number, if it is given. */
    async query(accession = ''): Promise<ListedExam[]> {
      const association = await open(sopClasses.worklist);
      const agreed = agreementOn(association, sopClasses.worklist, 'worklists');
      const keys: Attribute[] = [
        ['00080050', 'SH', accession],
        ['00100020', 'LO'],
        ['0020000D', 'UI'],
      ];
      const found: ListedExam[] = [];
      for await (const data of find(association, agreed, writeDataSet(keys, agreed.transferSyntax as Syntax))) {
        const read = dicomParser.parseDicom(data, { TransferSyntaxUID: agreed.transferSyntax });
        const text = (tag: string): string => read.string(tag)?.trim() ?? '';
        found.push({ accession: text('x00080050'), patient: text('x00100020'), study: text('x0020000d') });
      }
      await association.release();
      return found;
    },
    begin: (instance: string, accession: string) =>
      say(commands.createRequest, instance, [
        ['00400252', 'CS', 'IN PROGRESS'],
        ['00400270', 'SQ', [[['00080050', 'SH', accession]]]],
      ]),
    end: (instance: string, status: 'COMPLETED' | 'DISCONTINUED') =>
      say(commands.setRequest, instance, [['00400252', 'CS', status]]),
    /** An association that breaks before it asks anything. */
    async breakOff(): Promise<void> {
      const association = await open(sopClasses.performedStep);
      association.abort();
    },
  };
}
