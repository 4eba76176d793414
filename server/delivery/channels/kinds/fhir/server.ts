/** A FHIR server by its address (`base_url`), as one that is asked and one that gets reports are compared. */
export function serverOf(baseUrl: string): string {
  const { href } = new URL(baseUrl);
  let end = href.length;
  while (href[end - 1] === '/') end -= 1;
  return href.slice(0, end);
}
