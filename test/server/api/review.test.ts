/** What is to be looked at before a record is signed, who decided what, and where its words come from (extension). */
import { describe, expect, test } from 'vitest';
import type { MedicalRecord, Section } from '../../../src/contract/document.ts';
import { contract } from '../../../src/contract/index.ts';
import type { RecordUpdate } from '../../../src/contract/record.ts';
import { startApi, succeeded } from '../../support/api.ts';
import { wav } from '../../support/audio.ts';

const api = await startApi();
const { get, update, correct, versions, version } = contract.records.endpoints;
const { decide: decision, provenance, undo } = contract.reviews.endpoints;

const said =
  'Test Patient. Findings: nodule of six millimeters in the right upper lobe. No effusion. Impression: nodule in the right upper lobe.';
const generate = (text = said, more: object = {}) => api.generate({ text, language: 'en-US', ...more });
const put = (id: string, body: RecordUpdate) => api.call(update, { params: { id }, body });
const decide = (id: string, finding: string, status = 'dismissed') =>
  api.call(decision, { params: { id, finding }, body: { status } });
const replaced = (sections: readonly Section[], from: string, to: string): Section[] =>
  sections.map((section) => ({ ...section, text: section.text.replaceAll(from, to) }));
const open = ({ findings_to_review: all = [] }: MedicalRecord) =>
  all.filter(({ status, severity }) => status === 'open' && severity !== 'info');
const kinds = (record: MedicalRecord) => open(record).map(({ kind }) => kind);

/** A record whose impression names the other side than its findings: a warning. */
async function contradicting() {
  const { id, sections } = await generate();
  const changed = sections.map((section) =>
    section.key === 'impression' ? { ...section, text: section.text.replace('right', 'left') } : section,
  );
  const record = succeeded(await put(id, { sections: changed }));
  return { id, record, finding: open(record)[0]! };
}

describe('findings_to_review', () => {
  test('after generation: none where the document says what was said', async () => {
    expect(kinds(await generate())).toEqual([]);
  });

  test('after generation: what does not fit the exam, with its place, its words and what it rests on', async () => {
    const item = await api.exam({ modality: 'CT', exam_description: 'CT right knee' });
    const text = 'Test Patient. Findings: tear of the left meniscus. Impression: tear of the left meniscus.';
    const record = await generate(text, { worklist_item_id: item });
    const [finding] = open(record);
    expect(finding).toMatchObject({
      kind: 'side_differs_from_exam',
      severity: 'warning',
      evidence: [{ field: 'exam_description' }],
      status: 'open',
      by: null,
      at: null,
    });
    const section = record.sections.find(({ key }) => key === finding!.section)!;
    expect(section.text.slice(finding!.start, finding!.end)).toBe('left');
    expect(finding!.message).toContain('left');
  });

  test('after a job', async () => {
    const item = await api.exam({ modality: 'CT', exam_description: 'CT right knee' });
    const text = 'Test Patient. Findings: tear of the left meniscus.';
    const { id } = await api.enqueue({ text, language: 'en-US', worklist_item_id: item });
    const { record_id } = await api.ended(id);
    expect(kinds(succeeded(await api.call(get, { params: { id: record_id! } })))).toContain('side_differs_from_exam');
  });

  test('after PUT, in each version as it was', async () => {
    const { id, record } = await contradicting();
    expect(kinds(record)).toEqual(['side_differs_between_sections']);
    expect(succeeded(await api.call(version, { params: { id, n: 2 } }))).toEqual(record);
    expect(kinds(succeeded(await api.call(version, { params: { id, n: 1 } })))).toEqual([]);
  });

  test('after a correction, and resolved by the one that takes it back', async () => {
    const { id } = await generate();
    const wrong = await api.call(correct, {
      params: { id },
      body: { text: 'In the impression, replace right with left.' },
    });
    const found = succeeded(wrong).record;
    expect(kinds(found)).toEqual(['side_differs_between_sections']);
    api.clock.advance(1000);
    const right = await api.call(correct, {
      params: { id },
      body: { text: 'In the impression, replace left with right.' },
    });
    const mended = succeeded(right).record;
    expect(kinds(mended)).toEqual([]);
    expect(mended.findings_to_review).toMatchObject([
      { id: open(found)[0]!.id, status: 'resolved', by: 'Dra. Teste', at: mended.updated_at },
    ]);
  });

  test('a field of an autotext that is not filled in', async () => {
    const { id, sections } = await generate();
    const [first, ...rest] = sections as [Section, ...Section[]];
    const record = succeeded(await put(id, { sections: [{ ...first, text: 'Nodule of [__ mm].' }, ...rest] }));
    expect(open(record)).toContainEqual(
      expect.objectContaining({ kind: 'field_open', severity: 'warning', start: 10, end: 17 }),
    );
  });

  test('of a long document, which a thread reads, as of a short one; of one that is too long there are none', async () => {
    const { id, sections } = await generate();
    const withFiller = (length: number) =>
      replaced(sections, 'No effusion.', `No effusion.${' Lungs are clear.'.repeat(length)}`).map((section) =>
        section.key === 'impression' ? { ...section, text: section.text.replace('right', 'left') } : section,
      );
    const long = succeeded(await put(id, { sections: withFiller(1000) }));
    expect(kinds(long)).toContain('side_differs_between_sections');
    const tooLong = succeeded(await put(id, { sections: withFiller(15_000) }));
    expect(tooLong).not.toHaveProperty('findings_to_review');
  });
});

