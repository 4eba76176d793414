/**
 * The calls of the contract that change something, by what they are about, and the scenes in which they meet. Each endpoint is
 * either here or among those that meet nobody (`lonely`), with the reason.
 */
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { contract } from '../../src/contract/index.ts';
import type { MedicalRecord } from '../../src/contract/document.ts';
import type { Documents } from '../../server/storage/collections.ts';
import type { StoredDocument } from '../../server/storage/store.ts';
import { examFields, succeeded } from './api.ts';
import type { Api, Ask } from './api.ts';
import { wav } from './audio.ts';

export interface RacingCall {
  /** Group, endpoint, and what it does: `records.update signs`. */
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly ask: Ask;
}

export interface Scene {
  readonly calls: readonly RacingCall[];
  /** Documents that are stored besides those that the scene's own calls made. */
  readonly planted?: readonly StoredDocument[];
}

/** Asks of one endpoint, by what each does. */
type Asks = Readonly<Record<string, Ask>>;
type Place = string;

/** Whether the endpoint changes what is stored, or what the server does. */
const changes = ({ method }: Endpoint): boolean => method !== 'GET';

/** All such endpoints of the contract, as `group.endpoint`. */
export const changingPlaces: ReadonlyMap<Place, Endpoint> = new Map(
  Object.entries(contract).flatMap(([group, { endpoints }]) =>
    Object.entries<Endpoint>(endpoints)
      .filter(([, endpoint]) => changes(endpoint))
      .map(([name, endpoint]): [Place, Endpoint] => [`${group}.${name}`, endpoint]),
  ),
);

/** Endpoints that no pair has, and why. */
export const lonely: Readonly<Record<Place, string>> = {
  'oauth.token': 'codes and refresh tokens are raced in auth/token.test.ts',
  'oauth.deviceAuthorization': 'makes a login of its own each time',
  'oauth.revoke': 'has no refusal, and ends what it names whatever comes first',
  'records.dictate': 'queues the job of records.generate, by the same code',
  'transcriptions.append': 'sound is put in order by its offset, in memory: api/transcriptions.test.ts',
  'transcriptions.end': 'as append',
  'transcriptions.create': 'as append',
  'transcriptions.delete': 'as append',
  'channels.test': 'changes nothing',
  'impressions.propose': 'changes nothing',
  'channels.try': 'changes nothing',
  'channels.import': 'notes that an import is wanted, whatever was noted before',
  'templates.preview': 'changes nothing',
  'fhir.subscribe': 'makes a document of its own, counted in its transaction',
  'fhir.resubscribe': 'reads nothing before its transaction',
  'fhir.unsubscribe': 'reads nothing before its transaction',
  'channels.search': 'changes nothing',
  'channels.retrySome': 'tries one after the other, each as retry',
  'channels.hook': 'changes nothing but the time of the next poll',
  'maintenance.restore': 'replaces everything; one at a time',
  'maintenance.sealedBackup': 'reads everything at one moment, as saveSnapshot',
  'maintenance.saveSnapshot': 'reads everything at one moment',
  'maintenance.loadSnapshot': 'as restore',
  'maintenance.removeSnapshot': 'a file, not a document',
  'maintenance.seed': 'as restore',
  'maintenance.reset': 'as restore',
  'maintenance.restoreTrash': 'reads nothing before its transaction',
  'patients.find': 'changes nothing',
  'patients.restrict': 'goes on until nothing of the patient is left',
  'patients.release': 'reads nothing before its transaction',
  'patients.erase': 'as restrict',
  'inspector.replay': 'makes another of these calls',
  'faults.add': 'kept in memory, changed at once',
  'faults.clear': 'as faults.add',
  'faults.remove': 'as faults.add',
  'clock.advance': 'moves take turns: runtime/clock/timekeeper.test.ts',
  'clock.set': 'as clock.advance',
};

const toCalls = (asks: Readonly<Record<Place, Asks>>): RacingCall[] =>
  Object.entries(asks).flatMap(([place, each]) =>
    Object.entries(each).map(([label, ask]) => ({
      name: `${place} ${label}`.trimEnd(),
      endpoint: changingPlaces.get(place)!,
      ask,
    })),
  );

const findings = 'Findings: Nodule of 4 mm in the left lung, no effusion. The right lung is clear.';
export const spoken = `${findings} Impression: Nodule of the right lung, tension pneumothorax.`;
const template = {
  id: 'our_chest_ct',
  name: 'Chest CT of the house',
  language: 'en-US',
  sections: [
    { key: 'findings', title: 'Findings', required: true },
    { key: 'impression', title: 'Impression' },
  ],
} as const;
const prior = {
  report_id: 'R-2024-0113',
  patient_id: '0045871',
  patient_name: 'TESTE^PACIENTE',
  exam_datetime: '2024-01-13T09:10:00-03:00',
  exam_description: 'TC de tórax',
  text: 'ACHADOS:\nNódulo de 4 mm.',
};
const audio = { content_type: 'audio/wav', data: wav().toString('base64') };

