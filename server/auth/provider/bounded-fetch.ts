/** Requests to the provider: it may be slow, answer without end, or lead elsewhere. */
const requestMs = 5000;
/** In bytes; a token response with many groups has a few kilobytes. */
const maxBytes = 512 * 1024;

/** `fetch` that ends after so many milliseconds, follows no redirect, and reads at most 512 KiB. */
export async function boundedFetch(
  url: string | URL | Request,
  init: RequestInit = {},
  ms: number = requestMs,
): Promise<Response> {
  const { signal: outer } = init;
  const timeout = AbortSignal.timeout(ms);
  const signal = outer ? AbortSignal.any([outer, timeout]) : timeout;
  const response = await fetch(url, { ...init, redirect: 'manual', signal });
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop closes the connection.
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new TypeError('The answer is too large');
    chunks.push(chunk);
  }
  const { status, headers } = response;
  const hasBody = ![204, 205, 304].includes(status);
  return new Response(hasBody ? Buffer.concat(chunks) : null, { status, headers });
}
