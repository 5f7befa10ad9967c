/** Formulas of MathML in LaTeX. */
import { isElement, localName, type MarkupElement, phraseIn } from '../markup.ts'
import {
  latexAccent,
  latexBase,
  latexCharacters,
  latexFenced,
  latexFunction,
  latexRows,
  latexScripts,
  latexText,
  tidyLatex,
} from './latex.ts'

/** A formula of MathML in LaTeX; empty for one without content. */
export function latexOfMathml(formula: MarkupElement): string {
  return tidyLatex(latexIn(formula))
}

const elementsIn = ({ children }: MarkupElement) => children.filter((child) => isElement(child))

/** The children of an element, with fences that grow if the first and the last are fences. */
function latexIn(element: MarkupElement): string {
  const parts = elementsIn(element)
  const [first, last] = [parts[0], parts.at(-1)]
  if (first && last && parts.length > 1 && isFence(first, 'prefix') && isFence(last, 'postfix'))
    return latexFenced(
      phraseIn(first.children),
      parts.slice(1, -1).map(latexOfElement).join(''),
      phraseIn(last.children),
    )
  return parts.map(latexOfElement).join('')
}

function isFence(element: MarkupElement, form: string): boolean {
  const { fence, stretchy, form: place } = element.attributes
  return localName(element) === 'mo' && (fence === 'true' || stretchy === 'true') && place === form
}

function latexOfElement(element: MarkupElement): string {
  const name = localName(element)
  return (STRUCTURES.get(name) ?? latexIn)(element)
}

/** The LaTeX of each child. */
const partsIn = (element: MarkupElement) => elementsIn(element).map(latexOfElement)

const STRUCTURES = new Map<string, (element: MarkupElement) => string>(
  Object.entries({
    mi: readIdentifier,
    mn: ({ children }) => latexCharacters(phraseIn(children)),
    mo: readOperator,
    mtext: ({ children }) => latexText(phraseIn(children)),
    ms: ({ children }) => latexText(`"${phraseIn(children)}"`),
    mspace: () => '\\, ',
    msup(element) {
      const [base = '', above = ''] = partsIn(element)
      return latexScripts(latexBase(base), undefined, above)
    },
    msub(element) {
      const [base = '', below = ''] = partsIn(element)
      return latexScripts(latexBase(base), below, undefined)
    },
    msubsup(element) {
      const [base = '', below = '', above = ''] = partsIn(element)
      return latexScripts(latexBase(base), below, above)
    },
    munder: (element) => readLimits(element, ['below']),
    mover: (element) => readLimits(element, ['above']),
    munderover: (element) => readLimits(element, ['below', 'above']),
    mfrac(element) {
      const [above = '', below = ''] = partsIn(element)
      return element.attributes.linethickness === '0'
        ? `\\genfrac{}{}{0pt}{}{${above}}{${below}}`
        : `\\frac{${above}}{${below}}`
    },
    msqrt: (element) => `\\sqrt{${latexIn(element)}}`,
    mroot(element) {
      const [base = '', degree = ''] = partsIn(element)
      return `\\sqrt[${degree}]{${base}}`
    },
    mfenced: (element) =>
      latexFenced(
        element.attributes.open ?? '(',
        partsIn(element).join(latexCharacters((element.attributes.separators ?? ',').trim().charAt(0))),
        element.attributes.close ?? ')',
      ),
    mphantom: (element) => `\\phantom{${latexIn(element)}}`,
    mtable: (element) =>
      latexRows(
        'matrix',
        elementsIn(element).map((row) => partsIn(row)),
      ),
    semantics: (element) => elementsIn(element).slice(0, 1).map(latexOfElement).join(''),
    annotation: () => '',
    'annotation-xml': () => '',
  }),
)

const VARIANTS: Record<string, string> = {
  bold: 'mathbf',
  'bold-italic': 'boldsymbol',
  'double-struck': 'mathbb',
  script: 'mathcal',
  fraktur: 'mathfrak',
  'sans-serif': 'mathsf',
  monospace: 'mathtt',
}

/** An identifier of several letters is the name of a function. */
function readIdentifier({ attributes, children }: MarkupElement): string {
  const text = phraseIn(children)
  const variant = attributes.mathvariant ?? ''
  if (Object.hasOwn(VARIANTS, variant)) return `\\${VARIANTS[variant]}{${latexCharacters(text)}}`
  if (/^[a-zA-Z]{2,}$/.test(text)) return latexFunction(text)
  return variant === 'normal' && /^[a-zA-Z]$/.test(text) ? `\\mathrm{${text}}` : latexCharacters(text)
}

function readOperator({ children }: MarkupElement): string {
  const text = phraseIn(children)
  return /^[a-zA-Z]{2,}$/.test(text) ? latexFunction(text) : latexCharacters(text)
}

/** Operators whose limits LaTeX writes below and above. */
const LIMITED =
  /^\\(?:sum|prod|coprod|bigcap|bigcup|bigvee|bigwedge|lim|max|min|sup|inf|limsup|liminf|i{0,3}nt|oint) $/

/** What is below and above a base: an accent, the limits of an operator, or anything else. */
function readLimits(element: MarkupElement, places: readonly ('below' | 'above')[]): string {
  const parts = elementsIn(element)
  const [base = '', ...limits] = parts.map(latexOfElement)
  const [below, above] =
    places.length === 2 ? limits : places[0] === 'below' ? [limits[0]] : [undefined, limits[0]]
  if (LIMITED.test(base)) {
    const place = base.endsWith('int ') ? '\\limits' : ''
    return latexScripts(`${base.trimEnd()}${place}`, below, above)
  }
  const [place] = places
  if (places.length === 1 && place && parts[1]) {
    const accent = latexAccent(phraseIn(parts[1].children), place, base)
    if (accent !== undefined) return accent
  }
  const lower = below === undefined ? base : `\\underset{${below}}{${base}}`
  return above === undefined ? lower : `\\overset{${above}}{${lower}}`
}