export interface People {
  readonly attending: string;
  readonly resident: string;
  readonly residentId: string;
  readonly attendingId: string;
}

const { records, templates, priors, macros, vocabulary, reviews, channels, webhooks } = contract;

/** An exam with a report; `become`: what is done with the report before. */
async function examScene(
  api: Api,
  { attending, resident, residentId }: People,
  become: readonly (readonly [token: 'attending' | 'resident', body: object])[],
): Promise<Scene> {
  const [token, accession_number] = [attending, 'RACE-1'];
  const by = { attending, resident };
  const item = await api.exam(examFields({ accession_number }), { token });
  succeeded(await api.call(templates.endpoints.create, { token, body: template }), 201);
  const made = await api.generate({ text: spoken, worklist_item_id: item, template_id: template.id }, { token });
  const params = { id: made.id };
  const put = records.endpoints.update;
  for (const [who, body] of become) succeeded(await api.call(put, { token: by[who], params, body }));
  const imported = succeeded(await api.call(priors.endpoints.import, { token, body: { items: [prior] } }));
  const job = await api.enqueue({ audio } as never, { token });
  const record = succeeded(await api.call(records.endpoints.get, { token, params })) as MedicalRecord;
  const { operations } = succeeded(await api.call(reviews.endpoints.provenance, { token, params }));
  const finding = record.findings_to_review!.find(
    ({ severity, kind }) => severity === 'warning' && kind !== 'critical_not_communicated',
  )!.id;
  const result = record.critical_results![0]!.id;
  const written = (text: string) =>
    record.sections.map((section) => (section.key === 'findings' ? { ...section, text } : section));
  const addendum = [...record.sections, { key: 'addendum', title: 'Addendum', text: 'Seen again.' }];
  const update = (body: object, more: object = {}): Ask => ({ token, params, body, ...more });
  const told = { status: 'told', communication: { to: 'Dr. Paulo', way: 'phone', read_back: true } };
  return {
    calls: toCalls({
      'records.update': {
        writes: update({ sections: written('Nodule of 5 mm.') }),
        'writes otherwise': update({ sections: written('No nodule.') }, { token: resident }),
        'writes version 1': update({ sections: written('Version 1.') }, { headers: { 'if-match': '"1"' } }),
        titles: update({ title: 'Another title' }),
        signs: update({ status: 'final' }),
        'signs for a while': update({ status: 'final', grace_seconds: 60 }),
        'signs what it writes': update({ status: 'final', grace_seconds: 60, sections: written('Signed.') }),
        'signs as resident': update({ status: 'preliminary' }, { token: resident }),
        'signs as resident for a while': update({ status: 'preliminary', grace_seconds: 60 }, { token: resident }),
        'sends back': update({ status: 'draft', note: 'Measure it.' }),
        adds: update({ sections: addendum }),
      },
      'records.delete': { '': { token, params } },
      'records.correct': {
        changes: { token, params, body: { text: 'In the findings, replace left with right.' } },
        'is not understood': { token, params, body: { text: 'Blah.' } },
      },
      'records.generate': {
        'for the exam': { token, body: { text: spoken, worklist_item_id: item } },
        later: { token, body: { audio, worklist_item_id: item, mode: 'async' } },
      },
      'reviews.decide': {
        dismisses: { token, params: { ...params, finding }, body: { status: 'dismissed' } },
        opens: { token, params: { ...params, finding }, body: { status: 'open' } },
      },
      'reviews.undo': { '': { token, params, body: { operation: operations[0]?.id ?? 'numbers.unit@0-1' } } },
      'signatures.takeBack': { '': { token, params }, 'by the resident': { token: resident, params } },
      'criticalResults.mark': { '': { token, params, body: { section: 'impression', words: 'Nodule' } } },
      'criticalResults.decide': {
        told: { token, params: { ...params, result }, body: told },
        dismissed: { token, params: { ...params, result }, body: { status: 'dismissed', reason: 'Known.' } },
      },
      'jobs.cancel': { '': { token, params: { id: job.id } } },
      'patients.removeExam': { '': { token: api.server.adminToken, params: { id: item } } },
      'worklists.setStatus': {
        cancels: { token, params: { id: item }, body: { status: 'cancelled' } },
        takes: {
          token: resident,
          params: { id: item },
          body: { status: 'in_progress', metadata: { take_over: true } },
        },
      },
      'worklists.assign': { '': { token, params: { id: item }, body: { to: residentId, take_over: true } } },
      'worklists.ingest': {
        corrects: { token, body: examFields({ accession_number, exam_description: 'CT CHEST' }) },
        'of another patient': {
          token,
          body: examFields({ accession_number, patient_id: '77', patient_name: 'OTHER^ONE' }),
        },
      },
      'priors.import': { '': { token, body: { items: [{ ...prior, text: 'ACHADOS:\nSem nódulo.' }] } } },
      'priors.delete': { '': { token, params: { id: imported.items[0]?.id ?? '' } } },
      'templates.create': { '': { token, body: { ...template, id: undefined, name: 'Another' } } },
      'templates.update': { '': { token, params: { id: template.id }, body: { ...template, name: 'Renamed' } } },
      'templates.delete': { '': { token, params: { id: template.id } } },
    }),
  };
}

