/** Plays one audio file at a time, from a position in it. */

/** `over`: playback reached the end; `stopped`: it was stopped or replaced; `failed`: the file is unavailable. */
export type Ending = 'over' | 'stopped' | 'failed';

export interface PlayerListener {
  /** Receives the position, in seconds. */
  time(seconds: number): void;
  /** Called once each time playback ends. */
  ended(why: Ending): void;
}

export interface PlayOptions {
  /** 1: original speed. */
  readonly speed?: number;
  /** The file at this address never changes: data already loaded may be played again. */
  readonly isLasting?: boolean;
}

export interface Player {
  /** Plays the file at this address from `from` seconds. A listener that is already playing continues. */
  play(address: string, from: number, listener: PlayerListener, options?: PlayOptions): Promise<void>;
  /** Sets the speed of the current playback. */
  setSpeed(speed: number): void;
  stop(): void;
}

export function createPlayer(): Player {
  const audio = new Audio();
  audio.preload = 'none';
  let following = 0;
  let listening: PlayerListener | null = null;
  /** The address of a file that can be played again without being loaded again. */
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
        // `AbortError`: playback was stopped or restarted before the first audio arrived.
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
/** The player of this page: starting playback ends the previous one. */
export const pagePlayer = (): Player => (shared ??= createPlayer());
