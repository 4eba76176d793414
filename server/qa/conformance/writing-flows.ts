/** Flows that create documents, as a test client, and remove them. */
import { contract } from '../../../src/contract/index.ts';
import { pause } from '../../../src/domain/pause.ts';
import { getPlaceholderFile } from '../recording/placeholder-files.ts';
import { bearers, hasParams, itemsOf, readProblems, readOne, fillMissing } from './flow.ts';
import type { FlowContext } from './flow.ts';
import type { Probe, Observation } from './probe.ts';
import { exportFormatNames } from '../../../src/contract/export.ts';

const { oauth, worklists, records, jobs, macros, vocabulary } = contract;

/** Bodies that every endpoint must reject. */
export async function badBodies({ probe, has }: FlowContext): Promise<void> {
  const json = { type: 'application/json' };
  for (const endpoint of bearers.filter(
    (each) => each.body && has(each) && (each.bodyTypes ?? ['application/json']).includes('application/json'),
  )) {
    const at = fillMissing(endpoint);
    // The service may check that the resource exists before it reads the body.
    const orMissing = hasParams(endpoint) ? [400, 404] : [400];
    const broken = await probe.ask(endpoint, { ...at, raw: { ...json, text: '{"' } }, { status: orMissing });
    const { error } = Object(broken.body) as { error?: { code?: unknown } };
    if (broken.status === 400)
      probe.expect(error?.code === 'INVALID_JSON', broken, 'INVALID_JSON', String(error?.code), '7');
    await probe.ask(endpoint, { ...at, raw: { ...json, text: '7' } }, { status: orMissing });
    await probe.ask(
      endpoint,
      { ...at, raw: { type: 'text/plain', text: 'x' } },
      { status: hasParams(endpoint) ? [415, 404] : 415 },
    );
  }
  const seen = await probe.ask(
    jobs.endpoints.list,
    { method: 'PATCH', body: {} },
    { status: 405, code: 'METHOD_NOT_ALLOWED' },
  );
  probe.expect(
    /\bGET\b/.test(seen.headers['allow'] ?? ''),
    seen,
    'Allow: GET',
    seen.headers['allow'] ?? 'nothing',
    'RFC 9110 15.5.6',
  );
}

/** An exam with test data. */
export const buildExam = (accession: string, more: object = {}) => ({
  accession_number: accession,
  patient_id: 'CHECK-1',
  patient_name: 'Test Patient',
  modality: 'CT',
  exam_datetime: '2026-03-02T08:30:00-03:00',
  exam_description: 'Contract check',
  ...more,
});

/** Ingests an exam, and cancels it at the end of the check. Returns its id. */
export async function ingestExam({ probe, cleanUp, leave }: FlowContext, body: object): Promise<unknown> {
  const { ingest, setStatus } = worklists.endpoints;
  const id = itemsOf(await probe.ask(ingest, { body }, { status: 200 }))[0]?.['id'];
  if (id === undefined) return undefined;
  leave(`exam ${String(id)}, cancelled`);
  const cancelled = { status: 'cancelled', reason: 'Contract check' };
  cleanUp(() => probe.ask(setStatus, { params: { id }, body: cancelled }, { status: 200 }));
  return id;
}

/** Checks that `processed = inserted + updated + deduped + errors`. */
export function checkCounts(probe: Probe, seen: Observation, expected: Readonly<Record<string, number>>): void {
  if (!seen.ok) return;
  const { data } = seen;
  const errors = Array.isArray(data['errors']) ? data['errors'].length : 0;
  const sum = ['inserted', 'updated', 'deduped'].reduce((total, name) => total + Number(data[name]), errors);
  probe.expect(
    data['processed'] === sum,
    seen,
    'processed = inserted + updated + deduped + errors',
    `${String(data['processed'])}, not ${sum}`,
    '2.3',
  );
  for (const [name, count] of Object.entries(expected))
    probe.expect(
      (name === 'errors' ? errors : data[name]) === count,
      seen,
      `${name}: ${count}`,
      String(name === 'errors' ? errors : data[name]),
      '2.3, 3.3',
    );
}

