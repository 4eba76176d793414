/** Readings with the English text in the place of each message, as commands and the API give them. */
import { textOf } from '../../src/contract/messages/message.ts';
import type {
  ItemReading,
  PatientReading,
  Problem,
  Reading,
  SkippedReading,
} from '../../src/files/worklist/reading.ts';

type Warned<R> = Omit<R, 'warnings'> & { readonly warnings?: readonly string[] };
export type TextItem = Warned<ItemReading>;
export type TextProblem = Omit<Problem, 'message' | 'hint'> & { readonly message: string; readonly hint?: string };
export type TextPatient = Warned<PatientReading>;
export type TextReading = TextItem | TextPatient | TextProblem | SkippedReading;

export function inTexts(reading: Reading): TextReading {
  if (reading.kind === 'problem') {
    const { message, hint, ...rest } = reading;
    return { ...rest, message: textOf(message), ...(hint !== undefined && { hint: textOf(hint) }) };
  }
  if (reading.kind === 'skipped') return reading;
  const { warnings, ...rest } = reading;
  return { ...rest, ...(warnings && { warnings: warnings.map(textOf) }) };
}
