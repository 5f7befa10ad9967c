/** Writes formulas in LaTeX, from the characters and the structures of other notations. */

/** Characters of formulas, each followed by its command. Other characters are written as they are. */
const COMMANDS = new Map(
  `α alpha β beta γ gamma δ delta ε varepsilon ϵ epsilon ζ zeta η eta θ theta ϑ vartheta ι iota κ kappa λ lambda μ mu µ mu ν nu ξ xi π pi ϖ varpi ρ rho ϱ varrho σ sigma ς varsigma τ tau υ upsilon φ varphi ϕ phi χ chi ψ psi ω omega
  Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Υ Upsilon Φ Phi Ψ Psi Ω Omega
  × times ÷ div ± pm ∓ mp ⋅ cdot · cdot ∗ ast ∘ circ ∙ bullet ⊕ oplus ⊗ otimes ⊖ ominus ∧ wedge ∨ vee ¬ neg ∩ cap ∪ cup ∖ setminus
  ≤ le ≥ ge ≠ ne ≈ approx ≡ equiv ≅ cong ∼ sim ≃ simeq ∝ propto ≪ ll ≫ gg ≺ prec ≻ succ ⊥ perp ∥ parallel ∣ mid
  ∈ in ∉ notin ∋ ni ⊂ subset ⊃ supset ⊆ subseteq ⊇ supseteq ∅ emptyset ∀ forall ∃ exists ∄ nexists ⊢ vdash ⊨ models
  → to ← leftarrow ↔ leftrightarrow ⇒ Rightarrow ⇐ Leftarrow ⇔ Leftrightarrow ↦ mapsto ↑ uparrow ↓ downarrow
  ∞ infty ∂ partial ∇ nabla ∑ sum ∏ prod ∐ coprod ∫ int ∬ iint ∭ iiint ∮ oint ⋂ bigcap ⋃ bigcup ⋁ bigvee ⋀ bigwedge
  … ldots ⋯ cdots ⋮ vdots ⋱ ddots ℏ hbar ℓ ell ℜ Re ℑ Im ℵ aleph ∠ angle △ triangle √ surd ′ prime
  ⟨ langle ⟩ rangle 〈 langle 〉 rangle ⌈ lceil ⌉ rceil ⌊ lfloor ⌋ rfloor ‖ Vert`
    .trim()
    .split(/\s+/)
    .reduce<[string, string][]>((pairs, word, at, words) => {
      if (at % 2 === 1) pairs.push([words[at - 1] ?? '', `\\${word} `])
      return pairs
    }, []),
)

const ESCAPED = /[\\{}$&#%_^~]/g
const WORDS: Record<string, string> = { '\\': '\\backslash ', '^': '\\hat{}', '~': '\\sim ' }

/** Characters of a formula. Each command ends with a space, which `tidyLatex` removes where nothing needs it. */
export function latexCharacters(text: string): string {
  return Array.from(text.replaceAll('\u2061', '').replaceAll('\u2062', ''), (character) => {
    if (character === '−') return '-'
    return COMMANDS.get(character) ?? WORDS[character] ?? character.replace(ESCAPED, '\\$&')
  }).join('')
}

/** Words in a formula, which keep their spaces. */
export function latexText(text: string): string {
  const escaped = text.replace(ESCAPED, (sign) => {
    if (sign === '\\') return '\\textbackslash{}'
    return sign === '^' || sign === '~' ? `\\${sign}{}` : `\\${sign}`
  })
  return text === '' ? '' : `\\text{${escaped}}`
}

const FUNCTIONS = new Set(
  'arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log max min Pr sec sin sinh sup tan tanh'.split(
    ' ',
  ),
)

/** The name of a function, upright. */
export function latexFunction(name: string): string {
  return FUNCTIONS.has(name) ? `\\${name} ` : `\\operatorname{${latexCharacters(name)}}`
}

/** A base with what is below and above it. */
export function latexScripts(base: string, below: string | undefined, above: string | undefined): string {
  const lower = below === undefined ? '' : `_${argument(below)}`
  return `${base === '' ? '{}' : base}${lower}${above === undefined ? '' : `^${argument(above)}`}`
}

/** Braces around what is more than one character. */
function argument(text: string): string {
  return text.length === 1 ? text : `{${text}}`
}

/** Braces around a base that is more than one character, so that scripts belong to all of it. */
export function latexBase(text: string): string {
  return text.length === 1 ? text : `{${text}}`
}

const ACCENTS: Record<string, string> = {
  '\u0300': 'grave',
  '\u0301': 'acute',
  '\u0302': 'hat',
  '^': 'hat',
  '\u02c6': 'hat',
  '\u0303': 'tilde',
  '~': 'tilde',
  '\u02dc': 'tilde',
  '\u0304': 'bar',
  '\u0305': 'overline',
  '\u00af': 'overline',
  '\u203e': 'overline',
  '\u0306': 'breve',
  '\u02d8': 'breve',
  '\u0307': 'dot',
  '\u02d9': 'dot',
  '\u0308': 'ddot',
  '\u00a8': 'ddot',
  '\u030c': 'check',
  '\u02c7': 'check',
  '\u20d6': 'overleftarrow',
  '\u20d7': 'vec',
  '\u2192': 'vec',
  '\u23de': 'overbrace',
  '\ufe37': 'overbrace',
}
const LOWER_ACCENTS: Record<string, string> = {
  '\u0332': 'underline',
  '\u005f': 'underline',
  '\u23df': 'underbrace',
  '\ufe38': 'underbrace',
}

/** The accent that this character is above or below a base; undefined if it is none. */
export function latexAccent(character: string, place: 'above' | 'below', base: string): string | undefined {
  const accents = place === 'above' ? ACCENTS : LOWER_ACCENTS
  return Object.hasOwn(accents, character) ? `\\${accents[character]}{${base}}` : undefined
}

/** What fences enclose, at the height of its content. An absent fence is empty. */
export function latexFenced(open: string, content: string, close: string): string {
  return `\\left${fence(open)}${content}\\right${fence(close)}`
}

const fence = (sign: string) => (sign.trim() === '' ? '.' : latexCharacters(sign.trim()))

/** Rows of cells in an environment, such as `matrix`. */
export function latexRows(environment: string, rows: readonly (readonly string[])[]): string {
  const lines = rows.map((cells) => cells.join(' & '))
  return `\\begin{${environment}}${lines.join(' \\\\ ')}\\end{${environment}}`
}

/** Removes the spaces behind commands that no letter follows. */
export function tidyLatex(text: string): string {
  return text.replace(/(\\[a-zA-Z]+) +(?![a-zA-Z ])/g, '$1').trim()
}