export async function ingest({ probe, has, uuid, cleanUp, leave }: FlowContext): Promise<void> {
  const { ingest, setStatus, list, get, history } = worklists.endpoints;
  const name = `CHECK-${uuid().slice(0, 8)}`;
  const headers = { 'idempotency-key': uuid() };
  const first = await probe.ask(ingest, { body: buildExam(`${name}-1`), headers }, { status: 200 });
  checkCounts(probe, first, { inserted: 1, errors: 0 });
  const id = itemsOf(first)[0]?.['id'];
  if (id !== undefined) {
    leave(`exam ${String(id)}, cancelled`);
    cleanUp(() =>
      probe.ask(
        setStatus,
        { params: { id }, body: { status: 'cancelled', reason: 'Contract check' } },
        { status: 200 },
      ),
    );
  }
  const again = await probe.ask(ingest, { body: buildExam(`${name}-1`), headers }, { status: 200 });
  probe.expect(
    again.data['batch_id'] === first.data['batch_id'],
    again,
    'the first answer for the same Idempotency-Key',
    'another batch',
    '4.2',
  );
  probe.expect(
    again.headers['idempotency-replayed'] === 'true',
    again,
    'Idempotency-Replayed: true',
    'nothing',
    '4.2; extension',
  );
  await probe.ask(ingest, { body: buildExam(`${name}-x`), headers }, { status: 422, code: 'IDEMPOTENCY_KEY_REUSED' });
  checkCounts(probe, await probe.ask(ingest, { body: [buildExam(`${name}-1`)] }, { status: 200 }), { deduped: 1 });
  const changed = buildExam(`${name}-1`, { exam_room: 'Room 7' });
  checkCounts(probe, await probe.ask(ingest, { body: { items: [changed] } }, { status: 200 }), { updated: 1 });
  const bad = buildExam(`${name}-2`, { modality: 'XX' });
  const part = await probe.ask(ingest, { body: [buildExam(`${name}-1`), bad] }, { status: 200 });
  checkCounts(probe, part, { errors: 1, deduped: 1 });
  const [error] = (part.data['errors'] ?? []) as { index?: unknown; error?: unknown; field?: unknown }[];
  if (error)
    probe.expect(
      error.index === 1 && error.error === 'INVALID_MODALITY' && error.field === 'modality',
      part,
      'the error of item 1: INVALID_MODALITY at modality',
      `${String(error.index)}: ${String(error.error)}`,
      '2.4',
    );
  const none = await probe.ask(
    ingest,
    { body: { accession_number: `${name}-3` } },
    { status: 400, code: 'VALIDATION_FAILED' },
  );
  probe.expect(
    readProblems(none).some(({ code }) => code === 'FIELD_REQUIRED'),
    none,
    'FIELD_REQUIRED in details.errors',
    'not there',
    '4.2, 7',
  );
  await probe.ask(ingest, { body: [] }, { status: 400, code: 'VALIDATION_FAILED' });
  const day = buildExam(`${name}-4`, { exam_datetime: 'yesterday' });
  const dated = await probe.ask(ingest, { body: day }, { status: 400, code: 'VALIDATION_FAILED' });
  probe.expect(
    readProblems(dated).some(({ code }) => code === 'INVALID_FORMAT'),
    dated,
    'INVALID_FORMAT in details.errors',
    'not there',
    '2.1, 7',
  );
  const real = await probe.ask(
    ingest,
    { body: buildExam(`${name}-5`, { patient_name: 'Somebody Else' }) },
    { status: 400, code: 'VALIDATION_FAILED' },
  );
  probe.expect(real.status !== 200, real, 'test data alone for a test client', 'a patient of another name', '1');
  if (id === undefined) return;
  const params = { id };
  if (has(get)) {
    const one = await probe.ask(get, { params }, { status: 200 });
    probe.expect(one.data['exam_room'] === 'Room 7', one, 'the exam as it was ingested', 'another', '2.2');
  }
  if (has(list)) {
    const found = await probe.ask(list, { query: { q: `${name}-1` } }, { status: 200 });
    probe.expect(
      itemsOf(found).some((item) => item['id'] === id),
      found,
      'the exam in the list',
      'not there',
      'extension',
    );
  }
  const moved = await probe.ask(
    setStatus,
    { params, body: { status: 'in_progress', reason: 'Check' } },
    { status: 200 },
  );
  probe.expect(
    moved.data['previous_status'] === 'new' && moved.data['status'] === 'in_progress',
    moved,
    'new → in_progress',
    `${String(moved.data['previous_status'])} → ${String(moved.data['status'])}`,
    '4.2, 3.2',
  );
  await probe.ask(setStatus, { params, body: { status: 'somewhere' } }, { status: 400, code: 'VALIDATION_FAILED' });
  await probe.ask(setStatus, { params, body: {} }, { status: 400, code: 'VALIDATION_FAILED' });
  await probe.ask(
    setStatus,
    { params: { id: 'check_unknown_0' }, body: { status: 'new' } },
    { status: 404, code: 'NOT_FOUND' },
  );
  if (has(history)) {
    const steps = await probe.ask(history, { params }, { status: 200 });
    probe.expect(itemsOf(steps).length > 0, steps, 'the change in the history', 'nothing', 'extension');
  }
  await probe.ask(setStatus, { params, body: { status: 'new' } }, { status: 200 });
}

