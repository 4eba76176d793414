/** Facts of the order, and the prior to compare with, for the merge fields of a template. */
import type { Template } from '../../src/contract/template.ts';
import { parseInstant } from '../../src/domain/iso-time.ts';
import { orderPriors } from '../../src/reporting/priors/relevance.ts';
import { mergeFieldsIn } from '../../src/reporting/templates/merge-fields.ts';
import type { OrderFacts } from '../speech/writer-data.ts';
import type { Documents } from '../storage/collections.ts';
import type { Reader } from '../storage/store.ts';
import { findPriors } from '../worklists/priors/find-priors.ts';

type Item = Documents['items'];

/** Reads only what the template's texts have fields for. */
export async function findOrderFacts(reader: Reader, template: Template, item: Item | undefined): Promise<OrderFacts> {
  const fields = new Set(template.sections.flatMap(({ text = '' }) => mergeFieldsIn(text)));
  if (!item || fields.size === 0) return {};
  const indication = fields.has('indication') ? readIndication(item) : undefined;
  const comparison = fields.has('comparison') ? await findComparison(reader, item) : undefined;
  return { ...(indication !== undefined && { indication }), ...(comparison && { comparison }) };
}

/** The readers of orders keep it there. */
function readIndication({ metadata }: Item): string | undefined {
  const values = [metadata?.['indication'], metadata?.['clinical_info']];
  return values.find((value): value is string => typeof value === 'string' && value.trim() !== '')?.trim();
}

/** The most relevant earlier exam that shows a part of the body that the exam shows. */
async function findComparison(reader: Reader, item: Item): Promise<OrderFacts['comparison']> {
  const priors = (await findPriors(reader, item)).map(({ prior }) => prior);
  const time = parseInstant(item.exam_datetime);
  const earlier = priors.filter((prior) => parseInstant(prior.exam_datetime) < time);
  const {
    items: [best],
    related,
  } = orderPriors(item, earlier);
  if (!best || related === 0) return undefined;
  return { id: best.id, exam_datetime: best.exam_datetime, exam_description: best.exam_description };
}
