/**
 * Bytes in the browser's storage that only this browser can read, with a key that no script can read (WebCrypto, not
 * extractable), bound to their place.
 */

export interface SealedBytes {
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly sealed: ArrayBuffer;
}

export const createKey = (): Promise<CryptoKey> =>
  crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);

const getAlgorithm = (place: string, iv: Uint8Array<ArrayBuffer>) => ({
  name: 'AES-GCM',
  iv,
  additionalData: new TextEncoder().encode(place),
});

export async function seal(key: CryptoKey, place: string, plain: BufferSource): Promise<SealedBytes> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  return { iv, sealed: await crypto.subtle.encrypt(getAlgorithm(place, iv), key, plain) };
}

/** Rejects if the bytes belong to another key or place, or were modified. */
export const unseal = (key: CryptoKey, place: string, { iv, sealed }: SealedBytes): Promise<ArrayBuffer> =>
  crypto.subtle.decrypt(getAlgorithm(place, iv), key, sealed);
