import { Type } from 'typebox'
import { onSpace } from '../../../access/checks/on.ts'
import type { TokenKind } from '../../../core/document/html/renderer.ts'
import { TOKEN_CLASS } from '../../../core/document/html/token-class.ts'
import { codeHighlighter } from '../../../highlight/highlight.ts'
import { invalid } from '../../../http/errors.ts'
import { route } from '../../../http/route.ts'
import { InSpace, oneOf } from '../../../model/common.ts'
import { because } from '../../../core/languages/reasons.ts'

const MOST_BLOCKS = 50
/** In UTF-16 units, of all blocks together: the answer names each token. */
const MOST_CODE = 100_000

const KINDS = Object.keys(TOKEN_CLASS) as TokenKind[]

const Token = Type.Object(
  { length: Type.Integer({ minimum: 0 }), kind: Type.Optional(oneOf(KINDS)) },
  { title: 'CodeToken' },
)

export const highlightCode = route({
  method: 'POST',
  path: '/v1/spaces/:spaceId/content/highlight',
  summary: 'Find the tokens of code',
  description: `Returns what published pages colour, for blocks of code in the order of the request. Nothing is stored. The blocks have at most ${MOST_CODE.toLocaleString('en')} characters together. \`lines\` has the tokens of each line, which cover the line without its line feed; \`length\` counts UTF-16 code units, and a token without \`kind\` has no colour. A block without \`lines\` has no colours, because its language is unknown or the work would take too long. If \`complete\` is false, the server had no time for some blocks yet. Send the request again after a few seconds.`,
  access: onSpace('read'),
  params: InSpace,
  body: Type.Object({
    blocks: Type.Array(
      Type.Object({ code: Type.String({ maxLength: MOST_CODE }), syntax: Type.String({ maxLength: 100 }) }),
      { maxItems: MOST_BLOCKS },
    ),
  }),
  bodyLimit: 1024 * 1024,
  returns: Type.Object({
    blocks: Type.Array(Type.Object({ lines: Type.Optional(Type.Array(Type.Array(Token))) })),
    complete: Type.Boolean(),
  }),
  audit: false,
  reads: true,
  async prepare({ space, body: { blocks } }) {
    if (blocks.reduce((sum, { code }) => sum + code.length, 0) > MOST_CODE)
      throw invalid(because('code-too-long', { limit: MOST_CODE }))
    const { lookup, complete } = await codeHighlighter.read(blocks, space.organizationId)
    return { lookup, complete }
  },
  async handler({ prepared: { lookup, complete }, body }) {
    const blocks = body.blocks.map(({ code, syntax }) => {
      const lines = lookup(code, syntax)
      return lines ? { lines: lines.map((line) => [...line]) } : {}
    })
    return { blocks, complete }
  },
})
