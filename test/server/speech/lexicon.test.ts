/** Misheard words of a dictation: corrected where one medical term is near, else asked about. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { createWorkers } from '../../../server/runtime/workers/workers.ts';
import type { Workers } from '../../../server/runtime/workers/workers.ts';
import { contract } from '../../../src/contract/index.ts';
import { languages } from '../../../src/contract/shared.ts';
import type { Language } from '../../../src/contract/shared.ts';
import { openDictionary } from '../../../server/speech/lexicon/dictionary.ts';
import { findUnknown } from '../../../server/speech/lexicon/find-unknown.ts';
import { createLexicon } from '../../../server/speech/lexicon/lexicon.ts';
import { listTerms, readTerms } from '../../../server/speech/lexicon/medical-terms.ts';
import { splitSentences } from '../../../src/reporting/words/sentences.ts';
import { tokenise } from '../../../src/reporting/words/token.ts';
import { readDocuments } from '../../documents/cases.ts';
import { startApi, succeeded } from '../../support/api.ts';

const open = async (language: Language) => ({
  language,
  dictionary: await openDictionary(language),
  terms: readTerms(language),
});

describe.each(languages)('in %s', (language) => {
  const opened = open(language);

  /** Each misheard text with what it becomes; `?` before words: they are asked about. Empty: it stays. */
  const rows: Readonly<Record<Language, readonly (readonly [heard: string, wanted: string])[]>> = {
    'pt-BR': [
      ['epatocolédoco dilatado', 'hepatocolédoco dilatado'],
      ['vesícula bilhar normal', 'vesícula biliar normal'],
      ['pneu motórax à direita', 'pneumotórax à direita'],
      ['hematoma subtural agudo', 'hematoma subdural agudo'],
      ['adelectasias laminares', 'atelectasias laminares'],
      ['osteófitus marginais', 'osteófitos marginais'],
      ['imagem agoda no rim', 'imagem ?agoda no rim'],
      ['de go esquerdo, de 6 mm', 'de ?go esquerdo, de 6 mm'],
      [
        'cisto no Inesquerto, de 7 mm, e exame de Wolkowitz de 2020',
        'cisto no ?Inesquerto, de 7 mm, e exame de Wolkowitz de 2020',
      ],
      ['pé direito, lobo médio direito e panturrilha direita, mais à esquerda', ''],
      ['comunicado ao doutor Kowalczyk', 'comunicado ao doutor Kowalczyk'],
      ['em direitos sem dilatação', '?em direitos sem dilatação'],
      [
        'massa para vertebral, drenagem para canal e encaminhado para biópsia',
        'massa paravertebral, drenagem para canal e encaminhado para biópsia',
      ],
      ['vesícula abilhasse em cálculos', 'vesícula ?abilhasse em cálculos'],
      ['hematoma à gudo', 'hematoma à ?gudo'],
      ['fratura do rádio de está ao esquerdo', 'fratura do rádio de está ?ao esquerdo'],
      ['rim direito semelhante ao esquerdo, como se houvesse contraste, com desgaste', ''],
    ],
    'en-US': [
      ['large numothorax on the left', 'large pneumothorax on the left'],
      ['sub dural hematoma', 'subdural hematoma'],
      ['brankiectasis in the middle lobe', 'bronchiectasis in the middle lobe'],
      ['no pleural efusion', 'no pleural effusion'],
      ['findings discussed with Dr. Kowalczyk', 'findings discussed with Dr. Kowalczyk'],
      ['a zorbiculated margin', 'a ?zorbiculated margin'],
      [
        'a 7 mm stone in the right to stall your order, period',
        'a 7 mm stone in the ?right to stall your order, period',
      ],
      ['a stone in the right to stale ureter', 'a stone in the ?right to stale ureter'],
      ['small left plural world of fusion', 'small ?left plural world of fusion'],
      [
        'opacity in the right lower low, seen in the right lower lobe',
        'opacity in the ?right lower low, seen in the right lower lobe',
      ],
      ['a stone on the right just below the rib, left thumb not seen here', ''],
    ],
    'es-ES': [
      ['vesícula viliar distendida', 'vesícula biliar distendida'],
      ['neumo tórax derecho', 'neumotórax derecho'],
      ['nódulo ipoecoico', 'nódulo hipoecoico'],
      ['hematoma suvdural', 'hematoma subdural'],
      ['imagen zorbiculada', 'imagen ?zorbiculada'],
      ['nódulo en el óbulo derecho', 'nódulo en el ?óbulo derecho'],
      ['lesión hepática y determinada, y completa', 'lesión hepática ?y determinada, y completa'],
      ['nódulo en el óbulo inferior derecho', 'nódulo en el ?óbulo inferior derecho'],
      ['nódulo en el lóbulo inferior derecho y en el superior izquierdo, similar al derecho', ''],
      ['hernia para medial, estenosis para central', 'hernia ?para medial, estenosis paracentral'],
      ['nódulo de 2 milímetros derecho, convexidad izquierda y hacia la derecha', ''],
    ],
  };
  test.each(rows[language])('%s → %s', async (heard, wanted) => {
    const found = findUnknown(heard, await opened);
    const written = found.toReversed().reduce((text, { start, end, term }) => {
      return text.slice(0, start) + (term ?? `?${text.slice(start, end)}`) + text.slice(end);
    }, heard);
    expect(written).toBe(wanted || heard);
  });

  test('asks without suggestions when it is late, and corrects only what sounds the same', async () => {
    const context = await opened;
    const dictionary = { ...context.dictionary, suggest: () => expect.unreachable() };
    const found = rows[language].flatMap(([heard]) =>
      findUnknown(heard, { ...context, dictionary, isLate: () => true }),
    );
    expect(found.length).toBeGreaterThanOrEqual(3);
    expect(found.some(({ near }) => near)).toBe(true);
  });

  test('leaves a text of another language to the check of languages', async () => {
    const other = language === 'en-US' ? 'es-ES' : 'en-US';
    const { checks } = await readDocuments(other);
    const text = checks
      .slice(0, 20)
      .flatMap(({ sections }) => Object.values(sections))
      .join(' ');
    expect(findUnknown(text, await opened)).toEqual([]);
  });

  test('has at least 1,500 terms, and leaves the right sentences of all sets as they are', async () => {
    expect(listTerms(language).length).toBeGreaterThanOrEqual(1500);
    const { dictations, checks, instructions } = await readDocuments(language);
    const reports = [...checks, ...instructions].flatMap(({ sections }) => Object.values(sections));
    const written = dictations.flatMap(({ written: text = [], sections = {} }) =>
      [text, ...Object.values(sections)].flat(),
    );
    const texts = [...new Set([...reports, ...written])];
    const context = await opened;
    const changed = texts.flatMap((text) => findUnknown(text, context).map(({ start, end }) => text.slice(start, end)));
    const sentences = texts.reduce((sum, text) => sum + splitSentences(tokenise(text)).length, 0);
    expect(sentences).toBeGreaterThan(1000);
    expect(changed.length / sentences, changed.join(', ')).toBeLessThanOrEqual(0.01);
  });
});

