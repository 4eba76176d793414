/** Normalises the URL of a FHIR server (`base_url`), so that inbound and outbound channels of one server match. */
export function normaliseUrl(baseUrl: string): string {
  const { href } = new URL(baseUrl);
  let end = href.length;
  while (href[end - 1] === '/') end -= 1;
  return href.slice(0, end);
}
