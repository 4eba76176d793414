/** Plays one sound at a time, from a position in it. */

/** `over`: the sound has ended; `stopped`: somebody stopped it, or began another sound; `failed`: it cannot be had. */
export type Ending = 'over' | 'stopped' | 'failed';

export interface PlayerListener {
  /** Gets the position, in seconds. */
  time(seconds: number): void;
  /** Called once each time the sound ends. */
  ended(why: Ending): void;
}

export interface PlayOptions {
  /** 1: as it was said. */
  readonly speed?: number;
  /** The sound at this address never changes: what was fetched of it may be played again. */
  readonly isLasting?: boolean;
}

export interface Player {
  /** Plays the sound at this address from `from` seconds. A listener that is listening already goes on. */
  play(address: string, from: number, listener: PlayerListener, options?: PlayOptions): Promise<void>;
  /** Of the sound that plays. */
  setSpeed(speed: number): void;
  stop(): void;
}

export function createPlayer(): Player {
  const audio = new Audio();
  audio.preload = 'none';
  let following = 0;
  let listening: PlayerListener | null = null;
  /** The address of a sound that can be played again without being fetched again. */
  let lasting: string | null = null;
  const end = (why: Ending): void => {
    cancelAnimationFrame(following);
    audio.pause();
    const listener = listening;
    listening = null;
    if (why === 'failed') lasting = null;
    listener?.ended(why);
  };
  const follow = (listener: PlayerListener): void => {
    cancelAnimationFrame(following);
    let reported = -1;
    const look = (): void => {
      if (Math.abs(audio.currentTime - reported) >= 0.05) listener.time((reported = audio.currentTime));
      following = requestAnimationFrame(look);
    };
    look();
  };
  audio.onended = () => end('over');
  audio.onerror = () => end('failed');
  return {
    async play(address, from, listener, { speed = 1, isLasting = false } = {}) {
      if (listening !== listener) end('stopped');
      listening = listener;
      if (!isLasting || lasting !== address) {
        audio.src = address;
        audio.load();
      }
      lasting = isLasting ? address : null;
      // Loading sets the speed to the default.
      audio.defaultPlaybackRate = speed;
      audio.playbackRate = speed;
      audio.currentTime = from;
      try {
        await audio.play();
      } catch (thrown) {
        // `AbortError`: it was stopped, or begun anew, before the first sound came.
        if (listening === listener && Object(thrown).name !== 'AbortError') end('failed');
        return;
      }
      if (listening === listener) follow(listener);
    },
    setSpeed: (speed) => void (audio.playbackRate = audio.defaultPlaybackRate = speed),
    stop: () => end('stopped'),
  };
}

let shared: Player | undefined;
/** The player of this page: whatever begins to play ends what played before. */
export const pagePlayer = (): Player => (shared ??= createPlayer());