/** Exams whose report is a draft, is being signed, is preliminary, is being co-signed, and is final. */
export function examScenes(api: Api, people: People): Record<string, () => Promise<Scene>> {
  const signs = { status: 'final', grace_seconds: 60 };
  const resident = ['resident', { status: 'preliminary' }] as const;
  return {
    'a draft': () => examScene(api, people, []),
    'a report that is being signed': () => examScene(api, people, [['attending', signs]]),
    'a preliminary report': () => examScene(api, people, [resident]),
    'a preliminary report that is being co-signed': () => examScene(api, people, [resident, ['attending', signs]]),
    'a final report': () => examScene(api, people, [['attending', { status: 'final' }]]),
  };
}

/** Macros and words of a person. */
export async function wordbookScene(api: Api, { attending: token, attendingId }: People): Promise<Scene> {
  const macro = { name: 'normal chest', text: 'The lungs are clear.' };
  const term = { write: 'Klatskin' };
  const kept = succeeded(await api.call(macros.endpoints.create, { token, body: macro }), 201);
  const word = succeeded(await api.call(vocabulary.endpoints.create, { token, body: term }), 201);
  const another = { name: 'normal heart', text: 'Normal heart.' };
  return {
    calls: toCalls({
      'macros.create': { '': { token, body: another }, 'of the same name': { token, body: macro } },
      'macros.import': {
        '': { token, body: { items: [another] } },
        replaces: { token, body: { items: [{ ...macro, text: 'Clear.' }], replace: true } },
      },
      'macros.update': {
        text: { token, params: { id: kept.id }, body: { text: 'Lungs clear.' } },
        name: { token, params: { id: kept.id }, body: { name: another.name } },
      },
      'macros.delete': { '': { token, params: { id: kept.id } } },
      'vocabulary.create': { '': { token, body: { write: 'Gadovist' } }, 'the same': { token, body: term } },
      'vocabulary.import': { '': { token, body: { items: [{ write: 'Gadovist' }] } } },
      'vocabulary.update': { '': { token, params: { id: word.id }, body: { write: 'Gadovist' } } },
      'vocabulary.delete': { '': { token, params: { id: word.id } } },
      'users.delete': { '': { params: { id: attendingId } } },
    }),
  };
}

/** An application, a person with a PIN, and a webhook. */
export async function accountScene(api: Api, { attending, attendingId }: People): Promise<Scene> {
  const { client_id } = await api.createClient({ name: 'PACS' });
  const user = await api.createUser({ username: 'caio', password: 'correct horse', display_name: 'Dr. Caio' });
  const url = 'http://127.0.0.1:9/hook';
  succeeded(await api.call(webhooks.endpoints.put, { params: { client_id }, body: { url } }), 201);
  const { id } = succeeded(
    await api.call(webhooks.endpoints.test, { params: { client_id }, body: { type: 'webhook.test' } }),
    202,
  );
  const [client, person, pinned] = [{ id: client_id }, { id: user.id }, { id: attendingId }];
  return {
    calls: toCalls({
      'clients.create': { '': { body: { name: 'RIS', redirect_uris: ['http://127.0.0.1/back'] } } },
      'clients.update': {
        name: { params: client, body: { name: 'PACS 2' } },
        scopes: { params: client, body: { scopes: ['worklists:read'] } },
      },
      'clients.rotateSecret': { '': { params: client }, keeps: { params: client, query: { keep_old_seconds: 60 } } },
      'clients.delete': { '': { params: client } },
      'users.create': {
        '': { body: { username: 'dora', password: 'correct horse' } },
        'of the same name': { body: { username: 'caio', password: 'correct horse' } },
      },
      'users.update': {
        role: { params: person, body: { role: 'attending' } },
        licence: { params: person, body: { licence: 'CRM 1' } },
        'of the signer': { params: pinned, body: { place: 'Recife' } },
      },
      'users.setPassword': {
        '': { params: person, body: { password: 'battery staple' } },
        'of the signer': { params: pinned, body: { password: 'battery staple' } },
      },
      'users.resetPin': { '': { params: pinned } },
      'users.delete': { '': { params: person }, 'of the signer': { params: pinned } },
      'signatures.setPin': {
        sets: { token: attending, body: { password: 'correct horse', pin: '4711' } },
        'takes away': { token: attending, body: { password: 'correct horse', pin: null } },
      },
      'webhooks.put': {
        '': { params: { client_id }, body: { url, events: ['medical_record.job.failed'] } },
        rotates: { params: { client_id }, body: { url, rotate_secret: true } },
        'turns off': { params: { client_id }, body: { url, enabled: false } },
      },
      'webhooks.delete': { '': { params: { client_id } } },
      'webhooks.test': { '': { params: { client_id }, body: { type: 'webhook.test' } } },
      'webhooks.resend': { '': { params: { client_id, id } } },
    }),
  };
}