describe('PUT …/findings/{finding}', () => {
  test('dismisses: who and when are kept, in later versions too, until the words are others', async () => {
    const { id, record, finding } = await contradicting();
    api.clock.advance(1000);
    const { data, headers } = await decide(id, finding.id);
    expect(headers.etag).toBe('"2"');
    expect(data).toEqual({
      ...record,
      findings_to_review: record.findings_to_review!.map((each) =>
        each.id === finding.id
          ? { ...each, status: 'dismissed', by: 'Dra. Teste', at: new Date(api.clock.now()).toISOString() }
          : each,
      ),
    });
    expect(succeeded(await api.call(get, { params: { id } }))).toEqual(data);
    expect(succeeded(await api.call(version, { params: { id, n: 2 } }))).toEqual(data);
    const later = succeeded(await put(id, { sections: replaced(data.sections, 'No effusion', 'No pleural effusion') }));
    expect(later.findings_to_review!.find((each) => each.id === finding.id)).toMatchObject({ status: 'dismissed' });
    // Gone, and back again: the decision was about these words.
    await put(id, { sections: replaced(later.sections, 'left', 'right') });
    const back = succeeded(await put(id, { sections: later.sections }));
    expect(back.findings_to_review!.find((each) => each.id === finding.id)).toMatchObject({ status: 'dismissed' });
  });

  test('opens again, and says the same twice', async () => {
    const { id, record, finding } = await contradicting();
    await decide(id, finding.id);
    await decide(id, finding.id);
    expect(succeeded(await decide(id, finding.id, 'open'))).toEqual(record);
  });

  test('one that is not there is a 404; one that was resolved, or is of a signed record, a 409', async () => {
    const { id, record, finding } = await contradicting();
    expect((await decide(id, 'f_0')).status).toBe(404);
    expect((await decide('rec_unknown', finding.id)).status).toBe(404);
    await put(id, { sections: replaced(record.sections, 'left', 'right') });
    expect(await decide(id, finding.id)).toMatchObject({ status: 409, error: { details: { status: 'resolved' } } });
    await put(id, { sections: record.sections, status: 'final' });
    expect(await decide(id, finding.id)).toMatchObject({ status: 409, error: { details: { status: 'final' } } });
  });

  test('needs medical_records:write', async () => {
    const { access_token: token } = await api.tokens({ scopes: ['medical_records:read'] });
    const ask = { params: { id: 'rec_any', finding: 'f_0' }, body: { status: 'dismissed' }, token };
    expect((await api.call(decision, ask)).status).toBe(403);
  });
});

