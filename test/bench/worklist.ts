/** How many exams a second a channel takes from a worklist provider (C-FIND), and in what memory, against the same over HTTP, one by one. */
import { contract } from '../../src/contract/index.ts';
import { sopClasses } from '../../src/protocols/dimse/classes.ts';
import { writeDataSet } from '../../src/protocols/dimse/data-set.ts';
import type { Syntax } from '../../src/protocols/dimse/data-set.ts';
import { provide } from '../../src/protocols/dimse/provide.ts';
import type { Serving } from '../support/process.ts';
import { testToken } from '../support/test-token.ts';
import type { Bench, Row } from './bench.ts';
import { callerOf, operatorOf } from './caller.ts';
import { exam } from './ingest.ts';
import { memoryOf } from './start-up.ts';

const count = 100_000;
/** In ms. */
const betweenLooks = 100;

export async function worklistRows({ serve }: Bench): Promise<Row[]> {
  await using asking = await serve();
  await using taking = await serve();
  const found = await watched(asking, () => find(asking));
  const sent = await watched(taking, () => send(taking));
  const what = `${count.toLocaleString('en')} exams from a worklist`;
  const against = 'single ingest over HTTP';
  const rate = (elapsed: number): number => (count / elapsed) * 1000;
  const MiB = (bytes: number): number => bytes / 2 ** 20;
  return [
    { what, against, value: rate(found.elapsed), base: rate(sent.elapsed), unit: 'items/s' },
    {
      what: `${what}, most memory`,
      against,
      value: MiB(found.memory),
      base: MiB(sent.memory),
      unit: 'MiB',
      target: { atMost: 1.2 },
    },
  ];
}

/** Milliseconds of the work, and the most bytes of memory that the server has meanwhile. */
async function watched({ ready }: Serving, work: () => Promise<void>): Promise<{ elapsed: number; memory: number }> {
  let memory = 0;
  const look = (): void => void (memory = Math.max(memory, memoryOf(ready.pid)));
  const looking = setInterval(look, betweenLooks);
  const started = performance.now();
  await work();
  const elapsed = performance.now() - started;
  clearInterval(looking);
  look();
  return { elapsed, memory };
}

/** As many at a time as the channel writes. */
async function send({ ready }: Serving): Promise<void> {
  const call = callerOf(ready.url, await testToken(ready));
  let next = 0;
  const sender = async (): Promise<void> => {
    for (let nth = next++; nth < count; nth = next++) {
      await call(contract.worklists.endpoints.ingest, { body: JSON.stringify(exam(`SL-${nth}`, nth)) });
    }
  };
  await Promise.all(Array.from({ length: 16 }, sender));
}

/** Has the server ask a provider, until its first round is over. */
async function find({ ready }: Serving): Promise<void> {
  const operator = await operatorOf(ready);
  const { promise: over, resolve, reject } = Promise.withResolvers<void>();
  const providing = await provide({
    host: '127.0.0.1',
    port: 0,
    title: '',
    callers: [],
    services: [sopClasses.worklist],
    maxAssociations: 1,
    silentMs: 60_000,
    answer: async (_message, { transferSyntax }) => ({ status: 0, found: exams(transferSyntax as Syntax) }),
    // The channel keeps the association until all is stored.
    onRelease: resolve,
    onFailure: reject,
  });
  const settings = { host: '127.0.0.1', port: providing.port, called_title: 'RIS', interval_seconds: 86_400 };
  const body = { name: 'worklist', kind: 'dicom-worklist', space: 'test_tc_local', settings };
  await operator(contract.channels.endpoints.add, { body: JSON.stringify(body) });
  await over;
  await operator(contract.channels.endpoints.remove, { params: { channel: body.name } });
  await providing.close();
}

function* exams(syntax: Syntax): Generator<Buffer> {
  for (let nth = 0; nth < count; nth++) {
    const fields = exam(`SL-${nth}`, nth);
    const [day, time] = fields.exam_datetime.replaceAll(/[-:]/g, '').split('T') as [string, string];
    yield writeDataSet(
      [
        ['00080005', 'CS', 'ISO_IR 192'],
        ['00080050', 'SH', fields.accession_number],
        ['00080080', 'LO', fields.hospital_name],
        ['00100010', 'PN', fields.patient_name],
        ['00100020', 'LO', fields.patient_id],
        ['00100030', 'DA', fields.patient_birth_date.replaceAll('-', '')],
        ['00100040', 'CS', fields.patient_sex],
        ['00321060', 'LO', fields.exam_description],
        [
          '00400100',
          'SQ',
          [
            [
              ['00080060', 'CS', fields.modality],
              ['00400002', 'DA', day],
              ['00400003', 'TM', time.slice(0, 6)],
              ['00400009', 'SH', '1'],
            ],
          ],
        ],
      ],
      syntax,
    );
  }
}
