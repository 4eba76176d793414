/** dicom-out: to an archive of our own that can be in any trouble, and to those that others made. */
import { readdir } from 'node:fs/promises';
import dicomParser from 'dicom-parser';
import { expect, onTestFinished, test } from 'vitest';
import { provide } from '../../../../src/protocols/dimse/provide.ts';
import type { RunningProvider } from '../../../../src/protocols/dimse/provide.ts';
import { startOrthanc, startStorescp } from '../../../support/dicom-peers.ts';
import { freePort } from '../../../support/free-port.ts';
import { versionId } from '../../../../server/records/stored-record.ts';
import { explicitLittleEndian, implicitLittleEndian } from '../../../../src/protocols/dimse/data-set.ts';
import { eventually } from '../../../support/eventually.ts';
import { storedItem } from '../../../support/stored-item.ts';
import { createOutbox } from '../../../support/outbox.ts';
import { channelOutSuite } from '../../../suites/channel-out.suite.ts';
import type { OutPeer } from '../../../suites/channel-out.suite.ts';

const textSr = '1.2.840.10008.5.1.4.1.1.88.11';
const statuses = { well: 0x0000, full: 0xa700, refusing: 0xc001 } as const;

/** What a stored object says: the exam, and whether it is preliminary, final or has an addendum. */
function shortly(data: Buffer): string {
  const dataSet = dicomParser.parseDicom(data, { TransferSyntaxUID: '1.2.840.10008.1.2.1' });
  const step = data.includes('Adendo') ? 'C' : dataSet.string('x0040a496') === 'FINAL' ? 'F' : 'P';
  return `${dataSet.string('x00080050')} ${step}`;
}

channelOutSuite({
  kind: 'dicom-out',
  troubles: ['full', 'silent', 'gone'],
  refuses: true,
  async peer(): Promise<OutPeer> {
    const port = await freePort();
    const stored: string[] = [];
    let mode: Parameters<OutPeer['be']>[0] = 'well';
    let archive: RunningProvider | undefined;
    const open = async () => {
      archive = await provide({
        host: '127.0.0.1',
        port,
        title: 'ARCHIVE',
        callers: ['LAUDIO'],
        services: [textSr],
        maxAssociations: 10,
        silentMs: 20_000,
        async answer({ data }) {
          if (mode === 'silent') return new Promise(() => undefined);
          if (mode === 'well') stored.push(shortly(data!));
          return { status: statuses[mode as keyof typeof statuses] };
        },
        onFailure: () => undefined,
      });
    };
    await open();
    onTestFinished(async () => archive?.close());
    return {
      settings: { host: '127.0.0.1', port, called_title: 'ARCHIVE', objects: ['dicom-sr'], timeout_seconds: 1 },
      received: () => stored,
      async be(next) {
        if (next === 'gone') {
          await archive?.close();
          archive = undefined;
        } else if (!archive) await open();
        mode = next;
      },
    };
  },
});

test('Orthanc keeps the objects of a version in one study, once however often it is sent, and measurements where there are any', async () => {
  const { host, port, title, rest } = await startOrthanc();
  const outbox = createOutbox();
  const settings = { host, port, called_title: title, objects: ['dicom-pdf', 'dicom-sr', 'dicom-measurements'] };
  const channel = await outbox.channel('dicom-out', settings);
  const sender = await outbox.attach(channel);
  expect(await sender.test!(AbortSignal.timeout(10_000))).toContain('ORTHANC');
  await outbox.document('A', 'F');
  await eventually(async () => expect((await outbox.messages())[0]?.state).toBe('delivered'));
  const list = async (what: string) => (await (await fetch(`${rest}/${what}`)).json()) as string[];
  expect(await list('instances')).toHaveLength(2);
  await outbox.store.transact(async (tx) => {
    const version = (await tx.get('versions', versionId('rec_A', 1)))!;
    const sections = [{ key: 'findings', title: 'Achados', text: 'Nódulo de 6 mm no pulmão direito.' }];
    tx.put('versions', { ...version, record: { ...version.record, sections } });
  });
  const [message] = await outbox.messages();
  await outbox.change(message!.id, { state: 'waiting' });
  await eventually(async () => expect((await outbox.messages())[0]).toMatchObject({ state: 'delivered', attempts: 2 }));
  expect(await list('studies')).toHaveLength(1);
  expect(await list('instances')).toHaveLength(3);
});

test('dcmtk’s storescp takes them', async () => {
  const { host, port, title, folder } = await startStorescp();
  const outbox = createOutbox();
  const settings = { host, port, called_title: title, objects: ['dicom-pdf', 'dicom-sr'] };
  await outbox.attach(await outbox.channel('dicom-out', settings));
  await outbox.document('A', 'F');
  await eventually(async () => expect(await readdir(folder)).toHaveLength(2));
});

const encapsulatedPdf = '1.2.840.10008.5.1.4.1.1.104.1';

