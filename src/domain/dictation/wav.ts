/** The head of a WAV file (RIFF, PCM 16 bits, one channel). */

export const wavHeadBytes = 44;

/** Samples a second of such a file. */
export const readWavRate = (file: Uint8Array): number =>
  new DataView(file.buffer, file.byteOffset, wavHeadBytes).getUint32(24, true);

/** `rate`: samples a second; `bytes`: of the sound that follows. */
export function wavHead({ rate, bytes }: { readonly rate: number; readonly bytes: number }): Uint8Array {
  const head = new Uint8Array(wavHeadBytes);
  const view = new DataView(head.buffer);
  const write = (at: number, text: string): void => {
    for (let letter = 0; letter < text.length; letter++) head[at + letter] = text.charCodeAt(letter);
  };
  write(0, 'RIFF');
  view.setUint32(4, wavHeadBytes - 8 + bytes, true);
  write(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  // PCM, one channel.
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  write(36, 'data');
  view.setUint32(40, bytes, true);
  return head;
}