const order = (control: string): string =>
  [
    `MSH|^~\\&|RIS|HSL|LAUDIO|HSL|20260302083000||ORM^O01|${control}|P|2.5`,
    'PID|1||0045871^^^HSL||TESTE^PACIENTE||19710614|M',
    'ORC|NW|PL1|RACE-9||SC',
    'OBR|1|PL1|RACE-9|CT^TC de tórax|||20260302083000|||||||||||||||||CT',
  ].join('\r');

/** A channel that is off, with messages in each state. */
export async function channelScene(api: Api, { attending: token }: People): Promise<Scene> {
  const item = await api.exam(examFields({ accession_number: 'RACE-2' }), { token });
  const { id: record_id } = await api.generate({ text: spoken, worklist_item_id: item }, { token });
  const signed = { token, params: { id: record_id }, body: { status: 'final' } };
  succeeded(await api.call(records.endpoints.update, signed));
  const made = async (name: string, kind: string, settings: object) =>
    succeeded(await api.call(channels.endpoints.add, { body: { name, kind, settings, enabled: false } }), 201);
  const out = await made('to-ris', 'folder-out', { path: '/nowhere' });
  const incoming = await made('from-ris', 'hl7-in', { port: 2575 });
  const at = out.created_at;
  const raw = Buffer.from(order('M1'));
  const message = (n: number, more: Partial<Documents['messages']>): StoredDocument => ({
    collection: 'messages',
    document: {
      id: `msg_0000000000000000000000000${n}`,
      space: out.space,
      channel_id: out.id,
      direction: 'out',
      state: 'refused',
      at,
      updated_at: at,
      key: null,
      error: { code: 'AR', message: 'Refused.' },
      warnings: [],
      event: 'worklist.document.completed',
      record_id: 'rec_00000000000000000000000001',
      record_version: 1,
      worklist_item_id: null,
      attempts: 1,
      next_attempt_at: null,
      lane: `${out.id}/${n}`,
      ...more,
    },
  });
  const planted = [
    message(1, {}),
    message(2, { state: 'waiting', error: null, next_attempt_at: at }),
    {
      collection: 'messages',
      document: {
        id: 'msg_00000000000000000000000003',
        space: out.space,
        channel_id: incoming.id,
        direction: 'in',
        state: 'refused',
        at,
        updated_at: at,
        key: 'M1',
        error: { code: 'FIELD_REQUIRED', message: 'Refused.' },
        warnings: [],
        format: 'hl7',
        bytes: raw.length,
        hash: 'x',
        content: raw.toString('base64'),
      },
    } satisfies StoredDocument,
  ];
  const ids = planted.map(({ document }) => document.id);
  const each = (label: string, n: number): Asks => ({ [label]: { params: { id: ids[n]! } } });
  const ofOut = { channel: out.id };
  return {
    planted,
    calls: toCalls({
      'channels.add': {
        '': { body: { name: 'another', kind: 'folder-out', settings: { path: '/there' }, enabled: false } },
        'of the same name': {
          body: { name: 'renamed', kind: 'folder-out', settings: { path: '/there' }, enabled: false },
        },
      },
      'channels.change': {
        name: { params: ofOut, body: { name: 'renamed' } },
        settings: { params: ofOut, body: { settings: { path: '/elsewhere' } } },
        'by its name': { params: { channel: 'to-ris' }, body: { name: 'renamed-too' } },
      },
      'channels.remove': {
        '': { params: ofOut },
        'by its name': { params: { channel: 'to-ris' } },
        'of what comes in': { params: { channel: incoming.id } },
      },
      'channels.send': {
        'one report': { params: ofOut, body: { record_id } },
        'all since then': { params: ofOut, body: { since: '2026-03-01T00:00:00Z' } },
      },
      'channels.retryAll': { out: { params: ofOut }, in: { params: { channel: incoming.id } } },
      'channels.retry': {
        ...each('of a refused one', 0),
        ...each('of a waiting one', 1),
        ...each('of one that came in', 2),
      },
      'channels.drop': {
        ...each('of a refused one', 0),
        ...each('of a waiting one', 1),
        ...each('of one that came in', 2),
      },
    }),
  };
}
