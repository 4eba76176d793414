/** The icons, one path each on a 24 px grid, drawn with the text's colour. */
const paths = {
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14M20 20l-4-4',
  down: 'm7 10 5 5 5-5',
  up: 'm7 14 5-5 5 5',
  left: 'm14 6-6 6 6 6',
  right: 'm10 6 6 6-6 6',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  close: 'M6.5 6.5l11 11M17.5 6.5l-11 11',
  warn: 'M12 4 3.5 19h17zM12 10v4M12 16.8h.01',
  info: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16M12 11v5M12 8.2h.01',
  urgent: 'm6 11 6-6 6 6M6 18l6-6 6 6',
  person: 'M12 5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7M5.5 20a6.5 6.5 0 0 1 13 0',
  list: 'M8.5 7H20M8.5 12H20M8.5 17H20M4.5 7h.01M4.5 12h.01M4.5 17h.01',
  exam: 'M5 5h14v14H5zM9 12h6M12 9v6',
  document: 'M7 3.5h7l4 4v13H7zM13.5 3.5v4.5H18M10 12.5h5M10 16h5',
  settings:
    'M4 7.5h9M17 7.5h3M4 16.5h3M11 16.5h9M15 5.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4M9 14.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4',
  keyboard: 'M3.5 7h17v10h-17zM7 10.5h.01M10.3 10.5h.01M13.7 10.5h.01M17 10.5h.01M8 14h8',
  lock: 'M6.5 11h11v8.5h-11zM9 11V8a3 3 0 0 1 6 0v3',
  leave: 'M10 5H5.5v14H10M14.5 8.5 18 12l-3.5 3.5M18 12H9.5',
  more: 'M5.2 12a.7.7 0 1 0 1.4 0a.7.7 0 1 0-1.4 0M11.3 12a.7.7 0 1 0 1.4 0a.7.7 0 1 0-1.4 0M17.4 12a.7.7 0 1 0 1.4 0a.7.7 0 1 0-1.4 0',
  clock: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16M12 8v4l3 2',
  microphone: 'M12 3.5a3 3 0 0 0-3 3v5a3 3 0 0 0 6 0v-5a3 3 0 0 0-3-3M5.5 11.5a6.5 6.5 0 0 0 13 0M12 18v2.5',
  record: 'M12 7.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9',
  pause: 'M9 6v12M15 6v12',
  play: 'M8 5.5v13l10-6.5z',
  stop: 'M7 7h10v10H7z',
  rewind: 'M11 7 6 12l5 5M18 7l-5 5 5 5',
  forward: 'm13 7 5 5-5 5M6 7l5 5-5 5',
  undo: 'M9 7 4.5 11.5 9 16M5 11.5h9a5 5 0 0 1 0 10h-2',
  redo: 'm15 7 4.5 4.5L15 16M19 11.5h-9a5 5 0 0 0 0 10h2',
  retry: 'M19 12a7 7 0 1 1-2.2-5.1M19 4v4.5h-4.5',
  computer: 'M4 5.5h16v10.5H4zM9 20h6M12 16v4',
  cloud: 'M7.5 18.5a4 4 0 0 1-.6-7.95 5.2 5.2 0 0 1 10-.9 4.5 4.5 0 0 1-.4 8.85z',
  flask: 'M10 4h4M11 4v6l-5 8.2a1.2 1.2 0 0 0 1 1.8h10a1.2 1.2 0 0 0 1-1.8L13 10V4M8.3 15h7.4',
  offline:
    'M4 4l16 16M8.6 12.6A6 6 0 0 1 11 11.4M5.5 9.6A10 10 0 0 1 8.7 7.5M12 7a10 10 0 0 1 6.5 2.6M15 12.4l.5.3M12 17h.01',
  upload: 'M12 16V5M7.5 9.5 12 5l4.5 4.5M5 19.5h14',
  download: 'M12 5v11M7.5 11.5 12 16l4.5-4.5M5 19.5h14',
  copy: 'M9 9h10.5v10.5H9zM15 9V4.5H4.5V15H9',
  print: 'M7.5 9V4.5h9V9M7.5 16h-3V9h15v7h-3M7.5 13.5h9v6h-9z',
  trash: 'M5 7h14M10 7V4.5h4V7M7 7l.8 12.5h8.4L17 7',
  filter: 'M4.5 7h15M7.5 12h9M10.5 17h3',
  plus: 'M12 5.5v13M5.5 12h13',
  edit: 'M5 19l.8-3.8L15.5 5.5l3 3-9.7 9.7z',
  sign: 'M4 19.5h16M6 15c4.5-1 8-8.5 6.2-10.2C10.6 3.300 8 9 10.200 13.200c1 2 2.800 1.500 3.800 0 .8 1.500 2 2 4 1',
  window: 'M4 6h16v12H4zM4 9.5h16M13 13h4v2.5h-4z',
  chart: 'M4.5 19.5h15M7.500 16v-4M12 16V6M16.500 16V9',
  star: 'm12 4.500 2.300 4.700 5.200.800-3.800 3.600.900 5.100-4.600-2.400-4.600 2.400.900-5.100L4.500 10l5.200-.800z',
  template: 'M5 4.500h14v4H5zM5 12h6v7.500H5zM14.500 12H19v7.500h-4.500z',
} as const;
export type IconName = keyof typeof paths;

/** Decorative: the adjacent words or the button's label give the meaning. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" width={size} height={size} aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}
