/** Formulas of Word (Office Math Markup Language, ECMA-376 part 1, section 22.1) in LaTeX. */
import { isElement, localName, type MarkupElement, type MarkupNode } from '../markup.ts'
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

/** A formula of Word in LaTeX; empty for one without content. Several formulas of one paragraph are lines. */
export function latexOfOmml(formula: MarkupElement): string {
  const lines = localName(formula) === 'oMathPara' ? partsOf(formula, 'oMath') : [formula]
  const written = lines.map(latexIn).filter((line) => line.trim() !== '')
  const [only = ''] = written
  return tidyLatex(
    written.length > 1
      ? latexRows(
          'gathered',
          written.map((line) => [line]),
        )
      : only,
  )
}

const partsOf = ({ children }: MarkupElement, name: string) =>
  children.filter((child): child is MarkupElement => isElement(child) && localName(child) === name)

const firstPart = (element: MarkupElement, name: string) => partsOf(element, name)[0]

/** The LaTeX of a part of a structure; empty without it. */
const written = (element: MarkupElement, name: string) => {
  const part = firstPart(element, name)
  return part ? latexIn(part) : ''
}

const latexIn = (element: MarkupElement): string => element.children.map(latexOfNode).join('')

/** The value of a property in `fPr`, `naryPr` and the like; undefined without it. */
function propertyOf(element: MarkupElement, name: string): string | undefined {
  const properties = element.children.find(
    (child): child is MarkupElement => isElement(child) && localName(child).endsWith('Pr'),
  )
  const property = properties && firstPart(properties, name)
  if (!property) return undefined
  const value = Object.entries(property.attributes).find(([key]) => key === 'val' || key.endsWith(':val'))
  return value?.[1] ?? ''
}

/** Whether a property that is on or off is on; without a value, it is on. */
const isOn = (value: string | undefined) => value !== undefined && !/^(?:0|off|false)$/.test(value)

function latexOfNode(node: MarkupNode): string {
  if (!isElement(node)) return ''
  const name = localName(node)
  if (name.endsWith('Pr') || LEFT_OUT.has(name)) return ''
  return (STRUCTURES.get(name) ?? latexIn)(node)
}

/** Text that a tracked change deletes or moves away. */
const LEFT_OUT = new Set(['del', 'moveFrom'])

const STRUCTURES = new Map<string, (element: MarkupElement) => string>(
  Object.entries({
    r: readRun,
    f: readFraction,
    sSup: (element) => latexScripts(base(element), undefined, written(element, 'sup')),
    sSub: (element) => latexScripts(base(element), written(element, 'sub'), undefined),
    sSubSup: (element) => latexScripts(base(element), written(element, 'sub'), written(element, 'sup')),
    sPre: (element) =>
      `${latexScripts('', written(element, 'sub'), written(element, 'sup'))}${written(element, 'e')}`,
    rad(element) {
      const degree = isOn(propertyOf(element, 'degHide')) ? '' : written(element, 'deg')
      return `\\sqrt${degree === '' ? '' : `[${degree}]`}{${written(element, 'e')}}`
    },
    nary: readNary,
    d: readDelimiters,
    func: readFunction,
    acc: (element) => accented(element, propertyOf(element, 'chr') ?? '\u0302', 'above'),
    bar: (element) =>
      propertyOf(element, 'pos') === 'top'
        ? `\\overline{${written(element, 'e')}}`
        : `\\underline{${written(element, 'e')}}`,
    groupChr: (element) =>
      accented(
        element,
        propertyOf(element, 'chr') ?? '\u23df',
        propertyOf(element, 'pos') === 'top' ? 'above' : 'below',
      ),
    borderBox: (element) => `\\boxed{${written(element, 'e')}}`,
    phant: (element) =>
      propertyOf(element, 'show') === undefined || isOn(propertyOf(element, 'show'))
        ? written(element, 'e')
        : `\\phantom{${written(element, 'e')}}`,
    limLow: (element) => latexLimit(element, 'below'),
    limUpp: (element) => latexLimit(element, 'above'),
    m: (element) =>
      latexRows(
        'matrix',
        partsOf(element, 'mr').map((row) => partsOf(row, 'e').map(latexIn)),
      ),
    eqArr: (element) =>
      latexRows(
        'aligned',
        partsOf(element, 'e').map((row) => [latexIn(row)]),
      ),
  }),
)

const base = (element: MarkupElement) => latexBase(written(element, 'e'))

const STYLES: Record<string, string> = { p: 'mathrm', b: 'mathbf', bi: 'boldsymbol' }
const SCRIPTS: Record<string, string> = {
  'double-struck': 'mathbb',
  script: 'mathcal',
  fraktur: 'mathfrak',
  'sans-serif': 'mathsf',
  monospace: 'mathtt',
}

