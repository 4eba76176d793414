/** Finds sound that was never captured: the clock of the blocks goes on, and the sound doesn't. */

/** A block by its clock. Both in ms; `at` is when the block ended, since 1970. */
export interface CaptureBlock {
  readonly at: number;
  readonly ms: number;
}

export interface CaptureGaps<B extends CaptureBlock> {
  /**
   * The blocks that are certain by now, in order, each with the ms of sound that are missing before it (0: none). After
   * a jump of the clock the blocks wait, for half a second of sound at most, until it is clear that no late sound
   * comes.
   */
  add(block: B): { readonly block: B; readonly missing: number }[];
  /** The blocks that wait: no more will come. */
  end(): { readonly block: B; readonly missing: number }[];
}

/** Every sleep loses at least this much, and two clocks never differ by more within a block. */
const minMissing = 1000;
/** Sound after a jump that arrives as fast as it is spoken: nothing late follows. */
const certain = 500;
/** The two clocks drift apart; this share of a lag counts as drift in each block. */
const drift = 0.02;

export function createCaptureGaps<B extends CaptureBlock>(): CaptureGaps<B> {
  /** The time at which the sound so far would have begun without a gap. */
  let begun: number | undefined;
  let heard = 0;
  let waiting: { readonly block: B; readonly lag: number }[] = [];

  const release = (missing: number) => {
    const blocks = waiting.map(({ block }, n) => ({ block, missing: n === 0 ? missing : 0 }));
    begun = (begun ?? 0) + missing;
    waiting = [];
    return blocks;
  };
  const minLag = (): number => Math.min(...waiting.map(({ lag }) => lag));
  const decide = () => release(minLag() >= minMissing ? Math.round(minLag()) : 0);

  return {
    add(block) {
      heard += block.ms;
      begun ??= block.at - heard;
      const lag = block.at - heard - begun;
      waiting.push({ block, lag });
      if (lag < minMissing) {
        // Late sound has come after all; a clock that was set back counts from there.
        begun += lag < 0 ? lag : lag * drift;
        return release(0);
      }
      const [jump = block, ...later] = waiting.map(({ block: each }) => each);
      const sound = later.reduce((sum, { ms }) => sum + ms, 0);
      const pace = block.at - jump.at;
      return sound >= certain && pace >= sound / 2 ? decide() : [];
    },
    end: () => (waiting.length === 0 ? [] : decide()),
  };
}
