/** Records a short spoken text that belongs to no dictation, such as an instruction. It exists only in this page. */
import { wavHead } from '../../../../src/domain/dictation/wav.ts';
import { joinBytes } from '../../audio/join-bytes.ts';
import type { OpenMicrophone } from '../../audio/microphone.ts';
import { showMicrophone } from './live-microphone.ts';

export interface SpokenClip {
  /** Resolves to the audio as WAV, once. */
  stop(): Promise<ArrayBuffer>;
  /** Releases the microphone; nothing is kept. */
  cancel(): void;
}

/** `ended`: called if the device is gone. Rejects if there is no microphone. */
export async function recordClip(open: OpenMicrophone, device: string | null, ended: () => void): Promise<SpokenClip> {
  const microphone = await open({ device, sampleRate: null });
  const blocks: Uint8Array[] = [];
  try {
    await microphone.start({
      block: ({ samples }) => void blocks.push(new Uint8Array(samples)),
      ended,
      muted: () => undefined,
    });
  } catch (error) {
    void microphone.close();
    throw error;
  }
  const hide = showMicrophone();
  return {
    async stop() {
      await microphone.stop();
      hide();
      await microphone.close();
      const sound = joinBytes(blocks);
      return joinBytes([wavHead({ rate: microphone.sampleRate, bytes: sound.length }), sound]).buffer;
    },
    cancel() {
      hide();
      void microphone.close();
    },
  };
}
