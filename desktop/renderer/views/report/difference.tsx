import { wordChanges } from '../../state/report/word-changes.ts';

/**
 * Shows two texts as one: deleted words are struck through, new words are underlined, so that colour alone says
 * nothing.
 */
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
