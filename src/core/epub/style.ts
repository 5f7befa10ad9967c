/**
 * The style sheet of books. It leaves fonts, colours of text and the page to the reading system, and uses only what old ones
 * know: no variables, no grids.
 */
export const EPUB_CSS = `
body { line-height: 1.5; overflow-wrap: break-word; }
h1, h2, h3, h4, h5, h6 { line-height: 1.25; margin: 1.6em 0 0.6em; break-after: avoid; page-break-after: avoid; hyphens: none; text-align: start; }
h1 { font-size: 1.7em; margin-top: 0.5em; } h2 { font-size: 1.35em; } h3 { font-size: 1.15em; } h4, h5, h6 { font-size: 1em; }
.heading-1 { font-size: 1.35em; } .heading-2 { font-size: 1.15em; } .heading-3 { font-size: 1.05em; }
p { margin: 0 0 0.8em; }
a { color: #1d5aa8; text-decoration: underline; }
img { max-width: 100%; height: auto; }
hr { border: 0; border-top: 1px solid #999; margin: 2em 25%; }
blockquote { margin: 1em 0; padding: 0 0 0 1em; border-inline-start: 0.2em solid #bbb; }
ul, ol { margin: 0 0 0.8em; padding-inline-start: 1.6em; }
li { margin: 0.2em 0; }
li > p:last-child, td > p:last-child, blockquote > p:last-child, .hint-body > p:last-child { margin-bottom: 0; }
dt { font-weight: bold; } dd { margin: 0 0 0.8em 1.6em; }
nav ol { list-style: none; padding-inline-start: 1.2em; } nav > ol { padding: 0; } nav ol ol { margin: 0; }
nav a { text-decoration: none; color: inherit; }

.title-page { text-align: center; padding-top: 20%; }
.title-page h1 { text-align: center; font-size: 2.2em; }
.logo { max-height: 6em; max-width: 70%; }
.description { font-size: 1.1em; color: #555; text-align: start; }
.title-page .description { text-align: center; }
.note, .detail { font-size: 0.9em; color: #555; }

code, kbd, samp, pre { font-family: monospace; font-size: 0.9em; hyphens: none; }
code { overflow-wrap: anywhere; }
kbd { border: 1px solid #999; border-radius: 0.2em; padding: 0 0.3em; }
pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; text-align: start; line-height: 1.4; tab-size: 2; }
pre code { font-size: 1em; }
.code, .raw > pre, pre.plain { margin: 1em 0; padding: 0.6em 0.8em; border: 1px solid #ccc; border-radius: 0.3em; background: #f7f7f7; color: #222; }
pre.plain { background: none; color: inherit; }
.code-title { font-weight: bold; font-size: 0.9em; margin: 0 0 0.5em; padding: 0 0 0.3em; border-bottom: 1px solid #ccc; break-after: avoid; }
.line.highlighted { background: #fff0c2; }
.numbered code { counter-reset: line; }
.numbered .line { display: inline-block; width: 100%; box-sizing: border-box; padding-inline-start: 2.3em; text-indent: -2.3em; }
.numbered .line::before { counter-increment: line; content: counter(line); display: inline-block; width: 1.5em; margin-inline-end: 0.8em; text-indent: 0; color: #767676; text-align: end; }
.tc { color: #6b6456; font-style: italic; } .tk { color: #a02c5d; } .ts { color: #34691f; } .tn { color: #9a4a00; } .tf { color: #1d5aa8; }
.ty { color: #0d6a63; } .tv { color: #84501c; } .tp { color: #1c5c8c; } .tt { color: #9c2b4b; } .ti { color: #1a6b2d; } .td { color: #a3222f; }
.th { font-weight: bold; } .te { font-style: italic; } .tb { font-weight: bold; }

table { border-collapse: collapse; margin: 0; font-size: 0.92em; }
.table, .raw { margin: 1em 0; }
.table table, .raw table { width: 100%; }
th, td { border: 1px solid #bbb; padding: 0.35em 0.5em; text-align: start; vertical-align: top; overflow-wrap: break-word; }
th { background: #f2f2f2; color: #222; }
thead { display: table-header-group; }
tr { break-inside: avoid; page-break-inside: avoid; }
.align-center { text-align: center; } .align-right, .align-end { text-align: end; } .align-left { text-align: start; } .align-justify { text-align: justify; }
.vertical-middle { vertical-align: middle; } .vertical-bottom { vertical-align: bottom; }

.images, figure { margin: 1em 0; text-align: center; }
.images > figure { margin: 0 0 1em; }
.images.align-left, .images.align-left figure { text-align: start; } .images.align-right, .images.align-right figure { text-align: end; }
figcaption { font-size: 0.9em; color: #555; margin-top: 0.4em; }
figure > .code, figure.embed { text-align: start; }
.inline-image { vertical-align: middle; } .line-high { height: 1.1em; width: auto; }
.icon { height: 1em; width: 1.1em; vertical-align: -0.12em; margin-inline-end: 0.3em; fill: currentColor; }

.hint { margin: 1em 0; padding: 0.6em 0.9em; border-inline-start: 0.25em solid #1d5aa8; background: #eef4fb; color: #222; }
.hint.success { border-color: #34691f; background: #eef6ea; } .hint.warning { border-color: #9a6a00; background: #fdf5e2; } .hint.danger { border-color: #a3222f; background: #fceeee; }
.hint-label { font-weight: bold; margin: 0 0 0.2em; color: #1d5aa8; break-after: avoid; }
.success > .hint-label { color: #34691f; } .warning > .hint-label { color: #7a5300; } .danger > .hint-label { color: #a3222f; }
.hint-icon { float: left; font-size: 1.2em; margin-inline-end: 0.3em; } [dir='rtl'] .hint-icon { float: right; }
.hint h2, .hint h3, .hint h4 { font-size: 1em; margin: 0 0 0.3em; }

.tab-panel, .expandable, .update { margin: 1em 0; padding-inline-start: 0.9em; border-inline-start: 1px solid #bbb; }
.tab-title, .summary, .update-head { font-weight: bold; margin: 0 0 0.5em; break-after: avoid; page-break-after: avoid; }
.stepper { padding-inline-start: 1.8em; } .stepper > .step { margin: 0 0 1.2em; }
.stepper h2, .stepper h3, .stepper h4 { margin-top: 0; }
.tasks { list-style: none; padding: 0; } .task > div { display: inline; } .check { margin-inline-end: 0.4em; }

.cards { list-style: none; padding: 0; } .card, .link-card, .api-card { margin: 0.8em 0; padding: 0.6em 0.8em; border: 1px solid #bbb; border-radius: 0.3em; break-inside: avoid; page-break-inside: avoid; }
.card-body > .card-line { margin: 0 0 0.3em; } .card-label { color: #555; } .card-cover { margin: 0 0 0.5em; }
.card-name, .stretched { font-weight: bold; } a.link-card { display: block; text-decoration: none; }
.link-cover { max-height: 4em; }
.api-method { font-weight: bold; margin-inline-end: 0.6em; } .api-link { margin-inline-start: 0.6em; } .api-schemas { margin: 0.4em 0 0; }
.button { font-weight: bold; }
.tag { padding: 0 0.4em; border: 1px solid #bbb; border-radius: 0.3em; font-size: 0.9em; font-weight: normal; }
p.missing, figure .missing { color: #767676; }
.rating { letter-spacing: 0.1em; }

.ink-green { color: #34691f; } .ink-blue, .ink-info { color: #1d5aa8; } .ink-red, .ink-danger { color: #a3222f; } .ink-orange, .ink-warning { color: #9a4a00; }
.ink-yellow { color: #7a5f00; } .ink-purple, .ink-violet { color: #6b3fa0; } .ink-pink { color: #a02c5d; } .ink-cyan { color: #0d6a63; } .ink-success { color: #34691f; }
mark { background: #fff0c2; color: #222; } .wash-green, .wash-success { background: #dff0d5; } .wash-blue, .wash-info, .wash-cyan { background: #dcebfa; } .wash-red, .wash-danger { background: #fadcdc; }
.wash-orange, .wash-warning { background: #fde8cf; } .wash-purple, .wash-violet, .wash-pink { background: #f0e0f5; }

.math { margin: 1em 0; text-align: center; overflow-x: auto; }
.tml-left { text-align: start; } .tml-right { text-align: end; } .tml-jot mtd { padding: 0.35em 0; } .tml-small mtd { padding: 0.15em 0.25em; }
.math-box { padding: 0.25em; border: 0.06em solid; } .math-circle { padding: 0.3em; border: 0.06em solid; border-radius: 50%; }
.math-line-top { border-top: 0.06em solid; } .math-line-bottom { border-bottom: 0.06em solid; } .math-line-left { border-inline-start: 0.06em solid; } .math-line-right { border-inline-end: 0.06em solid; }
.math-strike, .math-strike-up, .math-strike-down, .math-strike-both { text-decoration: line-through; }

.annotation { border-bottom: 1px dotted; text-decoration: none; }
.notes { margin-top: 2em; padding-top: 0.8em; border-top: 1px solid #999; font-size: 0.9em; }
.notes li > p:nth-last-child(2) { display: inline; }
.note-back { text-decoration: none; margin-inline-start: 0.4em; }
`.trimStart()

/** Added if the book has a font for formulas. */
export const MATH_FONT_CSS = `
@font-face { font-family: 'Lectern Math'; src: url('math.woff2') format('woff2'); }
math { font-family: 'Lectern Math', math; }
`
