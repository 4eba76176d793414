/** Minimal files, by media type, that a recording contains instead of audio, pages and reports. */
import { wavHead } from '../../../src/domain/dictation/wav.ts';

/** A tenth of a second of silence: 16 kHz, 16 bits, one channel. */
function silence(): Buffer {
  const sound = Buffer.alloc(3200);
  return Buffer.concat([wavHead({ rate: 16_000, bytes: sound.length }), sound]);
}

/** One empty page, A4 (PDF 1.4). */
function page(): string {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>',
  ];
  let text = '%PDF-1.4\n';
  const places = objects.map((object, at) => {
    const place = text.length;
    text += `${at + 1} 0 obj${object}endobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  return `${text}xref\n0 4\n0000000000 65535 f \n${places.join('')}trailer<</Size 4/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF\n`;
}

const files: Readonly<Record<string, () => { text: string; encoding?: 'base64' }>> = {
  'audio/wav': () => ({ text: silence().toString('base64'), encoding: 'base64' }),
  'application/pdf': () => ({ text: page() }),
  'text/html': () => ({ text: '<!doctype html><title>Recorded</title><p>The content was not recorded.</p>' }),
  'text/plain': () => ({ text: 'The content was not recorded.\n' }),
  'application/hl7-v2': () => ({ text: 'MSH|^~\\&|LAUDIO||||20000101000000||ORU^R01|1|P|2.5.1\r' }),
};

/** The file in the form of an archive; empty if there is none for the media type. */
export const getPlaceholderFile = (mediaType: string): { text?: string; encoding?: 'base64' } =>
  files[mediaType]?.() ?? {};
