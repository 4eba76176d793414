import { wordChanges } from '../../state/report/word-changes.ts';

/** Two texts as one: what is gone is struck through, what is new is underlined. Never told by colour alone. */
export function Difference({ before, after }: { before: string; after: string }) {
  return (
    <p class="document-difference">
      {wordChanges(before, after).map(({ kind, text }, at) =>
        kind === 'same' ? (
          <span key={at}>{text}</span>
        ) : kind === 'gone' ? (
          <del key={at}>{text}</del>
        ) : (
          <ins key={at}>{text}</ins>
        ),
      )}
    </p>
  );
}
