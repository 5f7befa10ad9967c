/** The drawing of a diagram that is written, below its source. */
import { element } from '../../../ui/element.ts'
import { t } from '../../../words/words.ts'

/** A diagram is drawn once nobody has typed for so long. */
const PAUSE_MS = 400

/** Keeps the drawing of a source. The browser loads what draws for the first of them. */
export class SourceDrawing {
  readonly dom = element('figure', { class: 'diagram-below', contenteditable: 'false' })
  #source: string | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #stop: (() => void) | undefined

  /** Draws a source after a pause. Until then, the drawing of before stays. */
  draw(source: string | undefined): void {
    if (source === this.#source) return
    const isFirst = this.#source === undefined
    this.#source = source
    clearTimeout(this.#timer)
    if (source === undefined || source.trim() === '') this.#clear()
    else this.#timer = setTimeout(() => void this.#drawNow(source), isFirst ? 0 : PAUSE_MS)
  }

  end(): void {
    this.draw(undefined)
  }

  #clear(): void {
    this.#stop?.()
    this.dom.replaceChildren()
  }

  async #drawNow(source: string): Promise<void> {
    const { keepDrawn, imageOf } = await import('../diagrams.ts')
    if (source !== this.#source) return
    this.#stop?.()
    this.#stop = keepDrawn(source, {
      show: (drawing) =>
        this.dom.replaceChildren(element('div', { class: 'diagram-picture' }, imageOf(drawing))),
      fail: (reason) => {
        const note = element('p', { class: 'diagram-note', role: 'status' })
        note.append(`${t('editor.browser-could-not-draw')} ${reason}`)
        this.dom.replaceChildren(note)
      },
    })
  }
}
