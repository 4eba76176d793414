/** Plays a dictation from a position in it. */

export interface Player {
  /**
   * Plays the sound at this address from `from` seconds. `time` gets the position, `ended` is called at the end of the
   * sound.
   */
  play(address: string, from: number, listener: { time(seconds: number): void; ended(): void }): Promise<void>;
  stop(): void;
}

export function createPlayer(): Player {
  const audio = new Audio();
  audio.preload = 'none';
  let following = 0;
  const stop = (): void => {
    cancelAnimationFrame(following);
    audio.onended = null;
    audio.onerror = null;
    audio.pause();
  };
  return {
    async play(address, from, { time, ended }) {
      stop();
      // The sound changes with each take, so the browser must not use a cached copy.
      audio.src = address;
      audio.load();
      audio.currentTime = from;
      const finish = (): void => {
        stop();
        ended();
      };
      audio.onended = finish;
      audio.onerror = finish;
      await audio.play();
      let reported = -1;
      const follow = (): void => {
        if (Math.abs(audio.currentTime - reported) >= 0.05) time((reported = audio.currentTime));
        following = requestAnimationFrame(follow);
      };
      follow();
    },
    stop,
  };
}