test('a dictation goes on without a dictionary that takes too long, and the log says so', async () => {
  const workers = createWorkers();
  const hurried: Workers = {
    ...workers,
    run: (task, input, options) => workers.run(task, input, { ...options, limitMs: 0 }),
  };
  const log: unknown[] = [];
  const lexicon = createLexicon(hurried, (entry) => log.push(entry));
  onTestFinished(() => lexicon.close());
  const asker = { account: 'a', signal: new AbortController().signal };
  expect(await lexicon.findUnknown({ text: 'numothorax', language: 'en-US' }, asker)).toEqual([]);
  expect(log).toEqual([{ level: 'warn', event: 'lexicon_failed', reason: 'slow' }]);
});

describe('a dictation', async () => {
  const api = await startApi({ lexicon: true });
  const { update, get } = contract.records.endpoints;
  const { provenance, undo } = contract.reviews.endpoints;
  const heard = 'Test Patient. Findings: large numothorax, a zorbiculated margin. Impression: numothorax.';
  const generate = () => api.generate({ text: heard, language: 'en-US' });
  const textIn = (sections: readonly { key: string; text: string }[], key: string) =>
    sections.find((section) => section.key === key)?.text;

  test('is corrected, and its critical finding is seen; what is not known is asked about until it is mended', async () => {
    const { id, sections, findings_to_review: found = [] } = await generate();
    expect(textIn(sections, 'findings')).toBe('Large pneumothorax, a zorbiculated margin.');
    expect(found.map(({ kind }) => kind).toSorted()).toEqual(['critical_not_communicated', 'unknown_word']);
    const mended = sections.map((section) => ({
      ...section,
      text: section.text.replace('zorbiculated', 'spiculated'),
    }));
    const record = succeeded(await api.call(update, { params: { id }, body: { sections: mended } }));
    expect(record.findings_to_review).toContainEqual(
      expect.objectContaining({ kind: 'unknown_word', status: 'resolved' }),
    );
  });

  test('knows the words of its user', async () => {
    const term = { write: 'zorbiculated', for: [] };
    const { id } = succeeded(await api.call(contract.vocabulary.endpoints.create, { body: term }), 201);
    const { findings_to_review: found = [] } = await generate();
    succeeded(await api.call(contract.vocabulary.endpoints.delete, { params: { id } }));
    expect(found.map(({ kind }) => kind)).not.toContain('unknown_word');
  });

  test('has each correction as a conversion, which can be undone', async () => {
    const { id } = await generate();
    const { operations } = succeeded(await api.call(provenance, { params: { id } }));
    const [first] = operations.filter(({ rule }) => rule === 'medical');
    expect(first).toMatchObject({ step: 'vocabulary', before: 'numothorax', after: 'pneumothorax' });
    succeeded(await api.call(undo, { params: { id }, body: { operation: first!.id } }));
    expect(textIn(succeeded(await api.call(get, { params: { id } })).sections, 'findings')).toContain(
      'Large numothorax',
    );
  });
});
