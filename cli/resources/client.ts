/** Formats partner applications, and parses their options. */
import type { Client } from '../../src/contract/admin.ts';
import { AppError } from '../../src/contract/errors.ts';
import { allScopes, isRegisteredScope, isScope } from '../../src/contract/scopes.ts';
import type { RegisteredScope } from '../../src/contract/scopes.ts';
import { durationForm, durationMs } from '../../src/domain/duration.ts';
import { text } from '../command.ts';
import { detailView } from '../shell/view.ts';
import type { View } from '../shell/view.ts';
import { nearestWord } from '../../src/domain/nearest-word.ts';
import { unknownWord } from '../../src/domain/unknown-word.ts';

export const clientDetail = (client: Client): View =>
  detailView({
    data: client,
    fields: [
      ['Client id', client.id, 'strong'],
      ['Client secret', client.secret, 'warn'],
      ['Old secret until', client.old_secret_until],
      ['Name', client.name],
      ['Type', client.kind],
      ['Keys', client.jwks?.keys.map(({ kid, alg }) => `${String(kid)} (${String(alg)})`).join(' ')],
      ['Redirect URIs', client.redirect_uris.join(' ') || null],
      ['Scopes', client.scopes.join(' ')],
      ['Space', client.space],
      ['Test mode', client.test_mode ? 'yes' : 'no'],
    ],
  });

export const keepOldOption = (description: string) => text(description, { placeholder: 'DURATION' });

/** The value of `--keep-old`; empty if it is missing. USAGE if it is no duration. */
export function keptSeconds(keepOld: string | undefined): { readonly keep_old_seconds?: number } {
  if (keepOld === undefined) return {};
  const kept = /^0(?:s|min|h|d|w)?$/.test(keepOld) ? 0 : durationMs(keepOld);
  if (kept === undefined) throw new AppError('USAGE', { message: `--keep-old must be ${durationForm}.` });
  return { keep_old_seconds: Math.round(kept / 1000) };
}

/** USAGE for a word that resembles a scope. Any other may be a scope of a newer server. */
export function refuseMistypedScope(words: string | undefined): void {
  const typed = words?.split(/\s+/).find((word) => !isScope(word) && nearestWord(word, allScopes) !== undefined);
  if (typed !== undefined) throw unknownWord(`${typed} is not a scope.`, typed, allScopes);
}

/** The scopes of an option that is repeatable and can contain several; `undefined` if it is missing. */
export function parseScopes(values: readonly string[]): RegisteredScope[] | undefined {
  const words = values.flatMap((value) => value.split(/[\s,]+/)).filter((word) => word !== '');
  const unknown = words.find((word) => !isRegisteredScope(word));
  if (unknown !== undefined)
    throw unknownWord(`${unknown} is not a scope.`, unknown, allScopes, `Scopes are ${allScopes.join(', ')}.`);
  return words.length > 0 ? words.filter(isRegisteredScope) : undefined;
}