export const dictatedText = 'Test Patient. Findings: the lungs are clear. Impression: normal examination.';

export async function document({ probe, has, uuid, cleanUp }: FlowContext): Promise<void> {
  const { generate, get, update, correct, versions, version, audio, list } = records.endpoints;
  const headers = { 'idempotency-key': uuid() };
  const body = { text: dictatedText, mode: 'sync', template_id: 'test_template_general' };
  const made = await probe.ask(generate, { body, headers }, { status: 201 });
  const id = made.data['id'];
  if (typeof id === 'string')
    cleanUp(() => probe.ask(records.endpoints.delete, { params: { id } }, { status: [200, 404] }));
  const again = await probe.ask(generate, { body, headers }, { status: 201 });
  probe.expect(
    again.data['id'] === id,
    again,
    'the same record for the same Idempotency-Key',
    'another record',
    '4.2, 4.3',
  );
  if (again.data['id'] !== id)
    cleanUp(() => probe.ask(records.endpoints.delete, { params: { id: again.data['id'] } }, { status: [200, 404] }));
  await probe.ask(generate, { body: {} }, { status: 400, code: 'VALIDATION_FAILED' });
  await probe.ask(generate, { body: { ...body, mode: 'later' } }, { status: 400, code: 'VALIDATION_FAILED' });
  await probe.ask(
    generate,
    { body: { text: 'Somebody Else. Findings: clear.' } },
    { status: 400, code: 'VALIDATION_FAILED' },
  );
  if (typeof id !== 'string') return;
  const params = { id };
  const read = await probe.ask(get, { params }, { status: 200 });
  probe.expect(
    read.data['id'] === id && read.headers['etag'] === `"${String(read.data['version'])}"`,
    read,
    'the record, its version as ETag',
    'another ETag',
    '4.3; extension',
  );
  const listed = await probe.ask(list, { query: { limit: 5 } }, { status: 200 });
  probe.expect(
    itemsOf(listed).some((item) => item['id'] === id),
    listed,
    'the record in the list',
    'not there',
    '4.3',
  );
  const etag = read.headers['etag'] ?? '"1"';
  const stale = { 'if-match': '"999"' };
  await probe.ask(
    update,
    { params, body: { title: 'Check' }, headers: stale },
    { status: 412, code: 'VERSION_CONFLICT' },
  );
  const changed = await probe.ask(
    update,
    { params, body: { title: 'Check' }, headers: { 'if-match': etag } },
    { status: 200 },
  );
  probe.expect(
    changed.data['version'] === Number(read.data['version']) + 1 && changed.data['title'] === 'Check',
    changed,
    'the next version with the title',
    `version ${String(changed.data['version'])}`,
    '4.3, 9',
  );
  await probe.ask(update, { params, body: {} }, { status: 400, code: 'VALIDATION_FAILED' });
  await probe.ask(correct, { params, body: { text: 'In the findings, replace clear with free.' } }, { status: 200 });
  await probe.ask(correct, { params, body: { text: 'x', mode: 'async' } }, { status: 400, code: 'VALIDATION_FAILED' });
  if (has(versions)) {
    const all = await probe.ask(versions, { params }, { status: 200 });
    probe.expect(itemsOf(all).length >= 2, all, 'each version', `${itemsOf(all).length}`, '9; extension');
    await probe.ask(version, { params: { id, n: 1 } }, { status: 200 });
    await probe.ask(audio, { params }, { status: 404, code: 'NOT_FOUND' });
  }
  await checkExports(probe, has, id);
  const gone = await probe.ask(records.endpoints.delete, { params }, { status: 200 });
  if (gone.ok) await probe.ask(get, { params }, { status: 404, code: 'NOT_FOUND' });
}

