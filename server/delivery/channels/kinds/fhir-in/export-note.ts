/** How far the export of a channel is, as it is stored. */
import { isPlainObject } from '../../../../../src/domain/normalise.ts';

/** How far an export is. */
export interface ExportNote {
  /** ISO 8601; `null`: everything. */
  readonly since: string | null;
  /** Where the server says how far it is; `undefined`: it was not asked yet. */
  readonly status?: string;
  /** File and line of orders to go on with. */
  readonly file: number;
  readonly line: number;
  readonly orders: number;
}

/** An export from the beginning, as the operator asks for it. */
export const newExport = (since: string | null): ExportNote => ({ since, file: 0, line: 0, orders: 0 });

/** `undefined`: none was asked for. */
export function readExportNote(value: unknown): ExportNote | undefined {
  if (!isPlainObject(value)) return undefined;
  const { since, status, file, line, orders } = value;
  return {
    since: typeof since === 'string' ? since : null,
    ...(typeof status === 'string' && { status }),
    file: Number(file) || 0,
    line: Number(line) || 0,
    orders: Number(orders) || 0,
  };
}
