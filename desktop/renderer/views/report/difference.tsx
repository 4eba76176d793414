import { compareWords } from '../../state/report/word-changes.ts';

/** Shows two texts as one: deleted words are struck through and new words underlined, to not rely on colour. */
export function Difference({ before, after }: { before: string; after: string }) {
  return (
    <p class="document-difference">
      {compareWords(before, after).map(({ kind, text }, at) =>
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
