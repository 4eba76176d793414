/** A read-only text: a click on a word plays the dictation from there. */
import type { Listening } from '../../state/report/listening.ts';
import { findClickedOffset } from './text-ranges.ts';
import { hearAt } from './use-playback-marks.ts';

/** `section`: its key; empty: the transcript. */
export function HeardText({
  listening,
  section,
  text,
  lang,
}: {
  listening: Listening | null;
  section: string;
  text: string;
  lang?: string;
}) {
  return (
    <p
      class="document-text"
      lang={lang}
      data-said-in={section}
      onClick={(event) => {
        const place = listening?.isTimed.peek() ? findClickedOffset(event.currentTarget, event) : undefined;
        if (listening && place !== undefined) hearAt(listening, section, place);
      }}
    >
      {text}
    </p>
  );
}
