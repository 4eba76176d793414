/** Plays a dictation from a place in it. */

export interface Player {
  /** Plays what is at this address from `from` seconds; `time` is told where it is, `ended` when it stops by itself. */
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
      // The sound changes with each take, so it is always read anew.
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
      let told = -1;
      const follow = (): void => {
        if (Math.abs(audio.currentTime - told) >= 0.05) time((told = audio.currentTime));
        following = requestAnimationFrame(follow);
      };
      follow();
    },
    stop,
  };
}
