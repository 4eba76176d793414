/** Explains a rejected form in the portal's language. Rules and field names are those of the API. */
import { AppError } from '../../../src/contract/errors.ts';
import type { FieldError } from '../../../src/contract/errors.ts';
import type { PortalWords } from './words.ts';

/** Name of the invalid field, and what to do. */
export interface Problem {
  readonly field: string;
  readonly text: string;
}

/** Throws errors that the form cannot cause. `uris`: the redirect URIs that were sent. */
export function problemsIn(error: unknown, { problems }: PortalWords, uris: readonly string[] = []): Problem[] {
  if (!(error instanceof AppError) || error.code !== 'VALIDATION_FAILED') throw error;
  const errors = (error.details?.['errors'] ?? []) as readonly FieldError[];
  const found = errors.map(({ field, message }): Problem => {
    const [name = '', at] = field.split('.');
    const uri = name === 'redirect_uris' && at !== undefined ? uris[Number(at)] : undefined;
    if (uri !== undefined) return { field: name, text: problems.redirect_uri(uri) };
    return { field: name, text: isWorded(name) ? problems[name] : `${problems.other} ${message}` };
  });
  return found.length > 0 ? found : [{ field: '', text: `${problems.other} ${error.message}` }];
}

const worded = ['name', 'redirect_uris', 'scopes', 'space', 'url', 'events', 'enabled', 'keep_old_seconds'] as const;
const isWorded = (field: string): field is (typeof worded)[number] => (worded as readonly string[]).includes(field);
