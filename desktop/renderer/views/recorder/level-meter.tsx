import { useEffect, useRef } from 'preact/hooks';
import { meterPosition } from '../../../../src/domain/dictation/level.ts';
import type { Recorder } from '../../state/recorder/recorder.ts';

/** The current level. Decorative; an alarm reports faults. */
export function LevelMeter({ recorder }: { recorder: Recorder }) {
  const element = useRef<HTMLElement>(null);
  useEffect(
    () =>
      recorder.state.subscribe(() => {
        if (element.current)
          element.current.style.clipPath = `inset(0 ${100 - meterPosition(recorder.sound.level) * 100}% 0 0)`;
      }),
    [recorder],
  );
  return (
    <div class="meter" aria-hidden="true">
      <i ref={element} />
    </div>
  );
}
