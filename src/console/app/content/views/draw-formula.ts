/** Draws formulas by the program that draws them on published pages, which the browser loads for the first of them. */
import type Temml from 'temml'
import { FORMULA_SETTINGS, isBoundedFormula } from '../../../../core/document/html/formula-limits.ts'
import { t } from '../../words/words.ts'
import { element } from '../../ui/element.ts'

let loading: Promise<typeof Temml> | undefined

/** Loads the program, and the styles with the font of formulas. */
function load(): Promise<typeof Temml> {
  if (!loading) {
    const styles = document.querySelector<HTMLMetaElement>('meta[name="formula-styles"]')?.content
    if (styles !== undefined) document.head.append(element('link', { rel: 'stylesheet', href: styles }))
    loading = import('temml').then((library) => library.default)
    loading.catch(() => {
      loading = undefined
    })
  }
  return loading
}

/** Attributes that could lead away or run something. Temml writes none of them without `trust`. */
const UNSAFE = /^(?:on|href$|xlink:|src$|id$)/i

/**
 * Draws a formula in an element, or leaves the element as it is.
 * @returns what is wrong with the formula; undefined if it was drawn
 */
export async function drawFormula(
  place: HTMLElement,
  formula: string,
  isDisplay: boolean,
): Promise<string | undefined> {
  if (!isBoundedFormula(formula)) return t('editor.formula-too-long-defines')
  try {
    const temml = await load()
    const drawn = element('span')
    temml.render(formula, drawn, { displayMode: isDisplay, ...FORMULA_SETTINGS })
    for (const part of drawn.querySelectorAll('*'))
      for (const name of part.getAttributeNames()) if (UNSAFE.test(name)) part.removeAttribute(name)
    place.replaceChildren(drawn)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
