/** Derives a user name from a person's name. */

const titles = new Set(['dr', 'dra', 'drª', 'prof', 'profa', 'sr', 'sra', 'md', 'phd']);
const maxLength = 100;

/**
 * First and last name in lower case, without titles and accents: `Dra. Inês da Conceição` → `ines.conceicao`.
 * Empty if the name has no letters or digits.
 */
export function deriveLoginName(displayName: string): string {
  const plain = displayName
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .normalize('NFC')
    .toLowerCase();
  const words = plain.split(/[^\p{L}\p{N}'’-]+/u).map((word) => word.replace(/['’-]/g, ''));
  const names = words.filter((word) => word !== '' && !titles.has(word));
  const [first = '', last] = [names[0], names.length > 1 ? names.at(-1) : undefined];
  return [...(last === undefined ? first : `${first}.${last}`)].slice(0, maxLength).join('');
}