describe('signing', () => {
  const sign = (id: string, more: RecordUpdate = {}) => put(id, { status: 'final', require_resolved: true, ...more });
  const newest = async (id: string) => succeeded(await api.call(versions, { params: { id } })).items[0]!;

  test('nothing open: signed', async () => {
    const { id } = await generate();
    expect(succeeded(await sign(id))).toMatchObject({ status: 'final', version: 2 });
    expect(await newest(id)).toMatchObject({ change: 'signed', open_findings: [] });
  });

  test('a warning is open: 409 that names it and none of its words, and nothing changes', async () => {
    const { id, record, finding } = await contradicting();
    const answer = await sign(id);
    expect(answer).toMatchObject({ status: 409, error: { code: 'OPEN_FINDINGS' } });
    const { kind, severity, section, start, end } = finding;
    expect(answer.error.details['open']).toEqual([{ id: finding.id, kind, severity, section, start, end }]);
    expect(answer.text).not.toContain('lobe');
    expect(succeeded(await api.call(get, { params: { id } }))).toEqual(record);
  });

  test('acknowledged: signed, and the version keeps what and by whom', async () => {
    const { id, finding } = await contradicting();
    expect((await sign(id, { acknowledged: ['f_0'] })).status).toBe(409);
    const record = succeeded(await sign(id, { acknowledged: [finding.id] }));
    expect(record.findings_to_review!.filter(({ severity }) => severity === 'warning')).toMatchObject([
      { id: finding.id, status: 'dismissed', by: 'Dra. Teste', at: record.updated_at },
    ]);
    const { kind, section } = finding;
    expect(await newest(id)).toMatchObject({
      change: 'signed',
      who: 'Dra. Teste',
      open_findings: [{ id: finding.id, kind, section, acknowledged: true }],
    });
  });

  test('dismissed before: signed', async () => {
    const { id, finding } = await contradicting();
    await decide(id, finding.id);
    expect((await sign(id)).status).toBe(200);
  });

  test('words and signature in one request: the words that are signed count', async () => {
    const { id, record } = await contradicting();
    const right = replaced(record.sections, 'left', 'right');
    const { id: other } = await generate();
    expect((await sign(other, { sections: record.sections })).status).toBe(409);
    expect((await sign(id, { sections: right })).status).toBe(200);
  });

  test('a caller who knows only the specification signs, and the version keeps what was open', async () => {
    const { id, finding } = await contradicting();
    const record = succeeded(await put(id, { status: 'final' }));
    expect(open(record).map((each) => each.id)).toEqual([finding.id]);
    expect(await newest(id)).toMatchObject({ open_findings: [{ id: finding.id, acknowledged: false }] });
  });

  describe('with an open field', () => {
    /** A record with a field, and a warning besides. */
    async function withField() {
      const { id, record, finding } = await contradicting();
      const sections = replaced(record.sections, 'No effusion.', 'Effusion of [__ mL].');
      const found = open(succeeded(await put(id, { sections })));
      return { id, sections, warning: finding, field: found.find(({ kind }) => kind === 'field_open')! };
    }

    test('signing is refused, whatever is acknowledged, until it is filled in', async () => {
      const { id, sections, warning, field } = await withField();
      const asked = await sign(id, { acknowledged: [warning.id, field.id] });
      expect(asked).toMatchObject({ status: 409, error: { code: 'OPEN_FINDINGS' } });
      expect(asked.error.message).toContain('1 field');
      const { section, start, end } = field;
      expect(asked.error.details['open']).toEqual([
        { id: field.id, kind: 'field_open', severity: 'warning', section, start, end },
      ]);
      const filled = { sections: replaced(sections, '[__ mL]', '5 mL'), acknowledged: [warning.id] };
      expect((await sign(id, filled)).status).toBe(200);
    });

    test('it cannot be dismissed', async () => {
      const { id, field } = await withField();
      expect(await decide(id, field.id)).toMatchObject({
        status: 409,
        error: { code: 'OPEN_FINDINGS', details: { open: [{ id: field.id }] } },
      });
      expect((await decide(id, field.id, 'open')).status).toBe(200);
    });

    test('a caller who knows only the specification signs, and the version keeps the field', async () => {
      const { id, warning, field } = await withField();
      succeeded(await put(id, { status: 'final', acknowledged: [warning.id, field.id] }));
      expect((await newest(id)).open_findings).toMatchObject([
        { id: field.id, kind: 'field_open', acknowledged: false },
        { id: warning.id, acknowledged: true },
      ]);
    });

    test('in a text too long to be checked: asks as well', async () => {
      const { id, sections } = await generate();
      const long = replaced(sections, 'No effusion.', `No effusion.${' Lungs are clear.'.repeat(15_000)} [__ mm]`);
      expect((await sign(id, { sections: long })).error.details['open']).toMatchObject([{ kind: 'field_open' }]);
      expect((await sign(id, { sections: replaced(long, '[__ mm]', '5 mm') })).status).toBe(200);
    });

    test('behind more warnings than are kept: asks as well', async () => {
      const { id, sections } = await generate();
      const many = `${'Nodule in the right lobe. Nodule in the left lobe. '.repeat(150)} Cyst of [__ mm].`;
      const text = sections.map((section) => (section.key === 'findings' ? { ...section, text: many } : section));
      const { error } = await sign(id, { sections: text });
      expect(error.details['open']).toContainEqual(expect.objectContaining({ kind: 'field_open' }));
    });
  });
});

