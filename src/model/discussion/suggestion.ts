/** Suggestions: comments with a text that one request puts in place of the commented one. */
import { type Static, Type } from 'typebox'
import type { TextRange } from '../../core/content/edit/block-diff.ts'
import type { Suggestion } from '../../core/content/edit/suggest.ts'
import type { Row } from '../../db/schema.ts'
import { conflict, invalidField } from '../../http/errors.ts'
import { oneOf, Timestamp } from '../common.ts'
import { User } from '../people/user.ts'
import { CommentBody, sourceOfBody } from './comment-body.ts'
import type { CommentTargetColumns } from './comment-target.ts'
import { because } from '../../core/languages/reasons.ts'

const TEXT_MAX = 10_000

/** A suggestion in the request that creates it. */
export const SuggestionSchema = Type.Object(
  {
    ...CommentBody.properties,
    text: Type.Optional(
      Type.String({ maxLength: TEXT_MAX, description: 'The text for the `range` of the comment' }),
    ),
  },
  {
    title: 'Suggestion',
    description:
      'What the comment suggests: `text` in place of its range, or `markdown` or `document` in place of its block. An empty one deletes it',
  },
)

type SentSuggestion = Static<typeof SuggestionSchema>

/** A suggestion as the API returns it. */
export const ShownSuggestion = Type.Object(
  {
    text: Type.Optional(Type.String()),
    markdown: Type.Optional(Type.String()),
    status: oneOf(['open', 'applied']),
    appliedAt: Type.Optional(Timestamp),
    appliedBy: Type.Optional(User),
    revision: Type.Optional(Type.String({ description: 'The revision that applies it' })),
  },
  { title: 'ShownSuggestion' },
)

/** The user who applied a suggestion, with the time and the revision. */
export interface AppliedSuggestion {
  by: string
  at: string
  revision: string
}

/** The text or block that a suggestion replaces. Its document is that of the revision of the comment, so it is kept. */
export interface MadeFor {
  /** The hash of the document of the page. */
  document: string
  /** The key of the block in it. */
  node: string
  range?: TextRange
}

/** A suggestion as it is stored. */
type StoredSuggestion = Suggestion & { madeFor: MadeFor }

/** The suggestion of a new comment, as JSON. @throws 400 if it does not fit the target of the comment */
export function storedSuggestion(
  sent: SentSuggestion,
  { nodeId, range, page }: CommentTargetColumns,
): string {
  if (nodeId === null) throw invalidField(AT, because('suggestion-without-block'))
  const { document = '' } = JSON.parse(page ?? '{}') as { document?: string }
  const part = range === null ? {} : { range: JSON.parse(range) as TextRange }
  return withMadeFor(sent, { document, node: nodeId, ...part })
}

/**
 * The column that a new suggestion of the author changes; none if it is the same. It is for the same text as the one
 * before, so that what others have written since is still known.
 * @throws 400 if the comment suggests nothing, or something of another kind; 409 if the suggestion is applied
 */
export function changedSuggestion(
  row: Row<'comment'>,
  sent: SentSuggestion | undefined,
): { suggestion?: string } {
  if (sent === undefined) return {}
  const before = suggestionOf(row)
  if (!before) throw invalidField(AT, because('suggestion-missing'))
  if (row.applied !== null) throw conflict(because('suggestion-final'))
  const suggestion = withMadeFor(sent, before.madeFor)
  return suggestion === row.suggestion ? {} : { suggestion }
}

const AT = 'body.suggestion'

function withMadeFor({ text, ...body }: SentSuggestion, madeFor: MadeFor): string {
  if (!madeFor.range && text !== undefined)
    throw invalidField(`${AT}.text`, because('suggestion-without-range'))
  if (madeFor.range && (body.markdown !== undefined || body.document !== undefined))
    throw invalidField(AT, because('suggestion-without-text'))
  const suggestion: Suggestion = madeFor.range ? { text: text ?? '' } : { markdown: sourceOfBody(body, AT) }
  return JSON.stringify({ ...suggestion, madeFor } satisfies StoredSuggestion)
}

/** The suggestion of a comment; undefined if it has none. */
export function suggestionOf({ suggestion }: Row<'comment'>): StoredSuggestion | undefined {
  return suggestion === null ? undefined : (JSON.parse(suggestion) as StoredSuggestion)
}

/** The user who applied the suggestion of a comment. */
export function appliedBy({ applied }: Row<'comment'>): string | undefined {
  return applied === null ? undefined : (JSON.parse(applied) as AppliedSuggestion).by
}

/** Returns the field of a response that shows the suggestion of a comment. */
export function shownSuggestion(
  row: Row<'comment'>,
  users: ReadonlyMap<string, Static<typeof User>>,
): { suggestion?: Static<typeof ShownSuggestion> } {
  const stored = suggestionOf(row)
  if (!stored) return {}
  const { madeFor: _madeFor, ...suggestion } = stored
  if (row.applied === null) return { suggestion: { ...suggestion, status: 'open' } }
  const { by, at, revision } = JSON.parse(row.applied) as AppliedSuggestion
  return {
    suggestion: { ...suggestion, status: 'applied', appliedAt: at, appliedBy: users.get(by)!, revision },
  }
}
