/** Places in data sets, as mappings write them and as the tables do. */

const tag = String.raw`\(?[0-9A-F]{4},?[0-9A-F]{4}\)?`;
const path = new RegExp(String.raw`^${tag}(?:\s*[/>]\s*${tag})*(?:\s*\+\s*${tag}(?:\s*[/>]\s*${tag})*)?$`, 'i');

/** `(0040,0100)/(0008,0060)` as `00400100>00080060`; `undefined` for text that is no path of tags. */
export const dicomPlaceOf = (place: string): string | undefined =>
  path.test(place.trim()) && !/^\d{1,4}$/.test(place.trim())
    ? place
        .toUpperCase()
        .replace(/[\s(),]/g, '')
        .replaceAll('/', '>')
    : undefined;
