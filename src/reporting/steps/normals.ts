/** Texts for normal findings give way to what is dictated: "insert normals" fills in the other sections. */
import { sectionFor } from '../input.ts';
import type { ReportSection } from '../input.ts';
import { sectionBegunBy } from '../words/token.ts';
import type { Token } from '../words/token.ts';

interface KeptNormals {
  readonly kept: readonly Token[];
  /** Texts that were left out, as tokens, one of each call: the speaker is asked once. */
  readonly givenUp: readonly { readonly from: number; readonly to: number }[];
}

/** `opening`: the section of what was said under no name. */
export function keepNormals(
  tokens: readonly Token[],
  sections: readonly ReportSection[],
  opening: string,
): KeptNormals {
  if (!tokens.some(({ isNormal }) => isNormal)) return { kept: tokens, givenUp: [] };
  let key = opening;
  const keys = tokens.map((token) => {
    const begun = sectionBegunBy(token);
    if (begun !== undefined) key = sectionFor(begun, sections);
    return token.kind === 'block' && token.section !== undefined ? sectionFor(token.section, sections) : key;
  });
  const dictated = new Set(
    tokens.flatMap(({ kind, isNormal }, at) =>
      !isNormal && (kind === 'word' || kind === 'figure' || kind === 'block') ? [keys[at]] : [],
    ),
  );
  const isGivenUp = ({ isNormal }: Token, at: number): boolean => isNormal === true && dictated.has(keys[at]);
  /** Where a call brought texts → one of them that was left out. */
  const calls = new Map(tokens.flatMap((token, at) => (isGivenUp(token, at) ? [[token.from, at]] : [])));
  return {
    kept: tokens.filter((token, at) => !isGivenUp(token, at)),
    givenUp: [...calls.values()].map((at) => ({ from: at, to: at + 1 })),
  };
}
