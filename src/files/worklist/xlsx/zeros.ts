/**
 * Numbers with leading zeros, such as a patient id `0045871`: a sheet keeps 45871 and a format of zeros (`0000000`), which
 * what reads the cells does not look at.
 */

const attribute = (attributes: string, name: string): string | undefined =>
  new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)?.[1];

/** The minimum number of digits that cells show, by their style. */
export function paddedWidths(styles: string): ReadonlyMap<string, number> {
  const widthOf = new Map<string | undefined, number>();
  for (const [, attributes = ''] of styles.matchAll(/<(?:\w+:)?numFmt\s([^<>]*)>/g)) {
    const [, zeros] = /^(0{2,20})(?:;.*)?$/.exec(attribute(attributes, 'formatCode') ?? '') ?? [];
    if (zeros !== undefined) widthOf.set(attribute(attributes, 'numFmtId'), zeros.length);
  }
  const widths = new Map<string, number>();
  if (widthOf.size === 0) return widths;
  const [, cells = ''] = styles.split(/<(?:\w+:)?cellXfs\b/);
  const [listed = ''] = cells.split(/<\/(?:\w+:)?cellXfs>/, 1);
  const formats = listed.matchAll(/<(?:\w+:)?xf\s([^<>]*)>/g);
  for (const [at, [, attributes = '']] of [...formats].entries()) {
    const width = widthOf.get(attribute(attributes, 'numFmtId'));
    if (width !== undefined) widths.set(String(at), width);
  }
  return widths;
}

/** The sheet with whole numbers of those styles as texts, as they show. */
export const withZeros = (sheet: string, widths: ReadonlyMap<string, number>): string =>
  sheet.replace(
    /<((?:\w+:)?)c\s([^<>]*)>\s*<\1v>(\d{1,20})<\/\1v>\s*<\/\1c>/g,
    (cell, prefix: string, attributes: string, digits: string) => {
      const width = widths.get(attribute(attributes, 's') ?? '');
      if (width === undefined || (attribute(attributes, 't') ?? 'n') !== 'n') return cell;
      const others = attributes.replace(/(?:^|\s)t="n"/, '');
      return `<${prefix}c ${others} t="str"><${prefix}v>${digits.padStart(width, '0')}</${prefix}v></${prefix}c>`;
    },
  );
