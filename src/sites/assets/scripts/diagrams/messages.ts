/** A diagram that a page asks its frame to draw. */
export interface DiagramSource {
  id: number
  source: string
  dark: boolean
}

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
