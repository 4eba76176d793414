/** Versions of stored documents, as entity tags (RFC 9110 8.8.3, 13.1.1). */
import { AppError } from '../../src/contract/errors.ts';

export interface VersionedDocument {
  readonly version: number;
}

/** The version as a strong entity tag. */
export const etagOf = ({ version }: VersionedDocument): string => `"${version}"`;

/** 412 unless the `If-Match` header, where there is one, names the present version. */
export function checkIfMatch(header: string | undefined, present: VersionedDocument): void {
  if (header === undefined) return;
  const tags = header.split(',').map((tag) => tag.trim());
  if (tags.includes('*') || tags.includes(etagOf(present))) return;
  throw new AppError('VERSION_CONFLICT', {
    status: 412,
    message: `It was changed meanwhile: its version is ${present.version} now, which is not the one to change.`,
    details: { version: present.version },
    hint: 'Get the present version and repeat the change on it.',
  });
}
