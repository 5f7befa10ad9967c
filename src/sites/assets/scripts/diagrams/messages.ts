/** A diagram that a page asks its frame to draw. */
export interface DiagramSource {
  id: number
  source: string
  dark: boolean
  /** The colours of the page. A diagram that names a theme is drawn without them. */
  colors: DiagramColors
}

/** The names of the colours that a diagram takes from its page, each of which is a variable of the style sheet. */
export const DIAGRAM_COLORS = [
  'paper',
  'raised',
  'sunken',
  'line-strong',
  'ink',
  'ink-soft',
  'accent',
  'accent-wash',
  'info-wash',
  'success-wash',
  'warning',
  'warning-wash',
  'danger',
  'danger-wash',
] as const

/** Colours as CSS, by their names. */
export type DiagramColors = Record<(typeof DIAGRAM_COLORS)[number], string>

/** A diagram that the frame has drawn. */
export interface DiagramPicture {
  svg: string
  width: number
  height: number
  /** The name that Mermaid gives to this kind of diagram; may be empty. */
  kind: string
  /** The title and description that its writer gave it; may be empty. */
  description: string
}

/** What the frame sends to the page: that it can draw, a picture, or why there is none. */
export type DiagramAnswer =
  | { ready: true }
  | ({ id: number } & DiagramPicture)
  | { id: number; fault: string }
