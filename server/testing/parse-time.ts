/** Times and lengths of time as tests write them. */
import { AppError } from '../../src/contract/errors.ts';
import { clockStepForm, parseClockInstant, parseClockStep } from '../../src/domain/clock-choice.ts';

/** In ms. USAGE if it is no length of time. */
export function parseLength(length: string | number): number {
  const ms =
    typeof length === 'number' ? length : (parseClockStep(length) ?? Number(/^(\d{1,9})ms$/.exec(length)?.[1]));
  if (ms >= 0) return ms;
  const hint = `Use ${clockStepForm}, 200ms, or a number of ms.`;
  throw new AppError('USAGE', { message: `${length} is not a duration.`, hint });
}

/** In ms since 1970. USAGE if it is no instant. */
export function parseInstant(at: string | Date): number {
  const ms = typeof at === 'string' ? parseClockInstant(at) : at.getTime();
  if (ms !== undefined && !Number.isNaN(ms)) return ms;
  throw new AppError('USAGE', {
    message: `${String(at)} is not an instant.`,
    hint: 'Use one with its offset, such as 2026-03-02T09:00:00Z.',
  });
}
