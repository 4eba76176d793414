import { expect, test } from 'vitest';
import { orderPriors } from '../../../src/reporting/priors/relevance.ts';

const prior = (modality: string | null, exam_description: string, year: number) => ({
  modality,
  exam_description,
  exam_datetime: `${year}-03-02T08:00:00-03:00`,
});

test('priors of the same part of the body come first, whatever their language; then the modality, then the date', () => {
  const knee = prior('MR', 'RM de joelho direito', 2026);
  const oldChest = prior('CT', 'TC de tórax sem contraste', 2019);
  const chest = prior('CT', 'CT chest with contrast', 2024);
  const film = prior('CR', 'Radiografía de tórax', 2025);
  const head = prior('CT', 'TC de crânio', 2020);
  const unknown = prior(null, 'Exame', 2025);
  const all = [knee, oldChest, unknown, film, head, chest];
  expect(orderPriors(prior('CT', 'Angiotomografia de tórax', 2026), all)).toEqual({
    items: [chest, oldChest, film, head, knee, unknown],
    related: 3,
  });
  // Nothing is known of the exam: by date.
  expect(orderPriors(undefined, all)).toEqual({ items: [knee, unknown, film, chest, head, oldChest], related: 0 });
});
