/** Where the menus are that open in a text. */

/** The size of the menu in CSS pixels: what it has at most, and the height in which it is of use. */
const [WIDTH, HEIGHT, USEFUL_HEIGHT] = [320, 336, 200]

/** The place of a menu in the window: below a place in a text, or above it if there is little room, and never beside the window. */
export function placeOfMenu({ left, top, bottom }: { left: number; top: number; bottom: number }) {
  const start = Math.max(8, Math.min(left, window.innerWidth - WIDTH - 8))
  const below = window.innerHeight - bottom - 12
  return below >= Math.min(USEFUL_HEIGHT, top)
    ? { left: start, top: bottom + 4, maxHeight: Math.min(HEIGHT, below) }
    : { left: start, bottom: window.innerHeight - top + 4, maxHeight: Math.min(HEIGHT, top - 12) }
}
