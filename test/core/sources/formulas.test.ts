/** Formulas of Word and MathML become LaTeX, which is drawn. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FORMULA_SETTINGS } from '../../../src/core/document/html/formula-limits.ts'
import { temml } from '../../../src/core/runtime/libraries.ts'
import { latexOfMathml } from '../../../src/core/sources/html/formulas/mathml.ts'
import { latexOfOmml } from '../../../src/core/sources/html/formulas/omml.ts'
import { isElement, readMarkup } from '../../../src/core/sources/html/markup.ts'

const elementIn = (xml: string) => {
  const element = readMarkup(xml, 'a.xml', 'xml').children.find((child) => isElement(child))
  assert.ok(element)
  return element
}

const assertDrawn = (latex: string) =>
  assert.doesNotThrow(() => temml().renderToString(latex, FORMULA_SETTINGS), latex)

const t = (text: string, properties = '') =>
  `<m:r>${properties === '' ? '' : `<m:rPr>${properties}</m:rPr>`}<m:t>${text}</m:t></m:r>`
const e = (content: string) => `<m:e>${content}</m:e>`
const nary = (sign: string, place: string, limits = `<m:sub>${t('i=1')}</m:sub><m:sup>${t('n')}</m:sup>`) =>
  `<m:nary><m:naryPr><m:chr m:val="${sign}"/>${place}</m:naryPr>${limits}${e(t('i'))}</m:nary>`
const fraction = (type = '') =>
  `<m:f>${type === '' ? '' : `<m:fPr><m:type m:val="${type}"/></m:fPr>`}<m:num>${t('1')}</m:num><m:den>${t('n')}</m:den></m:f>`

const OMML: Record<string, string> = {
  [t('2α+x≤β')]: '2\\alpha+x\\le\\beta',
  [t('αx')]: '\\alpha x',
  [t('50%_a{b}&amp;c')]: '50\\%\\_a\\{b\\} & c',
  [t('if x&gt;0', '<m:nor/>')]: '\\text{if x>0}',
  [t('R', '<m:scr m:val="double-struck"/>')]: '\\mathbb{R}',
  [t('v', '<m:sty m:val="b"/>')]: '\\mathbf{v}',
  [t('d', '<m:sty m:val="p"/>')]: '\\mathrm{d}',
  [fraction()]: '\\frac{1}{n}',
  [fraction('lin')]: '{1}/{n}',
  [fraction('noBar')]: '\\genfrac{}{}{0pt}{}{1}{n}',
  [`<m:sSup>${e(t('x'))}<m:sup>${t('10')}</m:sup></m:sSup>`]: 'x^{10}',
  [`<m:sSub>${e(t('xy'))}<m:sub>${t('i')}</m:sub></m:sSub>`]: '{xy}_i',
  [`<m:sSubSup>${e(t('x'))}<m:sub>${t('i')}</m:sub><m:sup>${t('2')}</m:sup></m:sSubSup>`]: 'x_i^2',
  [`<m:sPre><m:sub>${t('2')}</m:sub><m:sup>${t('4')}</m:sup>${e(t('H'))}</m:sPre>`]: '{}_2^4H',
  [`<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/>${e(t('x'))}</m:rad>`]: '\\sqrt{x}',
  [`<m:rad><m:deg>${t('3')}</m:deg>${e(t('x'))}</m:rad>`]: '\\sqrt[3]{x}',
  [nary('∑', '<m:limLoc m:val="undOvr"/>')]: '\\sum_{i=1}^n i',
  [nary('∑', '<m:limLoc m:val="subSup"/>')]: '\\sum\\nolimits_{i=1}^n i',
  [nary('∫', '<m:limLoc m:val="undOvr"/>')]: '\\int\\limits_{i=1}^n i',
  [nary('∫', '<m:subHide/><m:supHide/>', '<m:sub/><m:sup/>')]: '\\int i',
  [`<m:d>${e(t('x+1'))}</m:d>`]: '\\left(x+1\\right)',
  [`<m:d><m:dPr><m:begChr m:val="{"/><m:endChr m:val=""/></m:dPr>${e(t('a'))}${e(t('b'))}</m:d>`]:
    '\\left\\{a\\middle|b\\right.',
  [`<m:func><m:fName>${t('sin')}</m:fName>${e(t('x'))}</m:func>`]: '\\sin x',
  [`<m:func><m:fName>${t('rank')}</m:fName>${e(t('A'))}</m:func>`]: '\\operatorname{rank} A',
  [`<m:func><m:fName><m:limLow>${e(t('lim'))}<m:lim>${t('x→0')}</m:lim></m:limLow></m:fName>${e(t('x'))}</m:func>`]:
    '\\lim_{x\\to0} x',
  [`<m:func><m:fName><m:sSup>${e(t('cos'))}<m:sup>${t('2')}</m:sup></m:sSup></m:fName>${e(t('x'))}</m:func>`]:
    '\\cos^2 x',
  [`<m:acc>${e(t('x'))}</m:acc>`]: '\\hat{x}',
  [`<m:acc><m:accPr><m:chr m:val="⃗"/></m:accPr>${e(t('x'))}</m:acc>`]: '\\vec{x}',
  [`<m:acc><m:accPr><m:chr m:val="☺"/></m:accPr>${e(t('x'))}</m:acc>`]: '\\overset{☺}{x}',
  [`<m:bar><m:barPr><m:pos m:val="top"/></m:barPr>${e(t('x'))}</m:bar>`]: '\\overline{x}',
  [`<m:limLow>${e(`<m:groupChr>${e(t('a+b'))}</m:groupChr>`)}<m:lim>${t('n')}</m:lim></m:limLow>`]:
    '\\underbrace{a+b}_{n}',
  [`<m:limUpp>${e(t('='))}<m:lim>${t('?')}</m:lim></m:limUpp>`]: '\\overset{?}{=}',
  [`<m:borderBox>${e(t('x'))}</m:borderBox>`]: '\\boxed{x}',
  [`<m:phant><m:phantPr><m:show m:val="0"/></m:phantPr>${e(t('x'))}</m:phant>`]: '\\phantom{x}',
  [`<m:m><m:mr>${e(t('1'))}${e(t('0'))}</m:mr><m:mr>${e(t('0'))}${e(t('1'))}</m:mr></m:m>`]:
    '\\begin{matrix}1 & 0 \\\\ 0 & 1\\end{matrix}',
  [`<m:eqArr>${e(t('x&amp;=1'))}${e(t('y&amp;=2'))}</m:eqArr>`]:
    '\\begin{aligned}x & =1 \\\\ y & =2\\end{aligned}',
  [`<w:ins>${t('a')}</w:ins><w:del>${t('b')}</w:del>`]: 'a',
  [`<m:unknown>${t('a')}</m:unknown>`]: 'a',
}

for (const [xml, latex] of Object.entries(OMML)) {
  test(`a formula of Word becomes ${latex}`, () => {
    assert.equal(latexOfOmml(elementIn(`<m:oMath>${xml}</m:oMath>`)), latex)
    if (!/(?<!\\)&/.test(latex) || latex.includes('\\begin')) assertDrawn(latex)
  })
}

const MATHML: Record<string, string> = {
  '<mi>x</mi><mo>=</mo><mn>2.5</mn><mi>π</mi>': 'x=2.5\\pi',
  '<mi>sin</mi><mi>x</mi>': '\\sin x',
  '<mi mathvariant="normal">d</mi><mi mathvariant="bold">v</mi>': '\\mathrm{d}\\mathbf{v}',
  '<mtext>if so</mtext><mspace/><ms>a</ms>': '\\text{if so}\\, \\text{"a"}',
  '<msup><mi>x</mi><mn>2</mn></msup>': 'x^2',
  '<msub><mrow><mi>x</mi><mi>y</mi></mrow><mi>i</mi></msub>': '{xy}_i',
  '<msubsup><mi>x</mi><mi>i</mi><mn>10</mn></msubsup>': 'x_i^{10}',
  '<mfrac><mn>1</mn><mi>n</mi></mfrac>': '\\frac{1}{n}',
  '<mfrac linethickness="0"><mi>n</mi><mi>k</mi></mfrac>': '\\genfrac{}{}{0pt}{}{n}{k}',
  '<msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt><mroot><mi>x</mi><mn>3</mn></mroot>':
    '\\sqrt{x+1}\\sqrt[3]{x}',
  '<munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover><mi>i</mi>': '\\sum_i^ni',
  '<munder><mo>∫</mo><mi>C</mi></munder>': '\\int\\limits_C',
  '<mover><mi>x</mi><mo>^</mo></mover><mover><mi>v</mi><mo>→</mo></mover>': '\\hat{x}\\vec{v}',
  '<munder><mi>a</mi><mi>b</mi></munder>': '\\underset{b}{a}',
  '<mrow><mo fence="true" form="prefix">[</mo><mi>x</mi><mo fence="true" form="postfix">)</mo></mrow>':
    '\\left[x\\right)',
  '<mfenced open="{" close="}"><mi>a</mi><mi>b</mi></mfenced>': '\\left\\{a,b\\right\\}',
  '<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr></mtable>':
    '\\begin{matrix}1 & 2\\end{matrix}',
  '<semantics><mrow><mi>x</mi></mrow><annotation encoding="StarMath 5.0">x</annotation></semantics>': 'x',
  '<mphantom><mi>x</mi></mphantom><mstyle><mi>y</mi></mstyle>': '\\phantom{x}y',
  '<math:mi>x</math:mi>': 'x',
}

for (const [xml, latex] of Object.entries(MATHML)) {
  test(`a formula of MathML becomes ${latex}`, () => {
    assert.equal(latexOfMathml(elementIn(`<math>${xml}</math>`)), latex)
    assertDrawn(latex)
  })
}
