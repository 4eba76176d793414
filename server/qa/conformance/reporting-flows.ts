/** Flows around a report, all extensions: assigning its exam, its priors, its signature and its critical results. */
import { contract } from '../../../src/contract/index.ts';
import { itemsOf, readOne } from './flow.ts';
import type { FlowContext } from './flow.ts';
import { checkCounts, dictatedText, buildExam, ingestExam } from './writing-flows.ts';

const { worklists, records, priors, signatures, criticalResults } = contract;

/** An exam is assigned to a colleague, and shows imported reports of its patient. */
export async function examAndPriors(context: FlowContext): Promise<void> {
  const { probe, has, uuid, cleanUp } = context;
  if (!has(priors.endpoints.import)) return;
  const name = `CHECK-${uuid().slice(0, 8)}`;
  const patient = { patient_id: name, patient_birth_date: '1980-02-03' };
  const id = await ingestExam(context, buildExam(`${name}-1`, patient));
  if (id === undefined) return;
  await assignExam(context, id);

  const { import: importAll, list, get, versions, ofItem, delete: remove } = priors.endpoints;
  const report = {
    ...patient,
    patient_name: 'Test Patient',
    report_id: name,
    exam_datetime: '2024-01-13T09:10:00-03:00',
    exam_description: 'Contract check',
    text: 'Findings: nodule of 4 mm.',
  };
  const system = { 'x-source-system': 'contract-check' };
  const first = await probe.ask(importAll, { body: { items: [report] }, headers: system }, { status: 200 });
  checkCounts(probe, first, { inserted: 1, errors: 0 });
  const prior = itemsOf(first)[0]?.['id'];
  if (prior === undefined) return;
  const params = { id: prior };
  cleanUp(() => probe.ask(remove, { params }, { status: [200, 404] }));
  checkCounts(probe, await probe.ask(importAll, { body: [report], headers: system }, { status: 200 }), { deduped: 1 });
  const corrected = { ...report, status: 'corrected', text: 'Findings: nodule of 5 mm.' };
  const both = [corrected, { ...report, report_id: `${name}-x`, text: '' }];
  const mixed = await probe.ask(importAll, { body: { items: both }, headers: system }, { status: 200 });
  checkCounts(probe, mixed, { updated: 1, errors: 1 });
  const real = { ...report, patient_name: 'Somebody Else' };
  await probe.ask(importAll, { body: [real], headers: system }, { status: 400, code: 'VALIDATION_FAILED' });

  await readOne(probe, get, String(prior));
  const earlier = await probe.ask(versions, { params }, { status: 200 });
  probe.expect(
    itemsOf(earlier).length === 1,
    earlier,
    'the version before the correction',
    `${itemsOf(earlier).length}`,
  );
  const listed = await probe.ask(list, { query: { source_system: 'contract-check', limit: 5 } }, { status: 200 });
  probe.expect(
    itemsOf(listed).some((each) => each['id'] === prior),
    listed,
    'the report in the list',
    'not there',
  );
  const shown = await probe.ask(ofItem, { params: { id } }, { status: 200 });
  const [own] = itemsOf(shown).filter((each) => each['id'] === prior);
  probe.expect(own?.['status'] === 'corrected', shown, 'the report as it was corrected', String(own?.['status']));
  await probe.ask(remove, { params }, { status: 200 });
  await probe.ask(get, { params }, { status: 404, code: 'NOT_FOUND' });
}

async function assignExam({ probe, has }: FlowContext, id: unknown): Promise<void> {
  const { assign, colleagues, list } = worklists.endpoints;
  if (!has(assign)) return;
  const to = itemsOf(await probe.ask(colleagues, {}, { status: 200 }))[0]?.['id'];
  if (to === undefined) return;
  const given = await probe.ask(assign, { params: { id }, body: { to, reason: 'Check' } }, { status: 200 });
  probe.expect(
    given.data['status'] === 'in_progress' && typeof given.data['assigned_by'] === 'string',
    given,
    'in_progress, with who gave it',
    String(given.data['status']),
  );
  await probe.ask(assign, { params: { id }, body: {} }, { status: 400, code: 'VALIDATION_FAILED' });
  // Multiple values of a filter are alternatives.
  for (const [status, isThere] of [
    ['new,in_progress', true],
    ['new,cancelled', false],
  ] as const) {
    const query = { status, modality: 'CT,MR', priority: 'ROUTINE', q: String(given.data['accession_number']) };
    const found = await probe.ask(list, { query }, { status: 200 });
    const has = itemsOf(found).some((each) => each['id'] === id);
    probe.expect(has === isThere, found, isThere ? 'the exam in the list' : 'not this exam', String(has));
  }
}

/** A draft, which the check removes at its end. */
async function createDraft({ probe, cleanUp }: FlowContext, text: string): Promise<Readonly<Record<string, unknown>>> {
  const body = { text, mode: 'sync', template_id: 'test_template_general', language: 'en-US' };
  const { data } = await probe.ask(records.endpoints.generate, { body }, { status: 201 });
  const params = { id: data['id'] };
  if (params.id !== undefined) cleanUp(() => probe.ask(records.endpoints.delete, { params }, { status: [200, 404] }));
  return data;
}

