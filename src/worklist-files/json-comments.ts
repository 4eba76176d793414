/** Comments, which editors and configuration files put into JSON, and JSON does not have (RFC 8259). */

/** The fault of a text that is no JSON, where it has comments outside its strings. */
export function commentFault(json: string): { what: string; message: string; hint: string } | undefined {
  if (!/\/[/*]/.test(json.replace(/"(?:[^"\\\n]|\\.)*"/g, '""'))) return undefined;
  return {
    what: 'a comment stands in it',
    message: 'This is not valid JSON: a comment stands in it.',
    hint: 'JSON has no comments: take out // and /* */, with what they comment.',
  };
}