async function checkExports(probe: Probe, has: FlowContext['has'], id: string): Promise<void> {
  const { export: exported } = records.endpoints;
  if (!has(exported)) return;
  for (const format of exportFormatNames) {
    // The report of this dictation measures nothing.
    if (format === 'dicom-measurements') continue;
    await probe.ask(exported, { params: { id }, query: { format } }, { status: 200 });
  }
  await probe.ask(exported, { params: { id }, query: { format: 'doc' } }, { status: 400, code: 'VALIDATION_FAILED' });
}

/** A tenth of a second of audio, uploaded by a form and played back. */
export async function sound({ probe, has, cleanUp }: FlowContext): Promise<void> {
  const { generate, audio } = records.endpoints;
  const { text = '', encoding } = getPlaceholderFile('audio/wav');
  const wav = Buffer.from(text, encoding);
  const form = {
    fields: { mode: 'sync', template_id: 'test_template_general' },
    part: 'audio',
    file: {
      contentType: 'audio/wav',
      size: wav.length,
      open: async function* () {
        yield wav;
      },
    },
  };
  const made = await probe.ask(generate, { form }, { status: 201 });
  const { id } = made.data;
  if (typeof id !== 'string') return;
  const params = { id };
  cleanUp(() => probe.ask(records.endpoints.delete, { params }, { status: [200, 404] }));
  if (!has(audio)) return;
  await probe.ask(audio, { params }, { status: 200 });
  const part = await probe.ask(audio, { params, headers: { range: 'bytes=0-3' } }, { status: 206 });
  probe.expect(part.headers['content-length'] === '4', part, 'the 4 bytes of the range', 'others', 'RFC 9110 14');
  await probe.ask(audio, { params, headers: { range: 'bytes=99999999-' } }, { status: 416 });
}

const ended = new Set(['completed', 'failed', 'cancelled']);

export async function asynchronous({ probe, cleanUp }: FlowContext): Promise<void> {
  const { get, logs, result, cancel } = jobs.endpoints;
  const { generate } = records.endpoints;
  const started = await probe.ask(generate, { body: { text: dictatedText, mode: 'async' } }, { status: 202 });
  const id = started.data['id'];
  if (typeof id !== 'string') return;
  const params = { id };
  probe.expect(
    started.headers['location']?.endsWith(`/api/v1/jobs/${id}`) === true,
    started,
    'Location: the job',
    started.headers['location'] === undefined ? 'nothing' : 'another place',
    '4.3, 4.4',
  );
  let job = await probe.ask(get, { params }, { status: 200 });
  for (let tries = 0; tries < 100 && job.ok && !ended.has(String(job.data['status'])); tries++) {
    await pause(probe.options.clock, 100, probe.options.signal);
    job = await probe.ask(get, { params }, { status: 200 });
  }
  probe.expect(
    job.data['status'] === 'completed',
    job,
    'the job completed',
    String(job.data['status']).slice(0, 40),
    '3.1',
  );
  const record = job.data['record_id'];
  if (typeof record === 'string')
    cleanUp(() => probe.ask(records.endpoints.delete, { params: { id: record } }, { status: [200, 404] }));
  await probe.ask(logs, { params }, { status: 200 });
  const produced = await probe.ask(result, { params }, { status: 200 });
  probe.expect(produced.data['id'] === record, produced, 'the record of the job', 'another', '4.4');
  await probe.ask(cancel, { params }, { status: 409, code: 'JOB_NOT_CANCELLABLE' });
}

