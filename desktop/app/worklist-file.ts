/** A worklist file that was dropped on the page: one item, an array, `{items: […]}`, or one item a line (NDJSON). */
import { AppError } from '../../src/contract/errors.ts';
import type { WorklistItemInput } from '../../src/contract/worklist.ts';

/** `name` only tells lines from a document. VALIDATION_FAILED where it is neither; values are the service's to check. */
export function readBatch(name: string, text: string): WorklistItemInput[] {
  const content = text.replace(/^\uFEFF/, '');
  const found = /\.(ndjson|jsonl)$/i.test(name) ? linesOf(content) : (documentOf(content) ?? linesOf(content));
  if (!found?.every((item) => typeof item === 'object' && item !== null && !Array.isArray(item))) {
    throw new AppError('VALIDATION_FAILED', {
      message: 'This file is not a worklist.',
      hint: 'Drop a JSON file with one exam, a list of exams, {"items": […]}, or one exam a line.',
    });
  }
  return found as WorklistItemInput[];
}

function documentOf(text: string): unknown[] | undefined {
  const value = parsed(text);
  if (value === undefined || Array.isArray(value)) return value;
  const { items } = Object(value) as { items?: unknown };
  return Array.isArray(items) ? items : [value];
}

function linesOf(text: string): unknown[] | undefined {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const values = lines.map(parsed);
  return lines.length === 0 || values.includes(undefined) ? undefined : values;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
