/** The waveform of the dictation with its cursor. Drawn at most once per frame, and only after a change. */
import { useComputed } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { duration } from '../../i18n/format.ts';
import { t } from '../../i18n/index.ts';
import type { Recorder } from '../../state/recorder/recorder.ts';
import { gapsOf, isLive, lengthOf } from '../../state/recorder/recorder-state.ts';
import { peakBetween, getShownSeconds } from '../../state/recorder/waveform.ts';

/** In CSS px. */
const bar = { width: 2, step: 4, least: 2 } as const;
const steps: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -5,
  PageUp: 5,
  Home: -Infinity,
  End: Infinity,
};

export function WaveformView({ recorder }: { recorder: Recorder }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const length = useComputed(() => Math.floor(lengthOf(recorder.state.value) * 10) / 10).value;
  const at = useComputed(() => Math.floor(recorder.state.value.cursor)).value;
  const isFixed = useComputed(() => isLive(recorder.state.value) || length === 0).value;
  useEffect(() => (canvas.current ? follow(canvas.current, recorder) : undefined), [recorder]);

  const moveTo = (event: PointerEvent): void => {
    const box = canvas.current?.getBoundingClientRect();
    if (!box || isFixed || (event.buttons & 1) === 0) return;
    recorder.moveTo(((event.clientX - box.left) / box.width) * getShownSeconds(lengthOf(recorder.state.peek())));
  };
  const step = (event: KeyboardEvent): void => {
    const by = steps[event.key];
    if (by === undefined || isFixed || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const { cursor } = recorder.state.peek();
    recorder.moveTo(Math.min(Math.max(0, cursor + by), lengthOf(recorder.state.peek())));
  };
  return (
    <div
      class="wave"
      role="slider"
      tabIndex={isFixed ? -1 : 0}
      aria-label={t('recorder.position')}
      aria-valuemin={0}
      aria-valuemax={Math.ceil(length)}
      aria-valuenow={Math.min(at, Math.ceil(length))}
      aria-valuetext={t('recorder.position_of', { at: duration(at), length: duration(length) })}
      aria-disabled={isFixed}
      onPointerDown={(event) => {
        if (!isFixed) event.currentTarget.setPointerCapture(event.pointerId);
        moveTo(event);
      }}
      onPointerMove={moveTo}
      onKeyDown={step}
    >
      <canvas ref={canvas} />
    </div>
  );
}

/** Draws after each change. The returned function stops. */
function follow(canvas: HTMLCanvasElement, recorder: Recorder): () => void {
  let frame = 0;
  const later = (): void => {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      draw(canvas, recorder);
    });
  };
  const stopState = recorder.state.subscribe(later);
  const stopOutline = recorder.outline.subscribe(later);
  const size = new ResizeObserver(later);
  size.observe(canvas);
  const look = new MutationObserver(later);
  look.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  const system = matchMedia('(prefers-color-scheme: dark)');
  system.addEventListener('change', later);
  return () => {
    cancelAnimationFrame(frame);
    stopState();
    stopOutline();
    size.disconnect();
    look.disconnect();
    system.removeEventListener('change', later);
  };
}

function draw(canvas: HTMLCanvasElement, recorder: Recorder): void {
  const { clientWidth: width, clientHeight: height } = canvas;
  const ratio = devicePixelRatio;
  const pen = canvas.getContext('2d');
  if (!pen || width === 0) return;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  // Takes the colours from elements, so that light, dark and forced colours come from the style sheet alone.
  const style = getComputedStyle(canvas);
  const state = recorder.state.peek();
  const shown = getShownSeconds(lengthOf(state));
  const perPixel = shown / width;
  const live = { peaks: recorder.sound.peaks, seconds: recorder.sound.seconds };
  const before = recorder.outline.peek();
  for (let x = 0; x + bar.width <= width; x += bar.step) {
    const from = x * perPixel;
    const peak = peakBetween(before, live, state.take, from, from + bar.step * perPixel);
    // Most speech is quiet, so the height follows perceived loudness instead of the measured level.
    const tall = Math.max(bar.least, peak === null ? 0 : Math.min(1, peak ** 0.6) * (height - 8));
    const isHeard = !state.isPlaying || from <= state.cursor;
    pen.fillStyle = peak !== null && isHeard ? style.color : style.outlineColor;
    pen.beginPath();
    pen.roundRect(x, (height - tall) / 2, bar.width, tall, 1);
    pen.fill();
  }
  pen.fillStyle = style.borderTopColor;
  for (const { at } of gapsOf(state)) pen.fillRect(Math.min(width - 3, at / perPixel), 0, 3, height);
  if (lengthOf(state) > 0 || isLive(state)) {
    pen.fillStyle = style.caretColor;
    pen.fillRect(Math.min(width - 2, state.cursor / perPixel), 0, 2, height);
  }
}
