import { diffWordsWithSpace } from 'diff';

/** Two texts as one: what is gone is struck through, what is new is underlined. Never told by colour alone. */
export function Difference({ before, after }: { before: string; after: string }) {
  return (
    <p class="document-difference">
      {diffWordsWithSpace(before, after).map(({ added, removed, value }, at) =>
        added ? <ins key={at}>{value}</ins> : removed ? <del key={at}>{value}</del> : <span key={at}>{value}</span>,
      )}
    </p>
  );
}
