/** Digits in groups of three, counted from the end: `20,000`. Node's own formats take longer to load than the whole contract. */
export function grouped(digits: string, separator: string): string {
  const first = digits.length % 3 || 3;
  return digits.slice(0, first) + digits.slice(first).replace(/\d{3}/g, (group) => separator + group);
}

/** `20,000` */
export const withCommas = (count: number): string => grouped(String(count), ',');
