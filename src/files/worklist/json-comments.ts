/** Comments, which editors and configuration files put into JSON, and JSON does not have (RFC 8259). */

/** The characters of a string up to an escape, its end, or the end of the line. One expression cannot match a text of any length. */
const plain = /[^"\\\n]*/y;

/** Whether a text that is no JSON has comments outside its strings. */
export function hasComment(json: string): boolean {
  for (let at = 0; at < json.length;) {
    const quote = json.indexOf('"', at);
    const end = quote === -1 ? json.length : quote;
    if (/\/[/*]/.test(json.slice(at, end))) return true;
    at = end + 1;
    for (let isInside = true; isInside && at < json.length; at += 1) {
      plain.lastIndex = at;
      plain.test(json);
      at = plain.lastIndex;
      // An escape has one more character.
      if (json[at] === '\\') at += 1;
      else isInside = false;
    }
  }
  return false;
}