export async function simulations({ probe, has }: FlowContext): Promise<void> {
  const { list } = jobs.endpoints;
  const { generate } = records.endpoints;
  if (!has(oauth.endpoints.metadata)) return;
  const simulated = (directive: string) => ({ headers: { 'x-laudio-simulate': directive } });
  const limited = await probe.ask(list, simulated('status=429'), { status: 429, code: 'RATE_LIMIT_EXCEEDED' });
  const { details } = Object((Object(limited.body) as { error?: unknown }).error) as {
    details?: Readonly<Record<string, unknown>>;
  };
  probe.expect(
    typeof details?.['limit'] === 'number' &&
      typeof details['retry_after'] === 'number' &&
      typeof details['window'] === 'string',
    limited,
    'details: limit, window, retry_after',
    'not all of them',
    '4.2, 7',
  );
  await probe.ask(list, simulated('status=500'), { status: 500, code: 'INTERNAL_ERROR' });
  await probe.ask(list, simulated('status=503'), { status: 503, code: 'SERVER_BUSY' });
  await probe.ask(list, simulated('token=expired'), { status: 401, code: 'UNAUTHORIZED' });
  await probe.ask(list, simulated('nothing=known'), { status: 400, code: 'VALIDATION_FAILED' });
  const { cancel, result } = jobs.endpoints;
  const slow = await probe.ask(
    generate,
    { body: { text: dictatedText, mode: 'async' }, ...simulated('job=slow:60000') },
    { status: 202 },
  );
  const id = slow.data['id'];
  if (typeof id !== 'string') return;
  await probe.ask(result, { params: { id } }, { status: 409, code: 'JOB_NOT_FINISHED' });
  const over = await probe.ask(cancel, { params: { id } }, { status: 200 });
  probe.expect(
    over.data['status'] === 'cancelled',
    over,
    'status: cancelled',
    String(over.data['status']).slice(0, 40),
    '3.1, 4.4',
  );
}

/** Macros and vocabulary: created, read, updated by version, deleted. */
export async function wordbooks({ probe, has, uuid, cleanUp }: FlowContext): Promise<void> {
  const name = `check ${uuid().slice(0, 8)}`;
  for (const [group, body, change] of [
    [macros.endpoints, { name, text: 'Lungs clear.' }, { text: 'Lungs free.' }],
    [vocabulary.endpoints, { write: name }, { write: `${name} b` }],
  ] as const) {
    if (!has(group.create)) continue;
    const made = await probe.ask(group.create, { body, headers: { 'idempotency-key': uuid() } }, { status: 201 });
    const { id } = made.data;
    if (typeof id !== 'string') continue;
    const params = { id };
    cleanUp(() => probe.ask(group.delete, { params }, { status: [200, 404] }));
    await readOne(probe, group.get, id);
    await probe.ask(
      group.update,
      { params, body: { ...body, ...change }, headers: { 'if-match': '"999"' } },
      { status: 412, code: 'VERSION_CONFLICT' },
    );
    await probe.ask(group.update, { params, body: { ...body, ...change } }, { status: 200 });
    await probe.ask(group.delete, { params }, { status: 200 });
    await probe.ask(group.get, { params }, { status: 404, code: 'NOT_FOUND' });
  }
}
