/** The procedure codes of an exam, by which a department chooses its template. */
import { isOpen, ordersIn } from './orders.ts';

const codeFacts = ['procedure_code', 'procedure_alternate_code'] as const;

/** The codes of the exam and of its open orders, each once. */
export function listProcedureCodes({
  procedure_id: id,
  metadata,
}: {
  readonly procedure_id?: string | null;
  readonly metadata?: Readonly<Record<string, unknown>> | null;
}): string[] {
  const sources = [metadata ?? {}, ...(ordersIn(metadata) ?? []).filter(isOpen)];
  const codes = sources.flatMap((facts) => codeFacts.map((name) => (facts as Record<string, unknown>)[name]));
  return [...new Set([id, ...codes].filter((code): code is string => typeof code === 'string' && code !== ''))];
}