function readRun(run: MarkupElement): string {
  const text = partsOf(run, 't')
    .flatMap(({ children }) => children.filter((child) => typeof child === 'string'))
    .join('')
  if (text === '') return ''
  if (isOn(propertyOf(run, 'nor'))) return latexText(text)
  const style = propertyOf(run, 'sty') ?? ''
  const script = propertyOf(run, 'scr') ?? ''
  const isWord = /[a-zA-Z]/.test(text)
  const command = isWord
    ? (SCRIPTS[script] ?? STYLES[style])
    : style === 'b' || style === 'bi'
      ? 'boldsymbol'
      : undefined
  // An `&` marks where the lines of equations are aligned.
  const characters = text.split('&').map(latexCharacters).join(' & ')
  return command === undefined ? characters : `\\${command}{${characters}}`
}

function readFraction(element: MarkupElement): string {
  const [above, below] = [written(element, 'num'), written(element, 'den')]
  switch (propertyOf(element, 'type')) {
    case 'lin':
    case 'skw':
      return `{${above}}/{${below}}`
    case 'noBar':
      return `\\genfrac{}{}{0pt}{}{${above}}{${below}}`
    default:
      return `\\frac{${above}}{${below}}`
  }
}

function readNary(element: MarkupElement): string {
  const sign = latexCharacters(propertyOf(element, 'chr') ?? '∫')
  const place = placeOfLimits(propertyOf(element, 'limLoc'), sign.endsWith('int '))
  const below = isOn(propertyOf(element, 'subHide')) ? '' : written(element, 'sub')
  const above = isOn(propertyOf(element, 'supHide')) ? '' : written(element, 'sup')
  const operator = `${sign.trimEnd()}${below === '' && above === '' ? '' : place}`
  return `${latexScripts(operator, below === '' ? undefined : below, above === '' ? undefined : above)} ${written(element, 'e')}`
}

/** Where the limits of an operator are, if not where LaTeX writes them: beside integrals, and below and above others. */
function placeOfLimits(place: string | undefined, isIntegral: boolean): string {
  if (isIntegral) return place === 'undOvr' ? '\\limits' : ''
  return place === 'subSup' ? '\\nolimits' : ''
}

function readDelimiters(element: MarkupElement): string {
  const parts = partsOf(element, 'e').map(latexIn)
  const separator = latexCharacters(propertyOf(element, 'sepChr') ?? '|')
  return latexFenced(
    propertyOf(element, 'begChr') ?? '(',
    parts.join(`\\middle${separator === '' ? '.' : separator}`),
    propertyOf(element, 'endChr') ?? ')',
  )
}

/** The name of a function is a word, or a word with a limit. */
function readFunction(element: MarkupElement): string {
  const name = firstPart(element, 'fName')
  if (!name) return written(element, 'e')
  return `${name.children.map(functionName).join('').trim()} ${written(element, 'e')}`
}

function functionName(node: MarkupNode): string {
  if (!isElement(node)) return ''
  if (localName(node) === 'r') {
    const [text = ''] = partsOf(node, 't').flatMap(({ children }) => children)
    return typeof text === 'string' && /^[a-zA-Z]+$/.test(text) ? latexFunction(text) : latexOfNode(node)
  }
  const inner = firstPart(node, 'e')
  if (!inner) return latexOfNode(node)
  const name = inner.children.map(functionName).join('').trim()
  const [below, above] = [
    written(node, 'sub') || (localName(node) === 'limLow' ? written(node, 'lim') : ''),
    written(node, 'sup') || (localName(node) === 'limUpp' ? written(node, 'lim') : ''),
  ]
  return latexScripts(name, below === '' ? undefined : below, above === '' ? undefined : above)
}

function accented(element: MarkupElement, character: string, place: 'above' | 'below'): string {
  const content = written(element, 'e')
  const command = place === 'above' ? 'overset' : 'underset'
  return latexAccent(character, place, content) ?? `\\${command}{${latexCharacters(character)}}{${content}}`
}

function latexLimit(element: MarkupElement, place: 'above' | 'below'): string {
  const inner = firstPart(element, 'e')
  const content = inner ? latexIn(inner) : ''
  const limit = written(element, 'lim')
  const isBrace = inner?.children.some((child) => isElement(child) && localName(child) === 'groupChr')
  if (isBrace === true) return `${content}${place === 'below' ? '_' : '^'}{${limit}}`
  return `\\${place === 'below' ? 'underset' : 'overset'}{${limit}}{${content}}`
}
