/** The line drawings of the frame: for places, and for what its buttons do. */

const DRAWN = {
  home: 'M3 9.5 10 3.5l7 6M5 8.5V16h10V8.5M8.5 16v-4.5h3V16',
  inbox: 'M3 11.5 5.2 4.5h9.6L17 11.5V16H3zM3 11.5h4l1 2h4l1-2h4',
  pencil: 'M4 16l.8-3.4L13.4 4l2.6 2.6-8.6 8.6zM11.6 5.8l2.6 2.6',
  merge:
    'M6 7.5v5M6 3.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4M6 12.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4M14 12.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4M14 12.5V8.5a2.5 2.5 0 0 0-2.5-2.5H9.5',
  search: 'M8.75 3.5a5.25 5.25 0 1 0 0 10.5 5.25 5.25 0 0 0 0-10.5M12.6 12.6l4 4',
  clock: 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14M10 6v4.2l2.7 1.6',
  globe:
    'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14M3.2 10h13.6M10 3c4.4 4.6 4.4 9.4 0 14M10 3c-4.4 4.6-4.4 9.4 0 14',
  people:
    'M7.5 9.5a2.75 2.75 0 1 0 0-5.5 2.75 2.75 0 0 0 0 5.5M2.5 16c.2-2.8 2.1-4.3 5-4.3s4.8 1.5 5 4.3M13 4.3a2.7 2.7 0 0 1 0 5M14.6 12c1.8.5 2.8 1.9 2.9 4',
  braces:
    'M7.5 3.5C5.6 3.5 5.5 4.6 5.5 6c0 2-.3 3.4-2 4 1.7.6 2 2 2 4 0 1.4.1 2.5 2 2.5M12.5 3.5c1.9 0 2 1.1 2 2.5 0 2 .3 3.4 2 4-1.7.6-2 2-2 4 0 1.4-.1 2.5-2 2.5',
  sliders:
    'M3 6h6.5M13.5 6H17M3 14h3.5M10.5 14H17M11.5 4a2 2 0 1 0 0 4 2 2 0 0 0 0-4M8.5 12a2 2 0 1 0 0 4 2 2 0 0 0 0-4',
  bin: 'M3.5 5.5h13M8 5.5v-2h4v2M5.5 5.5l.7 11h7.6l.7-11M8.5 8.5v5M11.5 8.5v5',
  plus: 'M10 4.5v11M4.5 10h11',
  panel: 'M3 4h14v12H3zM8 4v12',
  chevron: 'M7.5 5l5 5-5 5',
  star: 'M10 3.2l2.1 4.3 4.7.7-3.4 3.3.8 4.7L10 14l-4.2 2.2.8-4.7L3.2 8.2l4.7-.7z',
  folder: 'M3 5h5l1.5 2H17v8.5H3z',
  both: 'M6.5 8 10 4.5 13.5 8M6.5 12l3.5 3.5L13.5 12',
} as const

/** The name of a drawing. */
export type SignName = keyof typeof DRAWN

/** A line drawing in the size and colour of the text beside it. */
export function PlaceSign({ name }: { name: SignName }) {
  return (
    <svg className={`sign sign-${name}`} viewBox="0 0 20 20" aria-hidden="true">
      <path d={DRAWN[name]} />
    </svg>
  )
}
