/** PDF files read and checked by somebody else's code: poppler's programs and qpdf (Debian: poppler-utils, qpdf). */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromXml } from './unescape.ts';

const maxBuffer = 64 * 1024 * 1024;
const read = (program: string, args: readonly string[], pdf: Uint8Array): string =>
  execFileSync(program, args, { input: pdf, maxBuffer, encoding: 'utf8' });

/** What the pages say, in the order in which they say it, or in another `way` of pdftotext. */
export const pdfText = (pdf: Uint8Array, way = '-raw'): string => read('pdftotext', [way, '-', '-'], pdf);

/** A word as it is printed: its characters from left to right, and its place in points from the upper left corner. */
export interface PrintedWord {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
}

export const printedWords = (pdf: Uint8Array): PrintedWord[] =>
  [
    ...read('pdftotext', ['-bbox', '-', '-'], pdf).matchAll(
      /<word xMin="(.*?)" yMin="(.*?)" xMax="(.*?)" .*?>(.*?)<\/word>/g,
    ),
  ].map(([, left, top, right, text]) => ({
    text: fromXml(text!),
    left: Number(left),
    right: Number(right),
    top: Number(top),
  }));

/** What the tags say, element by element. */
export const pdfStructure = (pdf: Uint8Array): string => read('pdfinfo', ['-struct-text', '-'], pdf);

/** Title, whether it is tagged or encrypted, pages, … */
export const pdfFacts = (pdf: Uint8Array): Record<string, string> =>
  Object.fromEntries(
    read('pdfinfo', ['-'], pdf)
      .split('\n')
      .map((line) => line.split(/:\s+(.*)/, 2) as [string, string]),
  );

/** XMP. */
export const pdfMetadata = (pdf: Uint8Array): string => read('pdfinfo', ['-meta', '-'], pdf);

interface PdfFont {
  readonly name: string;
  readonly embedded: boolean;
  readonly subset: boolean;
  /** Whether the text can be told from the glyphs. */
  readonly unicode: boolean;
}

export function pdfFonts(pdf: Uint8Array): PdfFont[] {
  const [, , ...rows] = read('pdffonts', ['-'], pdf).trimEnd().split('\n');
  return rows.map((row) => {
    const [, name, flags] = /^(\S+) .* ((?:(?:yes|no) +){3})/.exec(row) as unknown as [string, string, string];
    const [embedded, subset, unicode] = flags
      .trim()
      .split(/ +/)
      .map((flag) => flag === 'yes');
    return { name, embedded: embedded!, subset: subset!, unicode: unicode! };
  });
}

/** A dictionary; names begin with `/`, references are `7 0 R`, text begins with `u:`. */
export type PdfDictionary = Readonly<Record<string, unknown>>;

/** Every object of the file: what it is, and of a stream what is in it. */
export interface PdfObject {
  readonly value: PdfDictionary;
  readonly data?: Buffer;
}

/** The file taken apart by qpdf, which throws where anything in it is not as it should be. */
export function pdfObjects(pdf: Uint8Array): { trailer: PdfDictionary; objects: ReadonlyMap<string, PdfObject> } {
  const directory = mkdtempSync(join(tmpdir(), 'laudio-pdf-'));
  const file = join(directory, 'document.pdf');
  try {
    writeFileSync(file, pdf);
    execFileSync('qpdf', ['--check', file], { stdio: ['ignore', 'ignore', 'pipe'] });
    const options = ['--json=2', '--json-stream-data=inline', '--decode-level=generalized'];
    return readObjects(execFileSync('qpdf', [...options, file], { maxBuffer, encoding: 'utf8' }));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function readObjects(json: string): ReturnType<typeof pdfObjects> {
  const { trailer, ...rest } = (JSON.parse(json) as QpdfJson).qpdf[1];
  return {
    trailer: trailer!.value!,
    objects: new Map(
      Object.entries(rest).map(([key, { value, stream }]) => [
        key.replace('obj:', ''),
        stream ? { value: stream.dict, data: Buffer.from(stream.data, 'base64') } : { value: value! },
      ]),
    ),
  };
}

interface QpdfJson {
  readonly qpdf: [unknown, Record<string, { value?: PdfDictionary; stream?: { dict: PdfDictionary; data: string } }>];
}
