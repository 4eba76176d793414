/** In years; the longest life on record. Sources write 1900-01-01 if they know no birth date. */
const maxAge = 122;
const wholeDate = /^\d{4}-\d{2}-\d{2}/;

/**
 * The age at a date as DICOM writes it (VR AS, PS3.5 6.2), both dates `YYYY-MM-DD…`. `undefined` where a date lacks its
 * month or day, before birth, and for an age that nobody reaches.
 */
export function ageAt(birth: string, date: string): string | undefined {
  if (!wholeDate.test(birth) || !wholeDate.test(date)) return undefined;
  const [from, to] = [birth.slice(0, 10), date.slice(0, 10)];
  const days = Math.floor((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / (24 * 3600_000));
  if (!(days >= 0)) return undefined;
  const [[fromYear, fromMonth], [toYear, toMonth]] = [from, to].map((text) => text.split('-').map(Number)) as [
    [number, number],
    [number, number],
  ];
  const months = (toYear - fromYear) * 12 + (toMonth - fromMonth) - (to.slice(8) < from.slice(8) ? 1 : 0);
  if (months >= (maxAge + 1) * 12) return undefined;
  const [count, unit] = months >= 24 ? [Math.floor(months / 12), 'Y'] : months >= 1 ? [months, 'M'] : [days, 'D'];
  return `${String(count).padStart(3, '0')}${unit}`;
}