/** An archive that takes only some syntaxes and classes, as those of many makers do, and says any status. */
async function pickyArchive({ syntaxes, services = [textSr, encapsulatedPdf], status = 0, without_study }: Picky) {
  const stored: { readonly syntax: string; readonly data: Buffer }[] = [];
  const archive = await provide({
    host: '127.0.0.1',
    port: 0,
    title: 'ARCHIVE',
    callers: [],
    services,
    ...(syntaxes && { syntaxes }),
    maxAssociations: 10,
    silentMs: 20_000,
    async answer({ data }, { transferSyntax }) {
      stored.push({ syntax: transferSyntax, data: data! });
      return { status };
    },
    onFailure: () => undefined,
  });
  onTestFinished(() => archive.close());
  const outbox = createOutbox();
  const settings = {
    host: '127.0.0.1',
    port: archive.port,
    called_title: 'ARCHIVE',
    objects: ['dicom-pdf', 'dicom-sr'],
    ...(without_study && { without_study }),
  };
  const sender = await outbox.attach(await outbox.channel('dicom-out', settings));
  return { outbox, stored, works: () => sender.test!(AbortSignal.timeout(10_000)) };
}
test('an exam without a study UID waits for it, and holds up no other exam; a study of our own is made by setting alone', async () => {
  const { outbox, stored } = await pickyArchive({});
  const without = storedItem('wli_B', { accession_number: 'B', study_uid: null });
  await outbox.store.transact(async (tx) => tx.put('items', without));
  const stateOf = async (exam: string) =>
    (await outbox.messages()).filter(({ record_id }) => record_id === `rec_${exam}`).at(-1);
  await outbox.document('B', 'F');
  await eventually(async () => expect((await stateOf('B'))?.error?.code).toBe('NO_STUDY_UID'));
  await outbox.document('A', 'F');
  await eventually(async () => expect((await stateOf('A'))?.state).toBe('delivered'));
  expect(stored).toHaveLength(2);
  await outbox.store.transact(async (tx) => tx.put('items', { ...without, study_uid: '1.2.3.4' }));
  await eventually(async () => {
    outbox.clock.advance(60_000);
    expect((await stateOf('B'))?.state).toBe('delivered');
  });
  const [, , pdf] = stored;
  const dataSet = dicomParser.parseDicom(pdf!.data, { TransferSyntaxUID: pdf!.syntax });
  expect(dataSet.string('x0020000d')).toBe('1.2.3.4');

  const willing = await pickyArchive({ without_study: 'make' });
  await willing.outbox.store.transact(async (tx) => tx.put('items', without));
  await willing.outbox.document('B', 'F');
  await eventually(async () => expect((await willing.outbox.messages())[0]?.state).toBe('delivered'));
});

interface Picky {
  readonly without_study?: 'wait' | 'make';
  readonly syntaxes?: readonly string[];
  readonly services?: readonly string[];
  readonly status?: number;
}

/** The tags of a data set, and of those in it. */
const tagsOf = (dataSet: dicomParser.DataSet): unknown[] =>
  Object.entries(dataSet.elements).map(([tag, { items = [] }]) => [tag, items.map((item) => tagsOf(item.dataSet!))]);

test('an archive that takes the implicit syntax alone gets the same objects as one that takes the explicit one', async () => {
  const said = await Promise.all(
    [implicitLittleEndian, explicitLittleEndian].map(async (syntax) => {
      const { outbox, stored, works } = await pickyArchive({ syntaxes: [syntax] });
      expect(await works()).toBe('ARCHIVE answers.');
      await outbox.document('A', 'F');
      await eventually(async () => expect((await outbox.messages())[0]?.state).toBe('delivered'));
      expect(stored.map((each) => each.syntax)).toEqual([syntax, syntax]);
      return stored.map(({ data }) => {
        const dataSet = dicomParser.parseDicom(data, { TransferSyntaxUID: syntax });
        expect(dataSet.warnings).toEqual([]);
        return dataSet;
      });
    }),
  );
  const [implicit, explicit] = said.map((objects) => objects.map(tagsOf));
  expect(implicit).toEqual(explicit);
});

test('the test of the channel says that the archive answers and takes nothing of what will be sent', async () => {
  const deaf = await pickyArchive({ services: [textSr] });
  await expect(deaf.works()).rejects.toThrow('does not offer Encapsulated PDF');
  const foreign = await pickyArchive({ syntaxes: ['1.2.840.10008.1.2.2'] });
  await expect(foreign.works()).rejects.toThrow('Little Endian');
});

test.each([
  [0x0000, 'delivered'],
  [0x0001, 'delivered'],
  [0x0107, 'delivered'],
  [0x0111, 'delivered'],
  [0x0116, 'delivered'],
  [0xb000, 'delivered'],
  [0xb007, 'delivered'],
  [0x0110, 'waiting'],
  [0x0213, 'waiting'],
  [0xa700, 'waiting'],
  [0xa7ff, 'waiting'],
  [0xa900, 'refused'],
  [0xc000, 'refused'],
  [0xcfff, 'refused'],
  [0x0117, 'refused'],
  [0x0122, 'refused'],
  [0x0124, 'refused'],
  [0x9999, 'refused'],
])('an archive’s answer with status %s is %s', async (status, state) => {
  const { outbox } = await pickyArchive({ status });
  await outbox.document('A', 'F');
  await eventually(async () => expect((await outbox.messages())[0]).toMatchObject({ state, attempts: 1 }));
});

test('an exam whose numbers DICOM cannot hold sends no object, and says what to do; a corrected number goes', async () => {
  const { outbox, stored } = await pickyArchive({});
  const unfit = storedItem('wli_C', { accession_number: 'HOSP-2026-03-0001', study_uid: '1.2.3.5' });
  await outbox.store.transact(async (tx) => tx.put('items', unfit));
  await outbox.document('C', 'F');
  const state = async () => (await outbox.messages()).at(-1);
  await eventually(async () =>
    expect(await state()).toMatchObject({ state: 'refused', error: { code: 'IDENTIFIER_UNFIT' } }),
  );
  expect((await state())!.error!.message).toContain('accession_number must have at most 16 bytes');
  expect(stored).toEqual([]);
  await outbox.store.transact(async (tx) => tx.put('items', { ...unfit, accession_number: '26030001' }));
  await outbox.change((await state())!.id, { state: 'waiting' });
  await eventually(async () => expect((await state())?.state).toBe('delivered'));
});
