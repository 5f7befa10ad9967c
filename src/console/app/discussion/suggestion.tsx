/** Suggestions of another text, shown within the text that they change. */
import { Button } from 'react-aria-components'
import type { TextRange } from '../../../core/content/edit/block-diff.ts'
import { leafText } from '../../../core/document/leaf-text.ts'
import type { Block } from '../../../core/document/model.ts'
import { useApi, useChange } from '../api/api.ts'
import { Refusal } from '../ui/parts.tsx'
import type { ChangeRequest } from '../api/types.ts'
import { t } from '../words/words.ts'
import { blocksIn } from '../diff/shown/blocks.tsx'
import { Added, Gone } from '../diff/shown/painting.tsx'
import { ShownMarkdown } from '../diff/shown/shown-markdown.tsx'
import type { NewComment, Comment } from '../api/review-types.ts'
import type { DiscussedPath } from '../api/paths.ts'

/** The text of a block, in which a suggestion replaces a part. */
function ReplacedPart({ whole, range, text }: { whole: string; range: TextRange; text: string }) {
  const { start, end } = range
  return (
    <p>
      {whole.slice(0, start)}
      <Gone text={whole.slice(start, end)} />
      {text !== '' && <Added text={text} />}
      {whole.slice(end)}
    </p>
  )
}

/** A suggestion that is not sent yet. @param block what it is about, where that is shown */
export function DraftedSuggestion({
  comment: { suggestion, range },
  block,
}: {
  comment: NewComment
  block: Block | undefined
}) {
  if (!suggestion) return null
  if (block && range)
    return <ReplacedPart whole={leafText(block)} range={range} text={suggestion.text ?? ''} />
  return (
    <p>
      {t('discussion.suggestion')}:{' '}
      <ins>{suggestion.text ?? suggestion.markdown ?? t('discussion.delete-this-text')}</ins>
    </p>
  )
}

/** The suggestion of a comment. @param base the path of the discussion below `/v1` */
export function SuggestionBox({
  base,
  comment: { id, suggestion, target },
  spaceId,
  status,
  mayApply,
}: {
  base: DiscussedPath
  comment: Comment
  spaceId: string
  /** That of the change request, if it is about one. */
  status: ChangeRequest['status'] | undefined
  mayApply: boolean
}) {
  const apply = useChange(`POST ${base}/comments/${id}/apply`, [base])
  const isOpen = suggestion?.status === 'open'
  const { page, node } = target
  const range = isOpen && page?.outdated === false ? node?.range : undefined
  const content = useApi(range && `${base}/content/page/${page!.id}/document`)
  if (!suggestion) return null
  const block = range && content.data && blockWith(content.data.nodes, node!.id)
  return (
    <div className="suggestion">
      <p className="doc-kind">
        {isOpen
          ? t('discussion.suggestion')
          : t('discussion.name-applied-suggestion', { name: suggestion.appliedBy?.displayName ?? '' })}
      </p>
      {range && block ? (
        <ReplacedPart whole={leafText(block)} range={range} text={suggestion.text ?? ''} />
      ) : (
        <Replaced preview={node?.preview} suggestion={suggestion} spaceId={spaceId} />
      )}
      {isOpen && status === 'merged' && <p className="faint">{t('discussion.change-request-merged-so')}</p>}
      {isOpen && status === 'archived' && (
        <p className="faint">{t('discussion.change-request-archived-reopen')}</p>
      )}
      {isOpen && mayApply && (
        <Button className="small" isDisabled={apply.isPending} onPress={() => apply.mutate(undefined)}>
          {t('discussion.apply')}
        </Button>
      )}
      <Refusal error={apply.error} />
    </div>
  )
}

/** A text and what replaces it. A block without a text, such as a picture, has no preview. */
function Replaced({
  preview,
  suggestion: { text = '', markdown = '' },
  spaceId,
}: {
  preview: string | undefined
  suggestion: NonNullable<Comment['suggestion']>
  spaceId: string
}) {
  const isGone = text.trim() === '' && markdown.trim() === ''
  return (
    <>
      {preview?.trim() && (
        <p>
          <Gone text={preview} />
        </p>
      )}
      {isGone && !preview?.trim() && <p>{t('discussion.delete-this-block')}</p>}
      {text.trim() !== '' && (
        <p>
          <Added text={text} />
        </p>
      )}
      {markdown.trim() !== '' && (
        <ins>
          <span className="unseen">{t('common.inserted')} </span>
          <ShownMarkdown spaceId={spaceId} markdown={markdown} />
        </ins>
      )}
    </>
  )
}

function blockWith(blocks: readonly Block[], key: string): Block | undefined {
  for (const block of blocks) {
    const found = block.key === key ? block : blockWith(blocksIn(block), key)
    if (found) return found
  }
  return undefined
}
