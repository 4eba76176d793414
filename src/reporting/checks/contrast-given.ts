/** Whether contrast was given, in the words of exams and techniques in the three languages. */

const given =
  /\b(?:w|with|c|com|con)[ /]*(?:iv |i\.v\. |intravenous |oral )?(?:contraste?|gad\w*|gd)\b|\b(?:post|pos|pós|after|após|tras)[ -]?(?:contraste?|gad\w*|gd)\b|\bcontrast[- ]enhanced\b|\bcontrastad[oa]s?\b/iu;

const agents =
  /\b(?:after|após|tras)(?: (?:\p{L}+|\d+(?:[.,]\d+)?)){0,7} contraste?\b|\b(?:gadobutrol|gadoterate|gadoterato|gadobenate|gadoxetate|gadoxetato|gadopentetate|gadodiamide|gadolinium|gadolíni?o|gadavist|dotarem|iohexol|iopamidol|iopromid[ae]|iodixanol|ioversol|omnipaque|ultravist|isovue|visipaque)\b|\b(?:injeção|administração|infusão|injection|administration|inyección|administración) (?:(?:\p{L}+|\d+(?:[.,]\d+)?) ){0,5}contraste?\b/iu;

const withheld =
  /\b(?:w\/o|wo|without|sem|sin|s\/|no|non)[ -]*(?:iv |i\.v\. |intravenous |(?:o )?uso de |(?:a )?administração de |meio de |injeção de )*(?:contraste?|gad\w*)\b|\b(?:noncontrast|unenhanced)\b/giu;

const both =
  /\bw ?\/? ?wo\b|\bw ?\/ ?w\/o\b|\bwithout and with\b|\bwith and without\b|\bsem e com\b|\bcom e sem\b|\bsin y con\b|\bcon y sin\b/i;

/** `undefined`: the text says nothing of it. */
export function readContrast(text: string): 'given' | 'withheld' | 'both' | undefined {
  const rest = text.replace(withheld, ' ');
  const isWithheld = rest !== text;
  const isGiven = given.test(rest) || agents.test(rest);
  if (both.test(text) || (isWithheld && isGiven)) return 'both';
  if (isWithheld) return 'withheld';
  return isGiven ? 'given' : undefined;
}