describe('GET …/{id}/provenance', () => {
  const read = async (id: string, query = {}) => succeeded(await api.call(provenance, { params: { id }, query }));
  /** Each run with its words, and the words that were heard for them. */
  const told = (record: MedicalRecord, { words }: Awaited<ReturnType<typeof read>>) =>
    words.map(({ section, start, end, origin, heard, by }) => ({
      origin,
      words: record.sections.find(({ key }) => key === section)!.text.slice(start, end),
      heard: heard && record.transcript!.slice(heard.start, heard.end),
      ...(by !== undefined && { by }),
    }));

  test('gives the origin of each word written, and the use of each word heard', async () => {
    const item = await api.exam({ modality: 'CT', exam_description: 'CT chest' });
    const record = await generate(said, { worklist_item_id: item });
    const found = await read(record.id);
    expect(found).toMatchObject({ id: record.id, version: 1 });
    const runs = told(record, found);
    expect(runs).toContainEqual({ origin: 'converted', words: '6', heard: 'six' });
    expect(runs.find(({ origin }) => origin === 'exam')?.words).toContain('CT chest');
    expect(found.operations).toContainEqual(
      expect.objectContaining({ step: 'numbers', before: 'six millimeters', after: '6 mm' }),
    );
    const words = (from: readonly { start: number; end: number }[]) =>
      from.map(({ start, end }) => said.slice(start, end)).join('');
    expect(words(found.heard).replace(/\W/g, '')).toBe(said.replace(/\W/g, ''));
  });

  test('an edit changes the origin of its words alone, and says whose they are', async () => {
    const before = await generate();
    const record = succeeded(await put(before.id, { sections: replaced(before.sections, 'upper', 'lower') }));
    const runs = told(record, await read(before.id));
    expect(runs.filter(({ origin }) => origin === 'edited')).toEqual([
      { origin: 'edited', words: 'lower', heard: null, by: 'Dra. Teste' },
      { origin: 'edited', words: 'lower', heard: null, by: 'Dra. Teste' },
    ]);
    expect(runs).toContainEqual({ origin: 'converted', words: '6', heard: 'six' });
    expect((await read(before.id, { version: 1 })).words.some(({ origin }) => origin === 'edited')).toBe(false);
  });

  test('a correction does so too, and what is taken back has its origin again', async () => {
    const { id } = await generate();
    const first = await read(id);
    const say = (text: string) => api.call(correct, { params: { id }, body: { text } });
    const { record } = succeeded(await say('In the impression, replace right with left.'));
    expect(told(record, await read(id)).filter(({ origin }) => origin === 'edited')).toMatchObject([{ words: 'left' }]);
    succeeded(await say('undo'));
    expect(await read(id)).toEqual({ ...first, version: 3 });
  });

  test('a signature and a title leave it as it is', async () => {
    const { id } = await generate();
    const { words } = await read(id);
    await put(id, { title: 'Another' });
    await put(id, { status: 'final' });
    expect(await read(id)).toMatchObject({ version: 3, words });
  });

  test('gives the time of each word, in every version, and none for typed text', async () => {
    const audio = { content_type: 'audio/wav', data: wav({ seconds: 3 }).toString('base64') } as const;
    const record = await api.generate({ audio, language: 'en-US' });
    const { heard_words: words = [] } = await read(record.id);
    expect(words.map(({ start, end }) => record.transcript!.slice(start, end)).slice(0, 2)).toEqual([
      'Simulated',
      'transcript',
    ]);
    expect(words.at(-1)!.to).toBe(3);
    const { sections } = record;
    await put(record.id, { sections: sections.map((each, at) => (at === 0 ? { ...each, text: 'Other.' } : each)) });
    expect((await read(record.id)).heard_words).toEqual(words);
    expect((await read(record.id, { version: 1 })).heard_words).toEqual(words);
    expect(await read((await generate()).id)).not.toHaveProperty('heard_words');
  });

  test('an unknown record or version is a 404', async () => {
    const { id } = await generate();
    expect((await api.call(provenance, { params: { id: 'rec_unknown' } })).status).toBe(404);
    expect((await api.call(provenance, { params: { id }, query: { version: 2 } })).status).toBe(404);
  });
});

