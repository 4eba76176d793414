/** Reads a message that came in, by the door of the readers of worklist files. */
import type { MessageError } from '../../src/contract/channel.ts';
import { AppError } from '../../src/contract/errors.ts';
import type { FormatName } from '../../src/domain/worklist-formats.ts';
import type { ItemReading, Position } from '../../src/worklist-files/reading.ts';
import type { OpenedChannel } from './channel.ts';

export interface ReadMessage {
  /** `undefined`: it has no known format. */
  readonly format: FormatName | undefined;
  readonly items: readonly ItemReading['item'][];
  readonly problems: readonly MessageError[];
  /** What the readers assumed or left out. */
  readonly warnings: readonly string[];
}

/** Settings of a channel that its readers understand. */
interface ReadingSettings {
  readonly format?: FormatName;
  readonly encoding?: string;
  readonly time_zone?: string;
}

/** A message that cannot be read at all has its problem, as those have that can be read in parts. */
export async function readMessage(
  raw: Uint8Array,
  named: FormatName | undefined,
  { settings }: Pick<OpenedChannel, 'settings' | 'mapping'>,
): Promise<ReadMessage> {
  const { readWorklist } = await import('../../src/worklist-files/worklist-file.ts');
  const { format = named, encoding, time_zone: timeZone } = settings as ReadingSettings;
  const items: ItemReading['item'][] = [];
  const problems: MessageError[] = [];
  const warnings: string[] = [];
  let found = format;
  try {
    const file = await readWorklist(whole(raw), {
      ...(format && { format }),
      ...(encoding !== undefined && { encoding }),
      ...(timeZone !== undefined && { timeZone }),
    });
    found = file.format;
    for await (const reading of file.readings) {
      if (reading.kind === 'item') {
        items.push(reading.item);
        warnings.push(...(reading.warnings ?? []));
      } else if (reading.kind === 'problem') {
        const { message, hint, position, place = placeOf(position) } = reading;
        problems.push({ code: 'UNREADABLE', message, ...(place && { place }), ...(hint !== undefined && { hint }) });
      }
    }
    // Laudio's own assumptions, but for how the format was recognised.
    warnings.push(...file.guesses.filter(({ what }) => what !== 'format').map(({ why }) => why));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, message, hint } = error;
    problems.push({ code, message, ...(hint !== undefined && { hint }) });
  }
  if (items.length === 0 && problems.length === 0) {
    problems.push({ code: 'EMPTY', message: 'There is no exam in it.' });
  }
  return { format: found, items, problems, warnings: [...new Set(warnings)] };
}

async function* whole(raw: Uint8Array): AsyncGenerator<Uint8Array> {
  yield raw;
}

const placeOf = ({ line, message, item, offset }: Position): string | undefined => {
  const parts = Object.entries({ message, line, item, byte: offset }).filter(([, at]) => at !== undefined);
  return parts.length === 0 ? undefined : parts.map(([what, at]) => `${what} ${at}`).join(', ');
};
