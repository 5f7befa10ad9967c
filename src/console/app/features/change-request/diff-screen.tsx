import { useEffect, useState } from 'react'
import { useApi, useList } from '../../api/api.ts'
import { Loaded, More } from '../../ui/parts.tsx'
import type { DiffView } from '../../diff/block-diff.tsx'
import { nameOf, Sign, whatHappened } from '../../diff/change-list.tsx'
import { type ReviewDraft, useReviewDraft } from '../../discussion/review-draft.ts'
import { type Compared, type PageChanges, PageSection, pagesOf } from '../../diff/page-diff.tsx'
import { isClosed, subjectOf } from '../../proposals/change-request.ts'
import { type Proposed, ProposalFrame } from './change-request-frame.tsx'
import { StatusTag } from '../../proposals/status-tag.tsx'
import { BlockComments } from './block-comments.tsx'
import { SendReview } from './send-review.tsx'
import type { SemanticChange } from '../../api/review-types.ts'
import { store, stored } from '../../api/browser-storage.ts'
import { t } from '../../words/words.ts'
// oxlint-disable-next-line import/no-unassigned-import
import './diff-screen.css'

/** The differences that a change request makes, page by page, and reviewing them. */
export function DiffScreen({ params }: { params: Record<string, string> }) {
  return (
    <ProposalFrame params={params} wide>
      {(proposed) => <Differences proposed={proposed} />}
    </ProposalFrame>
  )
}

const VIEW = 'diff-view'
const keptView = (): DiffView => (stored(VIEW) === 'split' ? 'split' : 'inline')

function Differences({ proposed }: { proposed: Proposed }) {
  const { base, proposal, space } = proposed
  const query = useApi(`${base}/changes?limit=1000`)
  const mayReview = space.permissions.review && !isClosed(proposal)
  const draft = useReviewDraft(mayReview ? base : undefined)
  const [view, setView] = useState<DiffView>(keptView)
  const viewed = useViewed(proposal.id)
  const compared: Compared = {
    spaceId: space.id,
    changes: `${base}/changes`,
    before: proposal.revisionMergedAncestor ?? proposal.revisionInitial,
    after: proposal.revision,
    edits: space.permissions.edit && !isClosed(proposal) ? base : undefined,
  }
  return (
    <Loaded query={query} title={t('common.changes-cannot-shown')}>
      {({ changes, more = 0 }) => {
        const pages = pagesOf(changes)
        const seen = pages.filter((one) => viewed.has(one, proposal.revision)).length
        return (
          <>
            <div className="diff-bar">
              <h1>
                {subjectOf(proposal)} <StatusTag status={proposal.status} />
              </h1>
              <div className="actions">
                <span className="faint" role="status">
                  {t('change-request.seen-count-pages-viewed', { seen, count: pages.length })}
                </span>
                <label className="one-line">
                  {t('common.show')}
                  <select
                    value={view}
                    onChange={({ target }) => {
                      store(VIEW, target.value)
                      setView(target.value as DiffView)
                    }}
                  >
                    <option value="inline">{t('change-request.in-one-text')}</option>
                    <option value="split">{t('change-request.side-by-side')}</option>
                  </select>
                </label>
                {mayReview && <SendReview proposed={proposed} draft={draft} pages={pages} />}
              </div>
            </div>
            {changes.length === 0 && <p className="hint">{t('common.nothing-changed-yet')}</p>}
            <ScrollToPage />
            {pages.map((changed) => (
              <ReviewedPage
                key={changed.page.id}
                proposed={proposed}
                compared={compared}
                changed={changed}
                view={view}
                draft={draft}
                viewed={viewed}
              />
            ))}
            <OtherChanges changes={changes.filter((one) => !('page' in one))} />
            {more > 0 && <p className="hint">{t('common.count-more-changes', { count: more })}</p>}
          </>
        )
      }}
    </Loaded>
  )
}

/** Shows the page that the address names, once the pages are there. */
function ScrollToPage() {
  useEffect(() => {
    const id = location.hash.slice(1)
    if (id) document.querySelector(`#${CSS.escape(id)}`)?.scrollIntoView()
  }, [])
  return null
}

interface Viewed {
  has(changed: PageChanges, revision: string): boolean
  set(changed: PageChanges, revision: string, isViewed: boolean): void
}

/** Which pages the reader has looked at, kept in this browser. A page that changes again counts as new. */
function useViewed(changeRequestId: string): Viewed {
  const key = `viewed ${changeRequestId}`
  const [marks, setMarks] = useState<Record<string, string>>(
    () => JSON.parse(stored(key) ?? '{}') as Record<string, string>,
  )
  return {
    has: ({ page, changes }, revision) => marks[page.id] === pageVersion(changes, revision),
    set({ page, changes }, revision, isViewed) {
      const { [page.id]: _, ...others } = marks
      const after = isViewed ? { ...others, [page.id]: pageVersion(changes, revision) } : others
      store(key, JSON.stringify(after))
      setMarks(after)
    },
  }
}

/** Names what a page has become: the document of an edited page, or else the revision. */
function pageVersion(changes: readonly SemanticChange[], revision: string): string {
  const edited = changes.find((one) => one.type === 'page_edited')
  return edited ? JSON.stringify(edited.attributes).slice(0, 2000) : revision
}

function ReviewedPage({
  proposed,
  compared,
  changed,
  view,
  draft,
  viewed,
}: {
  proposed: Proposed
  compared: Compared
  changed: PageChanges
  view: DiffView
  draft: ReviewDraft
  viewed: Viewed
}) {
  const { base, proposal } = proposed
  const { page } = changed
  const comments = useList(`${base}/comments?order=asc&targetPage=${page.id}`)
  const isViewed = viewed.has(changed, proposal.revision)
  const isDeleted = changed.changes.some(({ type }) => type === 'page_deleted')
  const commenting = { proposed, pageId: page.id, comments: comments.items, draft }
  const discussed = new Set([
    ...comments.items.flatMap(({ target, status }) => (status === 'open' ? (target.node?.id ?? []) : [])),
    ...draft.comments.flatMap(({ node }) => node ?? []),
  ])
  return (
    <PageSection
      compared={compared}
      changed={changed}
      view={view}
      isFolded={isViewed}
      tools={{
        below: (block) => <BlockComments commenting={commenting} block={block} />,
        within: (block) => <BlockComments commenting={commenting} block={block} place="part" />,
        around: (block) => <BlockComments commenting={commenting} block={block} place="whole" />,
        isDiscussed: (key) => discussed.has(key),
      }}
      head={
        <label className="viewed">
          <input
            type="checkbox"
            checked={isViewed}
            aria-label={t('change-request.i-viewed-title', { title: page.title })}
            onChange={({ target }) => viewed.set(changed, proposal.revision, target.checked)}
          />
          {t('change-request.viewed')}
        </label>
      }
    >
      {!isDeleted && <BlockComments commenting={commenting} />}
      <More list={comments} />
    </PageSection>
  )
}

function OtherChanges({ changes }: { changes: readonly SemanticChange[] }) {
  if (changes.length === 0) return null
  return (
    <section aria-labelledby="others">
      <h2 id="others">{t('change-request.other-changes')}</h2>
      <ul className="plain change-list">
        {changes.map((one, i) => (
          <li key={i}>
            <Sign change={one} />
            <span>
              {nameOf(one)} <span className="faint">{whatHappened(one)}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
