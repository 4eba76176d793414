/** Text as it was, out of the formats that escape it. */

const signs: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

export const fromXml = (text: string): string => text.replace(/&([^;]+);/g, (_, name: string) => signs[name]!);

const escapes: Readonly<Record<string, string>> = { F: '|', S: '^', T: '&', R: '~', E: '\\', '.br': '\n' };

export const fromHl7 = (field: string): string =>
  field.replace(/\\(\.br|X([0-9A-F]{2})|[FSTRE])\\/g, (_, name: string, hex?: string) =>
    hex ? String.fromCharCode(parseInt(hex, 16)) : escapes[name]!,
  );
