/** Language names of servers: codes with or without a region, or English names. */

let codes: ReadonlyMap<string, string> | undefined;

/** ISO 639-1 code of "pt", "pt-BR" or "Portuguese"; `undefined` for other texts. */
export function languageCode(text: string): string | undefined {
  const name = text.trim().toLowerCase();
  codes ??= listCodes();
  const [short = ''] = name.split(/[-_]/);
  return codes.get(name) ?? ([...codes.values()].includes(short) ? short : undefined);
}

/** English names in lower case → codes, for all codes of two letters. */
function listCodes(): ReadonlyMap<string, string> {
  const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
  const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(97 + at));
  const found = new Map<string, string>();
  for (const code of letters.flatMap((first) => letters.map((second) => first + second))) {
    const name = names.of(code);
    if (name !== undefined && new Intl.Locale(code).language === code) found.set(name.toLowerCase(), code);
  }
  return found;
}
