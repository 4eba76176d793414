/** Makes a WAV file (RIFF, little-endian) of blocks of 16-bit PCM with one channel. */
export function encodeWav(blocks: readonly ArrayBuffer[], sampleRate: number): ArrayBuffer {
  const size = blocks.reduce((sum, block) => sum + block.byteLength, 0);
  const file = new ArrayBuffer(44 + size);
  const view = new DataView(file);
  const word = (at: number, text: string): void =>
    [...text].forEach((letter, n) => view.setUint8(at + n, letter.charCodeAt(0)));
  word(0, 'RIFF');
  view.setUint32(4, 36 + size, true);
  word(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, sampleRate * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  word(36, 'data');
  view.setUint32(40, size, true);
  const sound = new Uint8Array(file, 44);
  let at = 0;
  for (const block of blocks) {
    sound.set(new Uint8Array(block), at);
    at += block.byteLength;
  }
  return file;
}