describe('POST …/{id}/undo', () => {
  const read = async (id: string) => succeeded(await api.call(provenance, { params: { id }, query: {} }));
  const takeBack = async (id: string, operation: string, more: object = {}) =>
    api.call(undo, { params: { id }, body: { operation }, ...more });
  const numberOf = async (id: string) =>
    (await read(id)).operations.find(({ before }) => before === 'six millimeters')!.id;
  const findings = ({ sections }: MedicalRecord) => sections.find(({ key }) => key === 'findings')!.text;

  test('restores the words as spoken, in a separate version', async () => {
    const { id } = await generate();
    const operation = await numberOf(id);
    const record = succeeded(await takeBack(id, operation));
    expect(findings(record)).toBe('Nodule of six millimeters in the right upper lobe. No effusion.');
    expect(record.version).toBe(2);
    expect(kinds(record)).toEqual([]);
    const { version: n, words, operations } = await read(id);
    expect(n).toBe(2);
    expect(operations.map((each) => each.id)).not.toContain(operation);
    expect(words.filter(({ section, origin }) => section === 'findings' && origin !== 'said')).toEqual([]);
    expect((await takeBack(id, operation)).status).toBe(404);
  });

  test('also in a later version, next to edits of others, and in a restored one', async () => {
    const { id, sections } = await generate();
    const operation = await numberOf(id);
    succeeded(await put(id, { sections: replaced(sections, 'No effusion', 'No pleural effusion') }));
    expect(findings(succeeded(await takeBack(id, operation)))).toBe(
      'Nodule of six millimeters in the right upper lobe. No pleural effusion.',
    );
    succeeded(await put(id, { sections }));
    expect(findings(succeeded(await takeBack(id, operation)))).toContain('six millimeters');
  });

  test('words that were edited since, commands and signed records stay', async () => {
    const { id, sections } = await generate();
    const operation = await numberOf(id);
    const { operations } = await read(id);
    const command = operations.find(({ step }) => step === 'sections')!;
    expect(await takeBack(id, command.id)).toMatchObject({
      status: 409,
      error: { code: 'INVALID_TRANSITION', details: { reason: 'wordless' } },
    });
    succeeded(await put(id, { sections: replaced(sections, '6 mm', '7 mm') }));
    expect(await takeBack(id, operation)).toMatchObject({
      status: 409,
      error: { code: 'INVALID_TRANSITION', details: { reason: 'changed' } },
    });
    succeeded(await put(id, { sections }));
    succeeded(await put(id, { status: 'final' }));
    expect((await takeBack(id, operation)).status).toBe(409);
    expect((await takeBack('rec_unknown', operation)).status).toBe(404);
  });
});

test('words that a restore brings back come from where they came from', async () => {
  const { id, sections } = await generate();
  const read = async () => (await succeeded(await api.call(provenance, { params: { id }, query: {} }))).words;
  const first = await read();
  const edited = replaced(replaced(sections, 'Nodule of', 'Mass of'), '6 mm', '7 cm');
  succeeded(await put(id, { sections: edited }));
  succeeded(await put(id, { sections: replaced(edited, 'effusion', 'fluid') }));
  expect((await read()).map(({ origin }) => origin)).toContain('edited');
  // One section as it was, and the other one edited.
  const [mine, other] = ['findings', 'impression'];
  const mixed = sections.map((section) =>
    section.key === other ? { ...section, text: `${section.text} Follow-up.` } : section,
  );
  succeeded(await put(id, { sections: mixed }));
  const now = await read();
  expect(now.filter(({ section }) => section === mine)).toEqual(first.filter(({ section }) => section === mine));
  expect(now.filter(({ origin }) => origin === 'edited')).toHaveLength(1);
  succeeded(await put(id, { sections }));
  expect(await read()).toEqual(first);
});