/** A signature is taken back within its grace period, which leaves the document unchanged. */
export async function signature(context: FlowContext): Promise<void> {
  const { probe, has } = context;
  const { takeBack } = signatures.endpoints;
  if (!has(takeBack)) return;
  const { update, get, versions } = records.endpoints;
  const { id } = await createDraft(context, dictatedText);
  if (id === undefined) return;
  const params = { id };
  const sign = { status: 'final', grace_seconds: 600 };
  const begun = await probe.ask(update, { params, body: sign }, { status: 200 });
  probe.expect(
    begun.data['status'] === 'draft' && begun.data['signing'] !== undefined,
    begun,
    'a draft with `signing`',
    String(begun.data['status']),
  );
  const again = await probe.ask(update, { params, body: sign }, { status: 200 });
  probe.expect(
    again.headers['etag'] === begun.headers['etag'],
    again,
    'the same signature for the same request',
    'another version',
  );
  await probe.ask(update, { params, body: { title: 'Other' } }, { status: 409, code: 'INVALID_TRANSITION' });
  for (const _ of [1, 2]) {
    const back = await probe.ask(takeBack, { params }, { status: 200 });
    probe.expect(back.data['signing'] === undefined, back, 'no `signing`', '`signing`');
  }
  const read = await probe.ask(get, { params }, { status: 200 });
  probe.expect(read.data['status'] === 'draft', read, 'a draft', String(read.data['status']));
  const all = await probe.ask(versions, { params }, { status: 200 });
  probe.expect(itemsOf(all).length === 1, all, 'no version of a signature that was taken back', 'one');
  await probe.ask(update, { params, body: { grace_seconds: 5 } }, { status: 400, code: 'VALIDATION_FAILED' });
  await probe.ask(
    update,
    { params, body: { ...sign, grace_seconds: 601 } },
    { status: 400, code: 'VALIDATION_FAILED' },
  );
  // A test client is not a resident.
  const refused = await probe.ask(
    update,
    { params, body: { status: 'preliminary' } },
    { status: 403, code: 'FORBIDDEN' },
  );
  const { details } = Object((Object(refused.body) as { error?: unknown }).error) as {
    details?: { allowed?: unknown };
  };
  probe.expect(
    String(details?.allowed) === 'final',
    refused,
    'details.allowed: final',
    String(details?.allowed).slice(0, 60),
  );
  await probe.ask(
    update,
    { params, body: { status: 'draft', note: 'Check' } },
    { status: 400, code: 'VALIDATION_FAILED' },
  );
}

/** A critical result is open, told, taken back, and dismissed; words are marked. */
export async function critical(context: FlowContext): Promise<void> {
  const { probe, has } = context;
  const { mark, decide } = criticalResults.endpoints;
  if (!has(decide)) return;
  const { list, get } = records.endpoints;
  const { id } = await createDraft(context, 'Test Patient. Findings: free air. Impression: Tension pneumothorax.');
  if (id === undefined) return;
  const resultsOf = (data: Readonly<Record<string, unknown>>) =>
    (Array.isArray(data['critical_results']) ? data['critical_results'] : []) as {
      id: string;
      status: string;
      words: string;
    }[];
  const body = { section: 'impression', words: 'Tension pneumothorax' };
  const marked = await probe.ask(mark, { params: { id }, body }, { status: 200 });
  const result = resultsOf(marked.data).find(({ words, status }) => words === body.words && status === 'open');
  probe.expect(result !== undefined, marked, 'an open critical result with the words', 'none');
  await probe.ask(
    mark,
    { params: { id }, body: { ...body, words: 'not there' } },
    { status: 400, code: 'VALIDATION_FAILED' },
  );
  if (!result) return;
  const params = { id, result: result.id };
  const isOpen = async () => {
    const open = await probe.ask(list, { query: { critical: 'open', limit: 5 } }, { status: 200 });
    return [open, itemsOf(open).some((each) => each['id'] === id)] as const;
  };
  const [waiting, isListed] = await isOpen();
  probe.expect(isListed, waiting, 'the record among those with an open result', 'not there');
  await probe.ask(decide, { params, body: { status: 'told' } }, { status: 400, code: 'VALIDATION_FAILED' });
  const communication = { to: 'Dr. Check', way: 'phone', read_back: true };
  const others = resultsOf(marked.data).filter((each) => each.id !== result.id && each.status === 'open');
  for (const each of others) {
    const dismissal = { status: 'dismissed', reason: 'Contract check' };
    await probe.ask(decide, { params: { id, result: each.id }, body: dismissal }, { status: 200 });
  }
  const communicated = await probe.ask(decide, { params, body: { status: 'told', communication } }, { status: 200 });
  probe.expect(
    communicated.data['version'] === Number(marked.data['version']) + 1 &&
      String(communicated.data['text']).includes('Dr. Check'),
    communicated,
    'the next version, with the communication in `text`',
    `version ${String(communicated.data['version'])}`,
  );
  const [after, isStillListed] = await isOpen();
  probe.expect(!isStillListed, after, 'the record no more among those with an open result', 'there');
  const stale = { 'if-match': '"999"' };
  await probe.ask(
    decide,
    { params, body: { status: 'open' }, headers: stale },
    { status: 412, code: 'VERSION_CONFLICT' },
  );
  await probe.ask(decide, { params, body: { status: 'open' } }, { status: 200 });
  const read = await probe.ask(get, { params: { id } }, { status: 200 });
  probe.expect(!String(read.data['text']).includes('Dr. Check'), read, 'no communication in `text`', 'one');
}
